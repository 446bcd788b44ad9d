/** The quick reading of plain rules says what the grammar says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
