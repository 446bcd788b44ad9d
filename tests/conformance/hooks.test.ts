/** A part of the cases in hooks.json, played against the built hookd; scripts/conformance.ts plays them all. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareCase, type HookCase, playCase } from './hook-cases.ts';
import { EXCUSES } from './hook-excuses.ts';

const file = join(import.meta.dirname, 'hooks.json');
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly HookCase[] };

/** Quick ones, of every area. */
const PLAYED = [
  ['po-block-then-loop', 'a PostToolUse hook that objects each time'],
  ['pre-exit-2', 'exit 2 refuses a call'],
  ['pre-exit-3', 'exit 3 refuses nothing'],
  ['post-exit-2', 'exit 2 after a call is feedback'],
  ['UserPromptSubmit-exit-2', 'exit 2 refuses a prompt'],
  ['SessionStart-exit-0', 'what SessionStart prints'],
  ['onfail-pre-127', 'onFailure block, and a missing program'],
  ['j-allow', 'an allow'],
  ['j-deny', 'a denial'],
  ['j-ask', 'a question, and nobody there'],
  ['j-upd-partial', 'a rewrite replaces the whole input'],
  ['j-upd-bad', 'a rewrite that does not fit'],
  ['j-exit2-allow', 'an allow beside exit 2'],
  ['ups-block-noreason', 'a refused prompt without a reason'],
  ['pr-allowupd', 'a PermissionRequest hook that allows another input'],
  ['pr-denyint', 'a PermissionRequest hook that ends the turn'],
  ['m-prec-allow-deny', 'a denial beside an allow'],
  ['m-contfalse-plus-deny', 'a stop beside a denial'],
  ['if-malformed', 'a condition, and a command that cannot be parsed'],
  ['p-args', 'a handler without a shell'],
  ['h-deny', 'an http hook'],
  ['p-space-quoted', 'a project with blanks in its path'],
  ['x-upd-into-deny', 'a rewrite into what a rule denies'],
  ['stop-block', 'a Stop hook that sends the model on'],
  ['stop-contfalse', 'a Stop hook that ends the turn'],
  ['sec-proj-env', 'a project that sets PATH'],
  ['u-wrongtype', 'an input of the wrong type'],
] as const;

describe('Claude Code does the same', () => {
  test.concurrent.each(PLAYED)('%s: %s', { timeout: 60_000 }, async (id) => {
    const one = cases.find((known) => known.id === id);
    if (one === undefined) throw new Error(`hooks.json has no case ${id}`);
    const seen = await playCase(one);
    expect(compareCase(one, seen), seen.stderr).toEqual([]);
  });
});

describe('what differs', () => {
  test('is excused by the name of a case, with a reason', () => {
    const known = new Set(cases.map(({ id }) => id));
    expect(Object.keys(EXCUSES).filter((id) => !known.has(id))).toEqual([]);
    expect(Object.values(EXCUSES).filter(({ why }) => why.trim().length < 3)).toEqual([]);
  });

  test('is nothing that is played here', () => {
    expect(PLAYED.filter(([id]) => id in EXCUSES)).toEqual([]);
  });
});
