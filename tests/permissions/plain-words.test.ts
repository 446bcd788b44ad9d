/** The quick reading of plain rules says what the grammar says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analyseByGrammar, analyseCommand } from '../../src/permissions/shell/commands.ts';
import { parsedWords, plainWords } from '../../src/permissions/shell/parse.ts';

const data = (name: string) => readFileSync(join(import.meta.dirname, '..', 'conformance', name), 'utf8');

function texts(): readonly string[] {
  const rows = data('permissions.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { input: { command?: unknown }; rules?: Record<string, string[]> });
  const rules = rows.flatMap(({ rules = {} }) => Object.values(rules).flat());
  const contents = rules.flatMap((rule) => {
    const content = /^Bash\((.*)\)$/s.exec(rule)?.[1];
    return content === undefined ? [] : [content, content.replace(/(?::| )\*$/, '')];
  });
  const commands = rows.flatMap(({ input }) => (typeof input.command === 'string' ? [input.command] : []));
  const torture = JSON.parse(data('shell-torture.json')) as { items: { cmd: string }[] };
  const all = [...contents, ...commands, ...torture.items.map(({ cmd }) => cmd)];
  // The parser takes no longer ones; no rule is as long.
  return [...new Set(all)].filter((text) => text.length < 50_000);
}

/** Every pair of a first word and what may follow it. */
const firsts =
  'if then fi do done case esac for select in function time coproc while until a ! { } [[ a=b a:b %1 -- - + . : 1 @x'.split(
    ' ',
  );
const nexts = [
  '',
  ' ',
  ' a',
  ' -x',
  ' a=b',
  ' {a,b}',
  ' #a',
  ' !',
  ' }',
  ' a  b',
  '\n',
  ' &',
  ' ~',
  ' 2',
  ' 2>x',
  ':',
  '/b',
  ',b',
  '%b',
];

test('for rules, commands, and words that begin something else', () => {
  const all = [...texts(), ...firsts.flatMap((first) => nexts.map((next) => first + next))];
  const different = all.filter(
    (text) => JSON.stringify(plainWords(text)) !== JSON.stringify(parsedWords(text)),
  );
  expect(different).toEqual([]);
  expect(all.filter((text) => plainWords(text) !== undefined).length).toBeGreaterThan(200);
});

/** Builtins that change the shell for what follows, or evaluate a word; others for comparison. */
const CALLS =
  'cd a|cd|cd -|pushd ../b|popd|command cd a|builtin popd|-p cd a|export A|read a.b PATH|unset IFS|let a|printf -v PATH x|trap x EXIT|eval cd a|source cd|. a|alias a|exec a|wait -p x|getopts a b|test -v x|mapfile -C a|tool a|./cd a|echo cd'.split(
    '|',
  );

test('a text of nothing but words is taken apart as the grammar does it', () => {
  const start = { cwd: '/w/p', home: '/h', variables: new Map([['a', ['b']]]) };
  const all = [...texts(), ...CALLS, ...firsts.flatMap((first) => nexts.map((next) => first + next))];
  const asJson = (value: unknown): string => JSON.stringify(value);
  const different = all.filter(
    (text) =>
      text.length < 5000 && asJson(analyseCommand(text, start)) !== asJson(analyseByGrammar(text, start)),
  );
  expect(different).toEqual([]);
});
