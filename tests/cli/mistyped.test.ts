/** A mistyped command is not sent to the model. */
import { describe, expect, test } from 'vitest';
import { COMMANDS, refuseMistyped } from '../../src/cli/mistyped.ts';
import { hookd, makeWorkspace } from '../support/hookd.ts';

describe('a single word that is nearly a command', () => {
  test.each([
    ['statsu', '"hookd daemon status"'],
    ['status', '"hookd daemon status"'],
    ['setings', '"hookd settings"'],
    ['list', '"hookd approvals list" or "hookd sessions list" or "hookd hooks list"'],
    ['help', '"hookd --help"'],
  ])('%s is refused, with what was meant', (word, meant) => {
    expect(() => refuseMistyped([word])).toThrow(`Did you mean ${meant}? As a prompt: hookd -- ${word}`);
  });

  test.each([
    [['hello']],
    [['fix it']],
    [['status please']],
    [['statsu', 'x']],
    [[]],
    [['hi']],
    [['continue']],
  ])('%j is a prompt', (words) => expect(() => refuseMistyped(words)).not.toThrow());

  test('is refused by the command line, unless it stands behind two dashes', async () => {
    const workspace = makeWorkspace();
    const refused = await hookd(workspace, ['statsu']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('hookd daemon status') });
    expect((await hookd(workspace, ['--', 'statsu'])).stderr).not.toContain('There is no command');
  });
});

test('every command and sub-command is known', async () => {
  const workspace = makeWorkspace();
  const namesIn = async (prefix: readonly string[]) => {
    const { stdout } = await hookd(workspace, [...prefix, '--help']);
    const names = stdout.matchAll(new RegExp(`^ {2}${['hookd', ...prefix].join(' ')} ([a-z]+)`, 'gm'));
    return [...names].map(([, name = '']) => name).sort();
  };
  expect(await namesIn([])).toEqual(Object.keys(COMMANDS).sort());
  for (const [command, subs] of Object.entries(COMMANDS))
    if (subs.length > 0) expect(await namesIn([command])).toEqual([...subs].sort());
});
