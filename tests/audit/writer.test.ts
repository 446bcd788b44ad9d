/** The writer where the file system fails under it: no descriptor is closed twice or lost, no number is used up. */

/** The writer where the file system fails under it: no descriptor is closed twice or lost, no number is used up. */
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Segment } from '../../src/audit/segment.ts';
import { verifyAll } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { HookdError } from '../../src/core/errors.ts';
import { always, first, withFaults } from './faults.ts';

const FULL = new HookdError('AUDIT_UNAVAILABLE', 'The audit log cannot sync: EIO.');

const body = (kind: string) => JSON.stringify({ time: new Date().toISOString(), kind });
const openDescriptors = () => readdirSync('/proc/self/fd').length;

function chain() {
  const audit = join(mkdtempSync(join(tmpdir(), 'hookd-writer-')), 'audit');
  const directory = join(audit, 'w');
  return { audit, directory, writer: AuditWriter.create(directory) };
}

/** Writes a record that fails; the file is then left for a new one. */
async function breakFile(writer: AuditWriter): Promise<void> {
  await withFaults({ writeSync: first(1) }, 'ENOSPC', () => {
    expect(() => writer.append(body('x'))).toThrow(/ENOSPC/);
  });
}

const problemsOf = (audit: string) => verifyAll(audit).map(({ problem }) => problem);

/** A barrier whose sync has been given to the system, and has not ended for us. */
async function syncUnderWay(writer: AuditWriter): Promise<{ readonly barrier: Promise<void> }> {
  const sync = vi.spyOn(Segment.prototype, 'sync');
  const barrier = writer.durable();
  await new Promise((resolve) => process.nextTick(resolve));
  expect(sync).toHaveBeenCalledOnce();
  sync.mockRestore();
  return { barrier };
}

/** Closes a descriptor twice? Then the second time it may be somebody else's. */
async function closesOf(act: () => Promise<void>): Promise<readonly string[]> {
  const failed: string[] = [];
  const { closeSync } = fs;
  fs.closeSync = (fd) => {
    try {
      closeSync(fd);
    } catch (error) {
      failed.push(String(error));
      throw error;
    }
  };
  syncBuiltinESMExports();
  try {
    await act();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    fs.closeSync = closeSync;
    syncBuiltinESMExports();
  }
  return failed;
}

describe('a writer whose close fails', () => {
  it('closes no descriptor twice when it is closed again, and ends well once the disk does', async () => {
    const { audit, writer } = chain();
    writer.append(body('a'));
    const before = openDescriptors();
    const failed = await closesOf(async () => {
      const sync = vi.spyOn(Segment.prototype, 'sync').mockRejectedValue(FULL);
      await expect(writer.close()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
      await expect(writer.close()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
      sync.mockRestore();
      await writer.close();
      await writer.close();
    });
    expect(failed).toEqual([]);
    expect(openDescriptors()).toBe(before - 1);
    expect(problemsOf(audit)).toEqual([undefined]);
  });

  it('writes nothing under a descriptor number that is no longer its own', async () => {
    const { directory, writer } = chain();
    writer.append(body('a'));
    await writer.close();
    const other = join(directory, '..', 'other');
    const fd = openSync(other, 'w');
    expect(() => writer.append(body('late'))).toThrow(expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }));
    await expect(writer.durable()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    fs.closeSync(fd);
    expect(readFileSync(other, 'utf8')).toBe('');
  });

  it('waits with the descriptor for a sync that is under way', async () => {
    const { writer } = chain();
    writer.append(body('a'));
    const failed = await closesOf(async () => {
      const { barrier } = await syncUnderWay(writer);
      await breakFile(writer);
      writer.append(body('b'));
      await barrier;
      await writer.close();
    });
    expect(failed).toEqual([]);
  });
});

describe('a new segment that cannot be made', () => {
  it('leaves no descriptor and no file, and the next attempt succeeds', async () => {
    const { audit, directory, writer } = chain();
    writer.append(body('a'));
    await writer.durable();
    await breakFile(writer);
    const before = openDescriptors();
    await withFaults({ fsyncSync: first(2) }, 'EIO', () => {
      for (let attempt = 0; attempt < 2; attempt++) expect(() => writer.append(body('b'))).toThrow(/EIO/);
    });
    expect(openDescriptors()).toBe(before);
    expect(readdirSync(directory)).toEqual(['000001.jsonl']);
    writer.append(body('b'));
    await writer.close();
    expect(problemsOf(audit)).toEqual([undefined]);
  });

  it('is left out where it cannot be taken back', async () => {
    const { audit, directory, writer } = chain();
    writer.append(body('a'));
    await writer.durable();
    await breakFile(writer);
    await withFaults({ fsyncSync: first(1), rmSync: always }, 'EIO', () => {
      expect(() => writer.append(body('b'))).toThrow(/EIO/);
    });
    writer.append(body('b'));
    await writer.close();
    expect(readdirSync(directory)).toEqual(['000001.jsonl', '000002.jsonl', '000003.jsonl']);
    expect(problemsOf(audit)).toEqual([undefined]);
  });

  it('does not stop the chain where somebody else has taken its name', async () => {
    const { audit, directory, writer } = chain();
    writer.append(body('a'));
    await writer.durable();
    writeFileSync(join(directory, '000002.jsonl'), '');
    await breakFile(writer);
    writer.append(body('b'));
    await writer.close();
    expect(problemsOf(audit)).toEqual([undefined]);
  });
});

it.each([
  ['before its sync has begun', (writer: AuditWriter) => ({ barrier: writer.durable() })],
  ['while its sync is under way', syncUnderWay],
])('a barrier ends when the file fails under another call %s', async (_, begin) => {
  const { audit, writer } = chain();
  writer.append(body('a'));
  const { barrier } = await begin(writer);
  await breakFile(writer);
  // The new file fails too, in the middle of what it repeats.
  let writes = 0;
  await withFaults({ writeSync: () => ++writes === 2 }, 'ENOSPC', () => {
    expect(() => writer.append(body('b'))).toThrow(/ENOSPC/);
  });
  await barrier;
  await writer.close();
  expect(verifyAll(audit)[0]).toMatchObject({ problem: undefined, segments: 3 });
});

it('who records in the same moment shares one sync, and none is begun that lacks a record of theirs', async () => {
  const { writer } = chain();
  const sync = vi.spyOn(Segment.prototype, 'sync');
  const call = async (kind: string) => {
    for (let n = 0; n < 3; n++) {
      writer.append(body(kind));
      const { seq } = writer.head;
      await writer.durable();
      expect(writer.durableSeq).toBeGreaterThanOrEqual(seq);
    }
  };
  await Promise.all(['a', 'b', 'c', 'd'].map(call));
  expect(sync).toHaveBeenCalledTimes(3);
  sync.mockRestore();
  await writer.close();
});

it('a file that fails between a barrier and its sync is not synced any more', async () => {
  const { audit, directory, writer } = chain();
  writer.append(body('a'));
  const syncs: string[] = [];
  const { sync } = Segment.prototype;
  const spy = vi.spyOn(Segment.prototype, 'sync').mockImplementation(function (this: Segment) {
    syncs.push(this.path);
    return sync.call(this);
  });
  const barrier = writer.durable();
  await breakFile(writer);
  await barrier;
  spy.mockRestore();
  await writer.close();
  expect(syncs).toEqual([join(directory, '000002.jsonl')]);
  expect(problemsOf(audit)).toEqual([undefined]);
});

describe('a chain that cannot begin', () => {
  it('leaves no directory', async () => {
    const audit = join(mkdtempSync(join(tmpdir(), 'hookd-writer-')), 'audit');
    const before = openDescriptors();
    await withFaults({ openSync: (path) => String(path).endsWith('.jsonl') }, 'ENOSPC', () => {
      expect(() => AuditWriter.create(join(audit, 'w'))).toThrow(/ENOSPC/);
    });
    await withFaults({ fsyncSync: first(1) }, 'EIO', () => {
      expect(() => AuditWriter.create(join(audit, 'w'))).toThrow(/EIO/);
    });
    expect(readdirSync(audit)).toEqual([]);
    expect(openDescriptors()).toBe(before);
  });

  it('does not reach through a link: what the link names keeps its mode', () => {
    const root = mkdtempSync(join(tmpdir(), 'hookd-writer-'));
    const target = join(root, 'elsewhere');
    mkdirSync(target, { mode: 0o755 });
    fs.symlinkSync(target, join(root, 'audit'));
    expect(() => AuditWriter.create(join(root, 'audit', 'w'))).toThrow(
      expect.objectContaining({
        code: 'AUDIT_UNAVAILABLE',
        message: expect.stringContaining('behind no link'),
      }),
    );
    expect(fs.statSync(target).mode & 0o777).toBe(0o755);
    expect(existsSync(join(target, 'w'))).toBe(false);
  });

  it('closes an existing directory to others', () => {
    const audit = join(mkdtempSync(join(tmpdir(), 'hookd-writer-')), 'audit');
    mkdirSync(audit, { mode: 0o755 });
    AuditWriter.create(join(audit, 'w'));
    expect(fs.statSync(audit).mode & 0o777).toBe(0o700);
  });
});

it('half a record that a full disk has left is said to be that, not the deed of somebody else', async () => {
  const { audit, writer } = chain();
  writer.append(body('a'));
  const { writeSync } = fs;
  const { barrier } = await syncUnderWay(writer);
  const half = (fd: unknown) => writeSync(fd as number, '{"half') > 0;
  await withFaults({ writeSync: half }, 'ENOSPC', () => {
    expect(() => writer.append(body('b'))).toThrow(/ENOSPC/);
  });
  await barrier.catch((error: unknown) => expect(error).toMatchObject({ code: 'AUDIT_UNAVAILABLE' }));
  writer.append(body('c'));
  await writer.close();
  const files = readdirSync(join(audit, 'w')).map((name) => readFileSync(join(audit, 'w', name), 'utf8'));
  expect(files.join('')).toContain('"reason":"AUDIT_UNAVAILABLE"');
  expect(files.join('')).not.toContain('AUDIT_TAMPERED');
  expect(verifyAll(audit).map(({ problem }) => problem)).toEqual([undefined]);
});
