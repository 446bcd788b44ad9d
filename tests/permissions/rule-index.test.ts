/** An index only saves work: with it and without, the same rule decides, on rows of the conformance table. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolCall } from '../../src/core/vocabulary.ts';
import { decide, type Permissions } from '../../src/permissions/decide.ts';
import { parseRule } from '../../src/permissions/rule.ts';
import { keysOfPath, RuleIndex } from '../../src/permissions/rule-index.ts';
import type { RuleList } from '../../src/permissions/rule-set.ts';
import { type Row, rowsIn } from '../conformance/rows.ts';
import { bash, edit, FILES, glob, permissionsOf, type RuleTexts, read, WORKPLACE, write } from './scene.ts';

const rows = rowsIn(readFileSync(join(import.meta.dirname, '../conformance/permissions.jsonl'), 'utf8'));

const placed = (text: string): string =>
  text.replaceAll('$PROJ', WORKPLACE.project).replaceAll('$HOME', WORKPLACE.home).replaceAll('$OUT', '/out');

function callOf({ tool, input }: Row): ToolCall | undefined {
  const { command, file_path: path } = input;
  if (tool === 'Bash' && typeof command === 'string') return bash(placed(command));
  const make = { Read: read, Write: write, Edit: edit, Glob: glob }[tool];
  return make === undefined || typeof path !== 'string'
    ? undefined
    : make(resolve(WORKPLACE.cwd, placed(path)));
}

const LISTS = ['allow', 'ask', 'deny'] as const;

/** The rules of a row that can be read. */
function rulesOfRow({ rules = {} }: Row): RuleTexts {
  return Object.fromEntries(
    LISTS.map((list) => [
      list,
      (rules[list] ?? []).flatMap((text) => {
        if (typeof text !== 'string') return [];
        const source = { text, list, file: '', line: 1, column: 1 };
        return parseRule(placed(text), source, WORKPLACE.project).ok ? [placed(text)] : [];
      }),
    ]),
  );
}

function unindexed(permissions: Permissions): Permissions {
  const every = (list: RuleList): RuleList => ({
    ...list,
    index: {
      commands: new RuleIndex(list.commands, () => undefined),
      paths: new RuleIndex(list.paths, () => undefined),
      parameters: new RuleIndex(list.parameters, () => undefined),
    },
  });
  const { allow, ask, deny } = permissions.rules;
  return { ...permissions, rules: { allow: every(allow), ask: every(ask), deny: every(deny) } };
}

test('each row is decided by the same rule with the index and without', () => {
  let byRule = 0;
  for (const row of rows.filter((_, at) => at % 6 === 0)) {
    const call = callOf(row);
    if (call === undefined) continue;
    const permissions = permissionsOf(rulesOfRow(row));
    const indexed = decide({ permissions, call, files: FILES });
    expect(indexed, row.id).toEqual(decide({ permissions: unindexed(permissions), call, files: FILES }));
    if (indexed.cause.kind === 'rule') byRule++;
  }
  expect(byRule).toBeGreaterThan(60);
});

test('of many rules that fit the same one is named, the first in the list', () => {
  const together: Record<(typeof LISTS)[number], string[]> = { allow: [], ask: [], deny: [] };
  for (const row of rows.filter((_, at) => at % 12 === 0)) {
    const rules = rulesOfRow(row);
    // Rules for whole tools would decide everything.
    for (const list of LISTS)
      together[list].push(...(rules[list] ?? []).filter((text) => /\([^*]/.test(text)));
  }
  const permissions = permissionsOf(together);
  expect(permissions.rules.deny.commands.length).toBeGreaterThan(30);
  const plain = unindexed(permissions);
  for (const row of rows.filter((_, at) => at % 40 === 0)) {
    const call = callOf(row);
    if (call === undefined) continue;
    expect(decide({ permissions, call, files: FILES }), row.id).toEqual(
      decide({ permissions: plain, call, files: FILES }),
    );
  }
});

test('a path that no rule can fit is told by its segments, in any case, with blanks at its end or without', () => {
  const index = new RuleIndex(['src', 'a.ts'], (rule) => [rule]);
  const paths = [
    '/',
    '/src',
    '/w/SRC/x',
    '/w/x/A.ts',
    '/w/a.ts  ',
    '/w/a.ts /x',
    '/w/src ',
    '/w/x',
    'src',
    ' ',
  ];
  const told = paths.map((path) => index.mayFitPath(path));
  expect(told).toEqual(paths.map((path) => index.candidates(keysOfPath(path)).length > 0));
  expect(told.filter((may) => may)).toHaveLength(6);
});
