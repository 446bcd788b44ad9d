/** Marks that bash gives no meaning to where they stand, and loops over words that are not known. */
import { expect, test } from 'vitest';
import { bash, judge } from './scene.ts';

const decided = (command: string) =>
  judge({ allow: ['Bash(okx:*)', 'Bash(bash *)'] }, bash(command)).behavior;

test.each([
  'okx "a!"',
  'echo "Hello!"',
  'okx a#b',
  'okx http://x/y#z',
  'okx ✓ → 🎉',
  'okx http://x/y?z=1',
  'for i in a b *.txt; do okx $i; done'.replace('$i', 'a'),
  'bash -lc zz1',
  'bash -e -c zz1',
  'bash -euo pipefail -c "zz1 && zz2"',
])('%j is covered by a rule for its program', (command) => {
  expect(decided(command)).toBe('allow');
});

test.each([
  'for i in $X; do okx a; done',
  'for i in {a,b}; do okx a; done',
  'for i in "$@"; do okx a; done',
  'for f in $X; do ls; done',
  'okx !(a)',
  'bash -O extglob -c zz1',
  'bash -o posix -c zz1',
  'bash -ic zz1',
  'bash -lc "cat /etc/passwd"',
  'PS4=x bash -xc zz1',
])('%j asks', (command) => {
  expect(decided(command)).toBe('ask');
});

test.each(['grep -n "foo$" f.txt', 'grep "^a$" f.txt', 'echo a$', 'echo "5$ and more"', 'echo "$/x"'])(
  'the dollar of %j is text to rules that restrict',
  (command) => {
    const rules = { allow: ['Bash'], deny: ['Read(.env)', 'Bash(git push *)'] };
    expect(judge(rules, bash(command)).behavior).toBe('allow');
  },
);

test.each(['cat "$x"', 'cat $"f"', 'cat "a$(ls)"', 'cat "$[1+1]"', 'cat "a$-"', 'cat a$"b"', 'cat "$*"'])(
  'the dollar of %j is an expansion to rules that restrict',
  (command) => {
    expect(judge({ allow: ['Bash'], deny: ['Read(.env)'] }, bash(command)).behavior).toBe('ask');
  },
);
