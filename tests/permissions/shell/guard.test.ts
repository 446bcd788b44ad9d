import { expect, test } from 'vitest';
import { parseCommand, plainWords } from '../../../src/permissions/shell/parse.ts';

/** Each text is one where the parser's tree is not all that bash would run. */
test.each([
  ['a control character', 'ls \x07', 'control character'],
  ['a carriage return', 'ls\r\nrm x', 'control character'],
  ['a parse error', 'ls "x', 'not valid bash'],
  ['a parse error inside a substitution', 'echo $(ls "x)', 'not valid bash'],
  ['words without a blank between them', 'cat <(x)z', 'without a blank'],
  ['an option glued to a process substitution', 'cat -r<(rm x)', 'without a blank'],
  ['text glued to an array', 'a=(1 $(rm x))z', 'array'],
  ['a here-document delimiter with an expansion', 'cat <<"a$b"\nx\na$b\n', 'delimiter'],
  ['a here-document that is not closed', 'cat <<E\n$x', 'not closed'],
  ['a here-document that is not closed in a substitution', 'echo `cat <<E\nx`', 'not closed'],
  [
    'a list behind a here-document in a substitution',
    'echo $(cat <<E\nE\ngit;push)',
    'beside other commands',
  ],
  ['a list on the line of a here-document', 'echo $(cat <<E;git;push\nE\n)', 'beside other commands'],
  ['the same in a compound command', 'cat <(if x; then <<"E"\nE\ngit;push;fi)', 'beside other commands'],
  [
    'the same in a substitution of another',
    'echo "$(ls "$(cat <<E\nE\ngit;push)")"',
    'beside other commands',
  ],
  ['the same in an output', 'ls > >(cat <<E\nE\ngit;push)', 'beside other commands'],
  ['arithmetic with a substitution', 'echo $((1 + $(rm x)))', 'arithmetic'],
  ['a subscript in arithmetic that hides a substitution', '(( a[$(rm x)] ))', 'arithmetic'],
  ['a quoted target of a duplication', 'ls >& "2"', 'quoted'],
  ['a coprocess', 'coproc rm x', 'coprocess'],
  ['a named coprocess in a pipe', 'ls |& coproc d1 d1', 'coprocess'],
  ['a continuation inside an expansion', 'echo $\\\nZ', 'did not see'],
  ['a missing command', '! && rm x', 'missing'],
  ['too many brackets', '('.repeat(3000), 'brackets'],
  ['a text of more than 64 KiB', `ls ${'x'.repeat(70_000)}`, 'too long'],
])('%s is refused', (_, text, why) => {
  expect(parseCommand(text)).toEqual(
    expect.objectContaining({ ok: false, why: expect.stringContaining(why) }),
  );
});

test.each([
  ["git commit -m \"$(cat <<'EOF'\nit's a message\nEOF\n)\""],
  ['find . -name "*.ts" -exec grep -l x {} \\;'],
  ["git commit -m \"$(cat <<'EOF' | sed s/x/y/ && date\nit's a message\nEOF\n)\"; git push"],
  ['cat <<E; git status; git diff\nE\necho `cat <<F\nF\nls;pwd`'],
  ["awk '{print $1}' f | sort -u"],
  ['for f in *.ts; do echo "$f"; done'],
  ['diff <(sort a) <(sort b)'],
  ['make 2>&1 | tail -5'],
  ['echo $((1 + 2)) `date`'],
  ['jq ".a[] | select(.b > 1)" f.json'],
  ['[[ -f x && $y == z* ]] || exit 1'],
  ["cat <<'EOF' > out\n$(not run)\nEOF"],
  ['X=1 Y=2 make -j4'],
  ['# a comment with $(x)\nls'],
])('the everyday command %j is accepted', (text) => {
  expect(parseCommand(text)).toEqual(expect.objectContaining({ ok: true }));
});

test.each([
  ['git log', ['git', 'log']],
  ['g""it \'a b\'', ['git', 'a b']],
  ['git log;', ['git', 'log']],
  ['git $X', undefined],
  ['git *', undefined],
  ['git > x', undefined],
  ['a && b', undefined],
  ['A=1 git', undefined],
  ['git &', undefined],
])('the plain words of %j', (text, words) => {
  expect(plainWords(text)).toEqual(words);
});
