/** A chain goes on in a new file: by size, by day; every reader follows, and a failure there is one of the writer's. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../src/audit/chain.ts';
import { CHANNEL_DEFAULTS } from '../../src/audit/channel-settings.ts';
import { lookAtOtherChains } from '../../src/audit/recovery.ts';
import { Trail } from '../../src/audit/trail.ts';
import { verifyAll, verifyFile } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { always, first, withFaults } from './faults.ts';

/** The time of the writer is what the test says. */
function chain(settings: Partial<typeof CHANNEL_DEFAULTS> = {}) {
  const audit = join(mkdtempSync(join(tmpdir(), 'hookd-rotation-')), 'audit');
  const directory = join(audit, 'w');
  const clock = { now: new Date('2026-03-01T23:59:58.000Z') };
  const writer = AuditWriter.create(directory, () => clock.now);
  writer.settings = { ...CHANNEL_DEFAULTS, ...settings };
  return { audit, directory, clock, writer, trail: new Trail(writer) };
}

function segmentsOf(directory: string): readonly (readonly StoredRecord[])[] {
  return readdirSync(directory)
    .sort()
    .map((name) =>
      readFileSync(join(directory, name), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as StoredRecord),
    );
}

const kinds = (records: readonly StoredRecord[] | undefined) => records?.map(({ kind }) => kind);
const prompt = (trail: Trail, text: string) => trail.record('prompt', { text });

describe('a segment that has its size', () => {
  it('is left: the next begins with the hash of its last record, and nothing is repeated', async () => {
    const { audit, directory, trail } = chain({ rotateBytes: 1000 });
    for (const text of ['a', 'b']) prompt(trail, text.repeat(600));
    prompt(trail, 'c');
    await trail.close();
    const [one, two, three] = segmentsOf(directory);
    expect([kinds(one), kinds(two), kinds(three)]).toEqual([
      ['prompt', 'prompt'],
      ['segment_rotated', 'prompt'],
      undefined,
    ]);
    expect(two?.[0]).toMatchObject({
      seq: 3,
      prev: one?.[1]?.hash,
      reason: 'size',
      after: one?.[1]?.hash,
      previous: '000001.jsonl',
    });
    expect(verifyAll(audit)).toMatchObject([{ problem: undefined, records: 4, segments: 2, notes: [] }]);
  });

  it('can be checked by itself, and its absence is seen', async () => {
    const { audit, directory, trail } = chain({ rotateBytes: 300 });
    for (let n = 0; n < 6; n++) prompt(trail, 'x'.repeat(300));
    await trail.close();
    expect(verifyFile(join(directory, '000003.jsonl'))).toMatchObject({ problem: undefined, records: 2 });
    rmSync(join(directory, '000002.jsonl'));
    expect(verifyAll(audit)[0]?.problem).toMatchObject({ message: 'is missing' });
  });

  it('keeps calls open over the end of the file: a restart finds the permit in the one, the result in the other', async () => {
    const { audit, trail } = chain({ rotateBytes: 300 });
    for (const id of ['a', 'b'])
      trail.record('permission', {
        call: { id, tool: { name: 'Bash' } },
        decision: { behavior: 'allow' },
        policy: '',
      } as never);
    trail.record('tool_result', { id: 'a', outcome: 'ok', text: 'x'.repeat(300) } as never);
    trail.record('daemon_stopped', { reason: 'end' });
    await trail.close();
    const { outcomes } = lookAtOtherChains(audit, 'other');
    expect(outcomes.map(({ id }) => id)).toEqual(['b']);
  });
});

it('a new day begins a new file, unless the settings say otherwise', async () => {
  for (const [rotateDaily, files] of [
    [true, 2],
    [false, 1],
  ] as const) {
    const { audit, directory, clock, trail } = chain({ rotateDaily });
    prompt(trail, 'late');
    clock.now = new Date('2026-03-01T23:59:59.999Z');
    prompt(trail, 'later');
    clock.now = new Date('2026-03-02T00:00:00.000Z');
    prompt(trail, 'early');
    await trail.close();
    const segments = segmentsOf(directory);
    expect(segments).toHaveLength(files);
    if (rotateDaily) expect(kinds(segments[1])).toEqual(['segment_rotated', 'prompt']);
    expect(verifyAll(audit)[0]?.problem).toBeUndefined();
  }
});

describe('where the new file cannot be begun', () => {
  it('the record is refused and the old file stays in use; the next record tries again', async () => {
    const { audit, directory, trail } = chain({ rotateBytes: 1500 });
    prompt(trail, 'x'.repeat(1500));
    await withFaults({ openSync: (path) => String(path).endsWith('.jsonl') }, 'EACCES', () => {
      for (let attempt = 0; attempt < 2; attempt++)
        expect(() => prompt(trail, 'refused')).toThrow(/AUDIT_UNAVAILABLE|EACCES/);
    });
    expect(readdirSync(directory)).toEqual(['000001.jsonl']);
    prompt(trail, 'again');
    await trail.close();
    expect(
      segmentsOf(directory)
        .flat()
        .map((record) => record['text']),
    ).not.toContain('refused');
    expect(verifyAll(audit)[0]).toMatchObject({ problem: undefined, segments: 2, records: 3, notes: [] });
  });

  it.each([
    ['its first record', { writeSync: first(1) }, 2],
    ['the file itself, which then cannot be taken back', { fsyncSync: first(1), rmSync: always }, 2],
  ] as const)('because of %s, the chain goes on in the one after it', async (_, faults, records) => {
    const { audit, directory, trail } = chain({ rotateBytes: 1500 });
    prompt(trail, 'x'.repeat(1500));
    await withFaults({ ...faults }, 'ENOSPC', () => {
      expect(() => prompt(trail, 'refused')).toThrow(/ENOSPC/);
    });
    prompt(trail, 'again');
    await trail.close();
    expect(readdirSync(directory)).toEqual(['000001.jsonl', '000002.jsonl', '000003.jsonl']);
    expect(segmentsOf(directory).at(-1)).toHaveLength(records);
    expect(verifyAll(audit)[0]).toMatchObject({ problem: undefined, records: 3 });
  });

  it('because the old one cannot be made durable, that counts as its failure', async () => {
    const { audit, directory, trail } = chain({ rotateBytes: 1500 });
    prompt(trail, 'x'.repeat(1500));
    await withFaults({ fdatasyncSync: first(1) }, 'EIO', () => {
      expect(() => prompt(trail, 'refused')).toThrow(/EIO/);
    });
    prompt(trail, 'again');
    await trail.close();
    expect(kinds(segmentsOf(directory)[1])).toEqual(['segment_started', 'prompt']);
    expect(verifyAll(audit)[0]?.problem).toBeUndefined();
  });
});

it('a file that fails just after it was begun is left, and what it held is repeated', async () => {
  const { audit, directory, trail } = chain({ rotateBytes: 1500 });
  prompt(trail, 'x'.repeat(1500));
  prompt(trail, 'b');
  await withFaults({ writeSync: first(1) }, 'ENOSPC', () => {
    expect(() => prompt(trail, 'c')).toThrow(/ENOSPC/);
  });
  prompt(trail, 'd');
  await trail.close();
  expect(kinds(segmentsOf(directory)[2])).toEqual(['segment_started', 'segment_rotated', 'prompt', 'prompt']);
  expect(verifyAll(audit)[0]).toMatchObject({ problem: undefined, segments: 3 });
});

it('a checkpoint holds the count and the head of the records before it', async () => {
  const { audit, directory, trail } = chain({ checkpointEvery: 3 });
  for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) prompt(trail, text);
  await trail.close();
  const records = segmentsOf(directory).flat();
  const checkpoints = records.filter(({ kind }) => kind === 'checkpoint');
  expect(checkpoints.map(({ seq, count, head }) => ({ seq, count, head }))).toEqual(
    [3, 7].map((count) => ({ seq: count + 1, count, head: records[count - 1]?.hash })),
  );
  expect(verifyAll(audit, String(checkpoints[1]?.['head']))[0]).toMatchObject({
    problem: undefined,
    holdsHead: true,
  });
});

describe('records that no barrier waits for', () => {
  it('do not gather in memory: after some thousand the next one waits for the disk', async () => {
    const { audit, trail } = chain();
    let syncs = 0;
    await withFaults(
      {
        fdatasyncSync: () => {
          syncs += 1;
          return false;
        },
      },
      'EIO',
      () => {
        for (let n = 0; n < 10_000; n++) prompt(trail, 'x');
      },
    );
    expect(syncs).toBe(2);
    await trail.close();
    expect(verifyAll(audit)[0]).toMatchObject({ problem: undefined, segments: 1 });
  });

  it('are refused while the disk takes nothing', async () => {
    const { audit, writer, trail } = chain();
    prompt(trail, 'x');
    const waiting = writer.durable();
    const flood = () => {
      for (let n = 0; n < 50_000; n++) prompt(trail, 'y');
    };
    expect(flood).toThrow(/AUDIT_UNAVAILABLE|has not taken the last \d+ records/);
    await waiting;
    prompt(trail, 'z');
    await trail.close();
    expect(verifyAll(audit)[0]?.problem).toBeUndefined();
  });
});
