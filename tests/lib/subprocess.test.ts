import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StartedChild } from '../../src/lib/subprocess.ts';
import { CHILD_ENV, openDescriptors, ownZombies, runningInGroup, runScript } from './children.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hookd-subprocess-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe('the end of a child', () => {
  test.each([
    ['exit 0', { kind: 'exited', code: 0 }],
    ['exit 7', { kind: 'exited', code: 7 }],
    ['exit 255', { kind: 'exited', code: 255 }],
    ['kill -KILL $$', { kind: 'signalled', signal: 'SIGKILL' }],
    ['kill -TERM $$', { kind: 'signalled', signal: 'SIGTERM' }],
    ['no-such-program-here', { kind: 'exited', code: 127 }],
  ])('%s is reported as it was', async (script, end) => {
    expect((await runScript(script)).end).toEqual(end);
  });

  test.each([
    ['a NUL character in an argument', { args: ['-c', 'echo a\0b'] }, /NUL/],
    [
      'a missing program',
      { file: 'no-such-program-here', env: { PATH: '/usr/bin:/bin' } },
      /no-such-program-here was not found/,
    ],
    ['a missing directory', { cwd: '/no/such/directory' }, /\/no\/such\/directory does not exist/],
    ['a file as directory', { cwd: '/etc/passwd' }, /\/etc\/passwd does not exist|not a directory/],
    ['an argument that is too long', { args: ['-c', `: ${'x'.repeat(200_000)}`] }, /longer than the system/],
    ['a file that is no program', { file: '/etc/passwd' }, /\/etc\/passwd may not be executed/],
  ])('%s is a value that says why', async (_name, changes, why) => {
    const { end } = await runScript('true', changes);
    expect(end).toEqual({ kind: 'notStarted', message: expect.stringMatching(why) });
  });

  test('a signal that is aborted already starts nothing', async () => {
    const started: StartedChild[] = [];
    const { end } = await runScript('true', {
      signal: AbortSignal.abort(),
      onStarted: (child) => started.push(child),
    });
    expect({ end, started }).toEqual({ end: { kind: 'interrupted' }, started: [] });
  });

  test('a child is finished when it exits, whoever still holds its output', async () => {
    let group = 0;
    const result = await runScript('sleep 60 & echo done', {
      onStarted: (child) => {
        group = child.processGroup;
      },
    });
    const running = runningInGroup(group);
    process.kill(-group, 'SIGKILL');
    expect(result).toMatchObject({
      end: { kind: 'exited', code: 0 },
      stdout: { first: 'done\n' },
      survivors: 1,
    });
    expect(running).toHaveLength(1);
    expect(result.durationMs).toBeLessThan(10_000);
  });

  test('a survivor that goes on writing does not keep us reading', async () => {
    let group = 0;
    const result = await runScript('yes & disown; echo done', {
      onStarted: (child) => {
        group = child.processGroup;
      },
    });
    expect(result.end).toEqual({ kind: 'exited', code: 0 });
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // SIGPIPE was quicker.
    }
  });
});

describe('the output of a child', () => {
  test('merged streams keep their order', async () => {
    const { stdout } = await runScript('for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done');
    expect(stdout.first).toBe([1, 2, 3, 4, 5].map((n) => `o${n}\ne${n}\n`).join(''));
  });

  test('separate streams stay separate', async () => {
    const { stdout, stderr } = await runScript('echo out; echo err >&2', { streams: 'separate' });
    expect([stdout.first, stderr.first]).toEqual(['out\n', 'err\n']);
  });

  test('streams open by name, any number of times, and nothing is truncated', async () => {
    const script =
      'echo a; echo b > /dev/stdout; echo c > /dev/stderr; echo d >> /dev/stdout; cat /dev/stdin; echo e';
    const { stdout, end } = await runScript(script);
    expect({ end, text: stdout.first }).toEqual({
      end: { kind: 'exited', code: 0 },
      text: 'a\nb\nc\nd\ne\n',
    });
  });

  test('stdin is empty, and a payload can be read by descriptor and by name', async () => {
    expect((await runScript('cat; echo end')).stdout.first).toBe('end\n');
    const payload = '{"text":"ü😀"}'.repeat(50_000);
    const twice = await runScript('wc -c; wc -c < /dev/stdin; exit 3', { stdin: payload });
    const bytes = Buffer.byteLength(payload);
    expect(twice).toMatchObject({
      end: { kind: 'exited', code: 3 },
      stdout: { first: `${bytes}\n${bytes}\n` },
    });
  });

  test('a child that never reads its payload is no failure', async () => {
    const { end } = await runScript('exit 0', { stdin: 'x'.repeat(1_000_000) });
    expect(end).toEqual({ kind: 'exited', code: 0 });
  });

  test('everything in the pipe at the exit is taken', async () => {
    const { stdout } = await runScript('head -c 60000 /dev/zero | tr "\\0" x', { keepCharacters: 100_000 });
    expect(stdout.first.length + stdout.last.length).toBe(60_000);
  });

  test('a flood leaves the memory bounded, and both ends are kept', async () => {
    const before = process.memoryUsage().rss;
    const result = await runScript('echo first; yes | head -c 200000000; echo last', {
      keepCharacters: 1_000,
    });
    const { stdout, truncated } = result;
    expect(result.end).toEqual({ kind: 'exited', code: 0 });
    expect(truncated).toBe(true);
    expect(stdout.first.startsWith('first\ny\n')).toBe(true);
    expect(stdout.last.endsWith('y\nlast\n')).toBe(true);
    expect(stdout.first.length + stdout.omitted + stdout.last.length).toBe(200_000_011);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });
});

describe('a child on record', () => {
  test('it leads a group of its own and is named for good', async () => {
    const started: StartedChild[] = [];
    const { stdout } = await runScript('cut -d" " -f5,22 /proc/$$/stat', {
      onStarted: (child) => started.push(child),
    });
    const [child] = started;
    expect(started).toHaveLength(1);
    expect(stdout.first).toBe(`${child?.pid} ${child?.startTime}\n`);
    expect(child?.processGroup).toBe(child?.pid);
  });

  test('it has no terminal', async () => {
    expect((await runScript('exec 2>/dev/null; : < /dev/tty && echo terminal; exit 0')).stdout.first).toBe(
      '',
    );
  });

  test('one that cannot be recorded is ended, and the reason is thrown', async () => {
    let group = 0;
    const file = join(directory, 'late');
    const run = runScript(`sleep 5; touch ${file}`, {
      onStarted: (child) => {
        group = child.processGroup;
        throw new Error('the disk is full');
      },
    });
    await expect(run).rejects.toThrow('the disk is full');
    expect(group).toBeGreaterThan(0);
    expect(runningInGroup(group)).toEqual([]);
    expect(ownZombies()).toEqual([]);
  });
});

test('two hundred runs leave no descriptor and no zombie', async () => {
  await runScript('true', { streams: 'separate', stdin: 'x' });
  const before = openDescriptors();
  for (let run = 0; run < 200; run += 4) {
    await Promise.all([
      runScript('echo out; echo err >&2', { streams: 'separate', stdin: 'payload' }),
      runScript('echo merged'),
      runScript('exit 1', { cwd: '/no/such/directory' }),
      runScript('a\0b', { file: '\0' }),
    ]);
  }
  // Closing is finished by the event loop; a batch of 16 unused FIFOs, with two ends each, may wait for its turn.
  await vi.waitFor(() => expect(openDescriptors() - before).toBeLessThanOrEqual(2 * 16));
  expect(ownZombies()).toEqual([]);
});

test('our own exit ends what still runs', async () => {
  const program = join(directory, 'leaves.mts');
  const subprocess = new URL('../../src/lib/subprocess.ts', import.meta.url).pathname;
  writeFileSync(
    program,
    `import { runProcess } from ${JSON.stringify(subprocess)};
     runProcess({
       file: 'bash', args: ['-c', 'sleep 300 & sleep 300'], cwd: '/', env: ${JSON.stringify(CHILD_ENV)},
       streams: 'merged', keepCharacters: 100, timeoutMs: 300_000, signal: new AbortController().signal,
       onStarted: (child) => { console.log(child.processGroup); setImmediate(() => process.exit(0)); },
     });`,
  );
  const root = new URL('../..', import.meta.url).pathname;
  const { end, stdout } = await runScript(`exec "$NODE" --import tsx ${program}`, {
    cwd: root,
    env: { ...CHILD_ENV, NODE: process.execPath },
  });
  expect({ end, text: stdout.first }).toEqual({
    end: { kind: 'exited', code: 0 },
    text: expect.stringMatching(/^\d+\n$/),
  });
  const group = Number(stdout.first);
  await vi.waitFor(() => expect(runningInGroup(group)).toEqual([]));
});
