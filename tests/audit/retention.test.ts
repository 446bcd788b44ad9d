/** Retention: off unless settings say so; only whole chains that have ended; on record before; no fault for a check. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHANNEL_DEFAULTS, type ChannelSettings } from '../../src/audit/channel-settings.ts';
import { openChain } from '../../src/audit/open-chain.ts';
import { listSegments, listWriters, readRecords } from '../../src/audit/read.ts';
import type { Trail } from '../../src/audit/trail.ts';
import { verifyAll } from '../../src/audit/verify.ts';
import { ownIdentity } from '../../src/lib/proc.ts';
import { makeWorkspace } from '../support/hookd.ts';
import { play, text } from '../support/in-process.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DEAD = { ...ownIdentity(), pid: 1, startTime: '1' };
const freshAudit = () => join(mkdtempSync(join(tmpdir(), 'hookd-retention-')), 'audit');

function start(audit: string, writer: string, process = ownIdentity()): Promise<Trail> {
  return openChain(audit, { writer, version: '0', node: 'v20', mode: 'foreground', process });
}

async function endedChain(audit: string, writer: string, ageDays = 0): Promise<void> {
  const trail = await start(audit, writer);
  trail.record('daemon_stopped', { reason: 'end' });
  await trail.close();
  const time = new Date(Date.now() - ageDays * DAY_MS);
  for (const { path } of listSegments(join(audit, writer))) utimesSync(path, time, time);
}

/** A chain of now with these settings, after its first barrier. */
async function retain(audit: string, settings: Partial<ChannelSettings>, writer = 'z'): Promise<Trail> {
  const trail = await start(audit, writer);
  trail.configure({ ...CHANNEL_DEFAULTS, ...settings });
  await trail.durable();
  return trail;
}

const removals = (trail: Trail) =>
  [...readRecords(trail.head.file)].filter(({ kind }) => kind === 'chain_removed');
const problems = (audit: string) => verifyAll(audit).flatMap(({ problem }) => problem ?? []);

it('without a word in the settings nothing is ever removed', async () => {
  const audit = freshAudit();
  for (const writer of ['a', 'b']) await endedChain(audit, writer, 10_000);
  await retain(audit, {});
  expect(listWriters(audit)).toEqual(['a', 'b', 'z']);
});

it('by count the oldest go, by age those that ended long ago; each is on record with its last hash', async () => {
  const audit = freshAudit();
  for (const [writer, age] of [
    ['a', 0],
    ['b', 20],
    ['c', 0],
    ['d', 0],
  ] as const)
    await endedChain(audit, writer, age);
  const ends = new Map(verifyAll(audit).map(({ writer, head, records }) => [writer, { head, records }]));
  const trail = await retain(audit, { keepChains: 4, keepDays: 7 });
  expect(listWriters(audit)).toEqual(['c', 'd', 'z']);
  expect(
    removals(trail).map(({ of_writer, reason, last_hash, last_seq, files }) => {
      return { of_writer, reason, last_hash, last_seq, files };
    }),
  ).toEqual(
    [
      ['a', 'count'],
      ['b', 'age'],
    ].map(([of_writer = '', reason]) => ({
      ...{ of_writer, reason, files: 1 },
      last_hash: ends.get(of_writer)?.head,
      last_seq: ends.get(of_writer)?.records,
    })),
  );
  expect(problems(audit)).toEqual([]);
  const notes = verifyAll(audit).flatMap((report) => report.notes);
  expect(notes).toContainEqual(expect.stringMatching(/a: removed by retention \(count\): z says so/));
  expect(readdirSync(audit)).toEqual(['c', 'd', 'z']);
});

it('what somebody else takes away is a fault all the same', async () => {
  const audit = freshAudit();
  for (const writer of ['a', 'b', 'c']) await endedChain(audit, writer);
  await retain(audit, { keepChains: 3 });
  rmSync(join(audit, 'b'), { recursive: true });
  expect(problems(audit)).toMatchObject([{ message: expect.stringContaining('is missing') }]);
});

describe('a chain stays', () => {
  it('whose writer lives, or may live', async () => {
    const audit = freshAudit();
    await start(audit, 'a');
    await start(audit, 'b', { ...ownIdentity(), pidNamespace: 'pid:[1]' });
    await endedChain(audit, 'c');
    await retain(audit, { keepChains: 1 });
    expect(listWriters(audit)).toEqual(['a', 'b', 'z']);
  });

  it('that was killed, until a start has said what it left open', async () => {
    const audit = freshAudit();
    await start(audit, 'a', DEAD);
    writeFileSync(join(audit, 'a', 'closed-by'), 'nobody\n');
    await retain(audit, { keepChains: 1 });
    // This start itself has said so.
    expect(listWriters(audit)).toEqual(['z']);
    expect(problems(audit)).toEqual([]);
  });

  it('of which a required sink may lack something', async () => {
    const audit = freshAudit();
    const copy = { type: 'file', path: join(audit, '..', 'copy.jsonl'), required: true } as const;
    const run = { cwd: '/', env: {} };
    await endedChain(audit, 'a');
    const sunk = await start(audit, 'b');
    sunk.configure({ ...CHANNEL_DEFAULTS, sinks: [copy] }, run);
    sunk.record('daemon_stopped', { reason: 'end' });
    await sunk.close();
    const trail = await start(audit, 'z');
    trail.configure({ ...CHANNEL_DEFAULTS, keepChains: 1, sinks: [copy] }, run);
    await trail.durable();
    expect(listWriters(audit)).toEqual(['a', 'z']);
    trail.configure({ ...CHANNEL_DEFAULTS, keepChains: 1 }, run);
    await trail.durable();
    expect(listWriters(audit)).toEqual(['z']);
    await trail.close();
    expect(problems(audit)).toEqual([]);
  });
});

it('run after run with three chains kept, every check is sound, in hookd and in Python', async () => {
  const workspace = makeWorkspace({ settings: { audit: { keepChains: 3 } } });
  const audit = join(workspace.home, 'audit');
  for (let run = 1; run <= 7; run++) {
    await play([[text('ok')]], { workspace });
    expect(listWriters(audit)).toHaveLength(Math.min(run, 3));
    expect({ run, problems: problems(audit) }).toEqual({ run, problems: [] });
  }
  const script = resolve(import.meta.dirname, '../../scripts/verify-audit.py');
  expect(execFileSync('python3', [script, audit], { encoding: 'utf8' })).toMatch(/3 chains, all sound/);
});
