/**
 * The k-th write, sync or rotation of the audit fails, once or for ever, for every k of a session of ten calls: no
 * effect without its permit on the disk, what is left verifies, and the session works again when writing does.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { Segment } from '../../src/audit/segment.ts';
import { verifyAll } from '../../src/audit/verify.ts';
import { HookdError } from '../../src/core/errors.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import { createScriptedModel } from '../../src/model/scripted.ts';
import { auditRecords, makeWorkspace, type Workspace } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

const CALLS = 10;
const FULL = new HookdError('AUDIT_UNAVAILABLE', 'The audit log cannot write: ENOSPC.');
type Method = 'append' | 'sync' | 'syncNow' | 'create';

afterEach(() => {
  vi.restoreAllMocks();
});

const rotates = (method: Method) => method === 'create' || method === 'syncNow';

/** Files of one MiB, and contents that fill one in a few calls: the session rotates. */
const settingsFor = (method: Method) => ({
  settings: { permissions: { allow: ['Write'] }, ...(rotates(method) ? { audit: { rotateSize: 1 } } : {}) },
});
const callsFor = (method: Method) =>
  Array.from({ length: CALLS }, (_, n) => [
    toolUse('Write', { file_path: `mark-${n}`, content: 'x'.repeat(rotates(method) ? 150_000 : 1) }),
  ]);

/** Plays ten calls; after a failure the file system works again and the same session gets one more prompt. */
async function session(method: Method, workspace: Workspace): Promise<{ first: string; second: string }> {
  const { env, project: startDirectory } = workspace;
  const daemon = await Daemon.open({ env });
  const opened = await daemon.startSession({
    startDirectory,
    flags: {},
    approvals: nobody,
    model: {
      model: createScriptedModel([...callsFor(method), ...Array(CALLS + 1).fill([text('ok')])]),
      name: 'scripted',
    },
    onEvent: () => {},
  });
  const prompt = () => opened.prompt('do it', new AbortController().signal);
  const first = await prompt().then(({ reason }) => reason, codeOf);
  vi.restoreAllMocks();
  const before = marksOf(workspace);
  const second = first === 'completed' ? first : await prompt().then(({ reason }) => reason, codeOf);
  expect(marksOf(workspace)).toBeGreaterThanOrEqual(before);
  await daemon.close('test');
  return { first, second };
}

const codeOf = (error: unknown) => (error instanceof HookdError ? error.code : String(error));
const marksOf = ({ project }: Workspace) =>
  readdirSync(project).filter((name) => name.startsWith('mark-')).length;

function permitsOf(workspace: Workspace): number {
  const permits = auditRecords(workspace).filter(
    (record) => record.kind === 'permission' && record['decision'] === 'allow',
  );
  return new Set(permits.map((record) => record.tool_use_id)).size;
}

const OWNERS: Readonly<Record<Method, object>> = {
  append: Segment.prototype,
  sync: Segment.prototype,
  syncNow: Segment.prototype,
  create: Segment,
};

/** Lets the calls fail for which `fails` holds, by their number from 1; returns how many there have been. */
function watch(method: Method, fails: (n: number) => boolean): () => number {
  const owner = OWNERS[method];
  const original = Reflect.get(owner, method) as (...args: unknown[]) => unknown;
  let n = 0;
  vi.spyOn(owner as Record<Method, () => unknown>, method).mockImplementation(function (
    this: unknown,
    ...args: unknown[]
  ) {
    n += 1;
    if (fails(n)) throw FULL;
    return Reflect.apply(original, this, args);
  });
  return () => n;
}

it.each([
  ['append', 'once'],
  ['append', 'for ever'],
  ['sync', 'once'],
  ['sync', 'for ever'],
  ['create', 'once'],
  ['create', 'for ever'],
  ['syncNow', 'once'],
] as const)(
  '%s fails %s',
  async (method, how) => {
    const count = watch(method, () => false);
    const undisturbed = makeWorkspace(settingsFor(method));
    expect(await session(method, undisturbed)).toEqual({ first: 'completed', second: 'completed' });
    const total = count();
    expect(total).toBeGreaterThan(rotates(method) ? 1 : CALLS);
    let stopped = 0;
    // The first ones are those of the start itself, before there is a session.
    // For ever is like once until the end of the session: a third of the places is enough there.
    for (let k = total; k >= 1; k -= how === 'once' ? 1 : 3) {
      const workspace = makeWorkspace(settingsFor(method));
      watch(method, (n) => n === k || (how === 'for ever' && n > k));
      const outcome = await session(method, workspace).catch((error: unknown) => ({
        first: codeOf(error),
        second: 'not started',
      }));
      vi.restoreAllMocks();
      // A single failure may be one that the session never needed: a later barrier wrote everything again.
      expect(['completed', 'AUDIT_UNAVAILABLE']).toContain(outcome.first);
      expect(['completed', 'not started']).toContain(outcome.second);
      if (outcome.first !== 'completed') stopped += 1;
      expect(permitsOf(workspace)).toBeGreaterThanOrEqual(marksOf(workspace));
      const later = await Daemon.open({ env: workspace.env });
      await later.close('a later start');
      const problems = verifyAll(join(workspace.home, 'audit')).flatMap(({ problem }) => problem ?? []);
      expect({ k, problems }).toEqual({ k, problems: [] });
    }
    expect(stopped).toBeGreaterThan(0);
  },
  120_000,
);
