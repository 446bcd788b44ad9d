/** Hooks that misbehave: each is a small program of tests/fixtures/hooks. Time is bounded, nothing is left behind. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookRun } from '../../src/hooks/hook.ts';
import { readOutcome } from '../../src/hooks/output.ts';
import { openDescriptors, ownZombies, runningInGroup } from '../lib/children.ts';
import { hostIn, runHook } from './hooks.ts';

let directory: string;
let group: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hookd-hooks-'));
  group = 0;
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const onStarted = (child: { processGroup: number }) => {
  group = child.processGroup;
};
const run = (command: string, changes: Parameters<typeof runHook>[1] = {}) =>
  runHook(command, { onStarted, ...changes });
const verdictOf = (one: HookRun) => readOutcome('PreToolUse', one, 'Bash').verdict;

function endGroup(): void {
  process.kill(-group, 'SIGKILL');
}

describe('standard streams', () => {
  test('can be opened by name: late, several times, truncating and appending', async () => {
    const payload = `{"big":"${'x'.repeat(200_000)}"}\n`;
    const { end, stdout, stderr } = await run('./opens-by-name', { payload });
    expect({ end, stdout, stderr }).toEqual({
      end: { kind: 'exited', code: 2 },
      stdout: 'same\none\ntwo\ndirect\nthree\n',
      stderr: 'err-one\nerr-two\nlate\n',
    });
  });

  test('a payload of 2 MB that is never read hurts nobody', async () => {
    const one = await run('./never-reads', { payload: `{"a":"${'x'.repeat(2_000_000)}"}\n` });
    expect({ end: one.end, stderr: one.stderr }).toEqual({
      end: { kind: 'exited', code: 2 },
      stderr: 'not like this\n',
    });
  });

  test('a payload of 2 MB arrives whole', async () => {
    expect((await run('wc -c', { payload: 'x'.repeat(2_000_000) })).stdout.trim()).toBe('2000000');
  });

  test('a hook that closes all of them can still refuse', async () => {
    expect(verdictOf(await run('./closes-output'))).toBe('block');
  });

  test.each(['out', 'err', 'both'])(
    '100 MB on %s: the group is ended and the run counts as failed',
    async (where) => {
      const one = await run(`./floods ${where}`);
      expect({ truncated: one.truncated, survivors: one.survivors }).toEqual({
        truncated: true,
        survivors: 0,
      });
      expect(readOutcome('PreToolUse', one)).toMatchObject({ verdict: 'ask', failure: { became: 'ask' } });
      expect(runningInGroup(group)).toEqual([]);
      expect(one.stdout.length + one.stderr.length).toBeLessThan(17 * 1024 * 1024);
    },
  );

  test('eight megabytes are kept whole, one byte more is not', async () => {
    const size = 8 * 1024 * 1024;
    const whole = await run(`head -c ${size} /dev/zero | tr '\\0' a`);
    expect({ truncated: whole.truncated, length: whole.stdout.length }).toEqual({
      truncated: false,
      length: size,
    });
    expect((await run(`head -c ${size + 1} /dev/zero`)).truncated).toBe(true);
  });
});

describe('odd output', () => {
  test.each([
    ['half', 'ask'],
    ['banner', 'block'],
    ['colour', 'block'],
    ['bom', 'block'],
    ['bom-allow', 'allow'],
    ['twice', 'block'],
    ['twice-allow', 'ask'],
    ['echoed', 'none'],
    ['latin1', 'block'],
    ['nul', 'ask'],
  ] as const)('%s is read as %s', async (name, verdict) => {
    const one = await run(`./odd-output ${name}`);
    expect({ end: one.end, verdict: verdictOf(one) }).toEqual({ end: { kind: 'exited', code: 0 }, verdict });
  });
});

describe('what a hook leaves running', () => {
  test('a daemon of its own session goes on, and nobody waits for it', async () => {
    const pidFile = join(directory, 'pid');
    const one = await run(`./forks-daemon ${pidFile}`);
    expect({ end: one.end, stdout: one.stdout }).toEqual({
      end: { kind: 'exited', code: 0 },
      stdout: 'started\n',
    });
    expect(one.durationMs).toBeLessThan(10_000);
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  });

  test('a grandchild that holds the output and writes on is left alone, and counted', async () => {
    const one = await run('./holds-output');
    expect(one).toMatchObject({ end: { kind: 'exited', code: 2 }, stderr: 'refused by me\n' });
    expect(one.survivors).toBeGreaterThan(0);
    expect(runningInGroup(group).length).toBeGreaterThan(0);
    endGroup();
  });
});

describe('a hook that does not come to its end', () => {
  test('ignores SIGTERM, with a child that does too: both are gone', async () => {
    const one = await run('./ignores-sigterm', { timeoutMs: 200 });
    expect(one).toMatchObject({ end: { kind: 'timedOut' }, survivors: 0 });
    expect(one.durationMs).toBeLessThan(4_000);
    expect(runningInGroup(group)).toEqual([]);
  });

  test('sleeps past its time with a child of its own: both are gone, and a crash is not a yes', async () => {
    const one = await run('./sleeps-with-child', { timeoutMs: 300 });
    expect(one).toMatchObject({ end: { kind: 'timedOut' }, survivors: 0 });
    expect(verdictOf(one)).toBe('ask');
    expect(runningInGroup(group)).toEqual([]);
  });

  test('what it refused before it was ended counts', async () => {
    const one = await run(`./sleeps-with-child '{"decision":"block"}'`, { timeoutMs: 300 });
    expect({ end: one.end, verdict: verdictOf(one) }).toEqual({
      end: { kind: 'timedOut' },
      verdict: 'block',
    });
  });

  test('is ended with the turn', async () => {
    const turn = new AbortController();
    const one = await run('sleep 60', { signal: turn.signal, onStarted: () => turn.abort() });
    expect(one.end).toEqual({ kind: 'interrupted' });
  });

  test.each(['KILL', 'TERM', 'SEGV'])('dies of SIG%s: it has not said yes', async (signal) => {
    const silent = await run('./killed', { args: [signal] });
    expect(silent.end).toEqual({ kind: 'signalled', signal: `SIG${signal}` });
    expect(verdictOf(silent)).toBe('ask');
    expect(verdictOf(await run('./killed', { args: [signal, '{"decision":"approve"}'] }))).toBe('ask');
    expect(verdictOf(await run('./killed', { args: [signal, '{"decision":"block"}'] }))).toBe('block');
  });
});

describe('a hook that cannot be started', () => {
  test.each([
    ['a lost execute bit', './not-executable', { kind: 'exited', code: 126 }],
    [
      'a missing interpreter',
      './missing-interpreter',
      { kind: 'exited', code: expect.toSatisfy((code) => code === 126 || code === 127) },
    ],
    [
      'a line ending that is not its system’s',
      './crlf-shebang',
      { kind: 'exited', code: expect.toSatisfy((code) => code === 126 || code === 127) },
    ],
    ['a missing file', './no-such-file', { kind: 'exited', code: 127 }],
  ])('%s: a person is asked', async (_name, command, end) => {
    const one = await run(command);
    expect(one.end).toEqual(end);
    expect(readOutcome('PreToolUse', one)).toMatchObject({ verdict: 'ask', failure: { became: 'ask' } });
    expect(readOutcome('PreToolUse', one).reason).toContain(command.slice(2));
  });

  test('a script without an interpreter line is run by the shell', async () => {
    expect(await run('./no-shebang')).toMatchObject({
      end: { kind: 'exited', code: 2 },
      stderr: 'no shebang\n',
    });
  });

  test.each([
    ['a NUL in an argument', 'printf', { args: ['a\0b'] }, 'NUL'],
    ['a NUL in a command', 'echo a\0b', {}, 'NUL'],
    ['a program without the execute bit', './not-executable', { args: [] }, 'may not be executed'],
    [
      'a directory that is gone',
      'true',
      { host: hostIn('/no/such/project') },
      '/no/such/project does not exist',
    ],
    [
      'an argument that is too long',
      'printf',
      { args: ['x'.repeat(200_000)] },
      'longer than the system allows',
    ],
  ])('%s: a person is asked', async (_name, command, changes, why) => {
    const one = await run(command, changes);
    expect(one.end).toEqual({ kind: 'notStarted', message: expect.stringContaining(why) });
    expect(verdictOf(one)).toBe('ask');
  });

  test('a variable without quotes in a path with blanks: the reason shows the word, and what to do', async () => {
    const one = await run('$CLAUDE_PROJECT_DIR/guard.sh', { host: hostIn(pathWithBlank()) });
    const { verdict, reason } = readOutcome('PreToolUse', one);
    expect({ verdict, code: one.end }).toEqual({ verdict: 'ask', code: { kind: 'exited', code: 127 } });
    expect(reason).toContain('needs quotes');
    expect(reason).toContain('a: No such file');
  });

  function pathWithBlank(): string {
    return mkdtempSync(join(directory, 'a '));
  }
});

describe('many hooks', () => {
  test('64 at once each get their payload and give their answer', async () => {
    const runs = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        runHook(`echo "$(cat)-${index}" >&2; exit 2`, { payload: `payload-${index}` }),
      ),
    );
    expect(runs.map(({ stderr }) => stderr)).toEqual(runs.map((_, index) => `payload-${index}-${index}\n`));
    expect(ownZombies()).toEqual([]);
  });

  test('after 1,000 runs no descriptor is open that was not, and nobody is left to be waited for', async () => {
    const burst = () => Promise.all(Array.from({ length: 20 }, () => runHook('true', { args: [] })));
    await burst();
    const before = openDescriptors();
    for (let round = 0; round < 50; round++) {
      const runs = await burst();
      expect(runs.every(({ end }) => end.kind === 'exited' && end.code === 0)).toBe(true);
    }
    // A batch of FIFOs may be ready, of two descriptors each.
    expect(openDescriptors() - before).toBeLessThan(200);
    expect(ownZombies()).toEqual([]);
  }, 120_000);
});
