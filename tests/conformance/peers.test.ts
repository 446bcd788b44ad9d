import { afterAll, expect, test } from 'vitest';
import { PEERS } from './peer-table.ts';
import { Sandbox } from './rows.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.remove());

const SECRET =
  'what a file of the workspace holds is a matter of rules, not of the command: the example settings deny such files';

/** Where hookd is looser than the second opinion, and why that is right. By project and row. */
const EXPLAINED: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'codex-command-safety': { 9: 'tac only reads; Codex knows it to be safe on other systems' },
  'nah-corpus': { 756: SECRET, 761: SECRET, 762: SECRET, 806: SECRET, 807: SECRET, 816: SECRET, 817: SECRET },
};

// Some seconds of work, and more on a busy machine.
test.each(Object.entries(PEERS))(
  '%s: nowhere looser without a reason',
  { timeout: 120_000 },
  (name, play) => {
    const rows = play(sandbox);
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter(({ verdict }) => verdict === 'agree').length).toBeGreaterThan(20);
    const looser = rows.filter(({ verdict }) => verdict === 'looser');
    const explained = EXPLAINED[name] ?? {};
    expect(looser.filter(({ row }) => explained[row] === undefined)).toEqual([]);
    // A reason that is not needed any more goes.
    expect(Object.keys(explained)).toEqual(looser.map(({ row }) => String(row)));
  },
);

test('every way that Codex reads a plain command is ours', () => {
  const differing = PEERS['codex-shell-parse']?.(sandbox).filter(({ verdict }) => verdict !== 'agree');
  expect(differing).toEqual([]);
});
