/** What a trail writes besides the value itself. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoredRecord } from '../../src/audit/chain.ts';
import type { Judgement } from '../../src/audit/record-values.ts';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import type { SessionId, ToolUseId } from '../../src/core/vocabulary.ts';

const id = 'toolu_1' as ToolUseId;
const session = 'session' as SessionId;
const permitOf = (id: ToolUseId, behavior: 'allow' | 'deny' = 'allow') =>
  ({ call: { id, tool: { name: 'Bash' } }, decision: { behavior }, policy: '' }) as unknown as Judgement;

function freshTrail(): Trail {
  return new Trail(AuditWriter.create(join(mkdtempSync(join(tmpdir(), 'hookd-trail-')), 'audit', 'w')));
}

function recordsOf(trail: Trail): readonly StoredRecord[] {
  const lines = readFileSync(trail.head.file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as StoredRecord);
}

it('the last record of a chain says how many permits have no result', () => {
  const trail = freshTrail();
  const turn = trail.forSession(session).forTurn(1);
  for (const name of ['a', 'b', 'c']) turn.record('permission', permitOf(name as ToolUseId));
  turn.record('permission', permitOf('d' as ToolUseId, 'deny'));
  turn.record('tool_result', { id: 'b' as ToolUseId, outcome: 'ok', text: '' });
  // The same id in another session is another call.
  trail
    .forSession('other' as SessionId)
    .record('tool_result', { id: 'a' as ToolUseId, outcome: 'ok', text: '' });
  trail.record('daemon_stopped', { reason: 'end' });
  expect(recordsOf(trail).at(-1)).toMatchObject({ kind: 'daemon_stopped', open_intents: 2 });
});

it('a result that could not be recorded leaves its permit open', () => {
  const trail = freshTrail();
  trail.record('permission', permitOf(id));
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  expect(() =>
    trail.record('tool_result', { id, outcome: 'ok', text: cyclic as unknown as string }),
  ).toThrow();
  trail.record('daemon_stopped', { reason: 'end' });
  expect(recordsOf(trail).at(-1)).toMatchObject({ open_intents: 1 });
});

it('a command of the largest size that Linux runs is on record whole', () => {
  const trail = freshTrail();
  const command = `echo ${'x'.repeat(131_000)}`;
  trail.record('tool_use', { id, name: 'Bash', input: { command } });
  expect(recordsOf(trail)[0]?.['input']).toEqual({ command });
});

it('settings are on record whole, up to the largest file that is read', () => {
  const trail = freshTrail();
  const text = `{"comment":"${'ä'.repeat(1024 * 1024 - 50)}"}`;
  const sources = [{ scope: 'user', path: '/s', sha256: '', text }];
  trail.record('settings_loaded', { digest: 'd', sources, warnings: [] });
  expect(recordsOf(trail)[0]?.['sources']).toEqual(sources);
});

it('ids and sessions go through the same masking as every other field, and stay short', () => {
  const trail = freshTrail();
  const token = `ghp_${'aB3'.repeat(12)}`;
  const within = trail.forSession(`s-${token}` as SessionId);
  within.record('tool_result', { id: `${token}${'!'.repeat(5000)}` as ToolUseId, outcome: 'ok', text: '' });
  const [record] = recordsOf(trail);
  expect(JSON.stringify(record)).not.toContain(token);
  expect(record?.session).toMatch(/^s-\[REDACTED:github-token:[0-9a-f]{8}\]$/);
  expect(record?.tool_use_id?.length).toBeLessThanOrEqual(256);
});

it('configured credentials are masked in all records of the chain, those of sessions too', () => {
  const trail = freshTrail();
  const within = trail.forSession(session);
  trail.maskSecrets(['hunter2-hunter2']);
  within.maskSecrets(['another-one']);
  within.record('prompt', { text: 'my key is hunter2-hunter2' });
  expect(recordsOf(trail)[0]?.['text']).toMatch(/^my key is \[REDACTED:credential:[0-9a-f]{8}\]$/);
});

it('a barrier waits for what is done beside it, and for what an act needs; who acts sees both', async () => {
  const trail = freshTrail();
  const within = trail.forSession(session);
  const done: string[] = [];
  within.besides(() => done.push('beside'));
  within.forTurn(1).record('tool_use', { id, name: 'Bash', input: {} });
  await within.forTurn(1).readyToAct(() => done.push('prepared'));
  expect(done).toEqual(['beside', 'prepared']);
  // Nothing is left to be synced.
  await within.durable();
  // Another session's work is no part of it.
  await trail.forSession('other' as SessionId).durable();
  expect(done).toEqual(['beside', 'prepared', 'beside']);
});

it('an act that cannot be prepared does not pass the barrier', async () => {
  const trail = freshTrail();
  const fail = () => {
    throw new Error('no bytes');
  };
  await expect(trail.readyToAct(fail)).rejects.toThrow('no bytes');
  await trail.close();
  await expect(trail.readyToAct(() => undefined)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
});
