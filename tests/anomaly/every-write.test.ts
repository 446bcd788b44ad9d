/** The k-th write or sync of the audit fails, for every k of a session: no effect without its permit on the disk. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { Segment } from '../../src/audit/segment.ts';
import { verifyAll } from '../../src/audit/verify.ts';
import { HookdError } from '../../src/core/errors.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import { auditRecords, makeWorkspace, type Workspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const CALLS = 3;
const SETTINGS = { settings: { permissions: { allow: ['Bash(touch:*)'] } } };
const TURNS = [
  ...Array.from({ length: CALLS }, (_, n) => [toolUse('Bash', { command: `touch mark-${n}` })]),
  [text('ok')],
];
const FULL = new HookdError('AUDIT_UNAVAILABLE', 'The audit log cannot write: ENOSPC.');

afterEach(() => {
  vi.restoreAllMocks();
});

const marksOf = (workspace: Workspace) =>
  readdirSync(workspace.project).filter((name) => name.startsWith('mark-'));

function permitsOf(workspace: Workspace): number {
  return auditRecords(workspace).filter(
    (record) => record.kind === 'permission' && record['decision'] === 'allow',
  ).length;
}

/** How often a whole session writes and syncs. */
async function counted(method: 'append' | 'sync'): Promise<number> {
  const spy = vi.spyOn(Segment.prototype, method);
  await play(TURNS, SETTINGS);
  const count = spy.mock.calls.length;
  spy.mockRestore();
  return count;
}

function failAt(method: 'append' | 'sync', k: number, forEver: boolean): void {
  const original = Segment.prototype[method] as (...args: unknown[]) => unknown;
  let n = 0;
  vi.spyOn(Segment.prototype, method).mockImplementation(function (this: Segment, ...args: unknown[]) {
    n += 1;
    if (n === k || (forEver && n > k)) throw FULL;
    return Reflect.apply(original, this, args) as never;
  });
}

it.each([
  ['append', false],
  ['append', true],
  ['sync', false],
  ['sync', true],
] as const)(
  '%s fails once or for ever (%s): marks never outnumber durable permits, and what is left verifies',
  async (method, forEver) => {
    const total = await counted(method);
    expect(total).toBeGreaterThan(CALLS);
    let stopped = 0;
    for (let k = 1; k <= total; k++) {
      const workspace = makeWorkspace(SETTINGS);
      failAt(method, k, forEver);
      const outcome = await play(TURNS, { workspace }).then(
        () => 'played',
        (error: unknown) => (error instanceof HookdError ? error.code : String(error)),
      );
      vi.restoreAllMocks();
      // A single failure may be one that the session never needed: a later barrier wrote everything again.
      expect(['played', 'AUDIT_UNAVAILABLE']).toContain(outcome);
      if (outcome !== 'played') stopped += 1;
      expect(permitsOf(workspace)).toBeGreaterThanOrEqual(marksOf(workspace).length);
      await (await Daemon.open({ env: workspace.env })).close('a later start');
      const problems = verifyAll(join(workspace.home, 'audit')).map(({ problem }) => problem?.message);
      expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    }
    expect(stopped).toBeGreaterThan(total / 2);
  },
);
