import { expect, test } from 'vitest';
import { readOnlyCall } from '../../../src/permissions/programs/read-only.ts';

const judge = (text: string, globbed = false): readonly string[] | undefined =>
  readOnlyCall(text.split(' '), globbed)?.files;

test.each([
  ['ls -la src', ['src']],
  ['cat a b', ['a', 'b']],
  ['cat -', []],
  ['head -n5 a', ['a']],
  ['head -n 5 a', ['5', 'a']],
  ['grep -rn x src', ['src']],
  ['grep -e x src', ['x', 'src']],
  ['find . -name x -type f', ['.', 'x', 'f']],
  ['sed -n 1,5p a', ['a']],
  ['jq . a', ['a']],
  ['date +%s', []],
  ['echo anything -x', []],
  ['git log --oneline -5', []],
  ['git stash list', []],
  ['git config --get user.name', []],
  ['docker ps -a', []],
  ['node --version', []],
  ['[ -f a ]', []],
  ['cd src', ['src']],
])('%j only reads', (text, files) => {
  expect(judge(text)).toEqual(files);
});

test.each([
  ['rm a'],
  ['ls --hyperlink=always'],
  ['sort -o b a'],
  ['sort --compress-program=x a'],
  ['find . -delete'],
  ['find . -exec x'],
  ['find . -fprint x'],
  ['sed s/a/b/ a'],
  ['sed -n w x'],
  ['sed -i s/a/b/ a'],
  ['awk 1 a'],
  ['jq -n env'],
  ['date -s x'],
  ['date 01010101'.replace('01010101', '/x')],
  ['hostname x'],
  ['rg --pre x a'],
  ['tree -o x'],
  ['file -m x a'],
  ['tail --pid=1 -f/etc/x'],
  ['printf -v x y'],
  ['pwd -P'],
  ['history -c'],
  ['man -P x ls'],
  ['git log --output=x'],
  ['git branch -D x'],
  ['git branch new'],
  ['git tag v1'],
  ['git stash'],
  ['git -c a=b status'],
  ['git diff --ext-diff'],
  ['git ls-remote ext::x'],
  ['git fetch'],
  ['node -e 1'],
  ['constructor'],
  ['[ a -eq 1 ]'],
  ['[ -v a ]'],
])('%j is not in the table', (text) => {
  expect(judge(text)).toBeUndefined();
});

test('a glob is not taken where it could become an option that writes', () => {
  expect(judge('ls *.txt', true)).toEqual(['*.txt']);
  expect(judge('sort *.txt', true)).toBeUndefined();
  expect(judge('file *', true)).toBeUndefined();
});
