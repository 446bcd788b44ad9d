import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import type { ProcessStart } from '../../src/audit/record-values.ts';
import { Trail } from '../../src/audit/trail.ts';
import { HookdError } from '../../src/core/errors.ts';
import type { StartedProcess } from '../../src/core/vocabulary.ts';
import { bash as bashTool, describeRun } from '../../src/tools/bash.ts';
import { runningInGroup } from '../lib/children.ts';
import { makeWorkbench, parse, runPermitted, type Workbench } from './context.ts';

let bench: Workbench;
beforeEach(() => {
  bench = makeWorkbench();
});
afterEach(() => bench.remove());

const bash = (input: object) => runPermitted(bashTool, input, bench.context);

test.each([
  ['echo hi', { ok: true, text: 'hi' }],
  ['true', { ok: true, text: '(no output)' }],
  ['echo', { ok: true, text: '(no output)' }],
  ['printf "  indented\\n\\n"', { ok: true, text: '  indented' }],
  ['echo x > /dev/stdout; echo y >/dev/stderr', { ok: true, text: 'x\ny' }],
  ['echo o1; echo e1 >&2; echo o2; echo e2 >&2', { ok: true, text: 'o1\ne1\no2\ne2' }],
  ['echo oops >&2; exit 3', { ok: false, text: 'Exit code 3\noops' }],
  ['false', { ok: false, text: 'Exit code 1\n(no output)' }],
  ['kill -KILL $$', { ok: false, text: 'The command was ended by SIGKILL.\n(no output)' }],
  ['[[ ab =~ .b ]] && echo "$BASH_REMATCH"', { ok: true, text: 'ab' }],
  ['cat; echo end', { ok: true, text: 'end' }],
  ["printf '\\xf0\\x9f\\x98'; sleep 0.1; printf '\\x80ü'", { ok: true, text: '😀ü' }],
])('%s', async (command, outcome) => {
  expect(await bash({ command })).toEqual(outcome);
});

test('each call begins in the start directory, without what the last one set', async () => {
  await bash({ command: 'cd /; export LEFT=1' });
  expect(await bash({ command: 'pwd; echo "[$LEFT]"' })).toEqual({ ok: true, text: `${bench.cwd}\n[]` });
});

test('`..` is what is above the start directory, by whatever other name that is known', async () => {
  const other = join(bench.outside, 'link');
  symlinkSync(bench.cwd, other);
  const env = { ...bench.context.env, PWD: other };
  const context = { ...bench.context, env };
  const { text } = await runPermitted(bashTool, { command: 'pwd; cd ..; pwd' }, context);
  expect(text).toBe(`${bench.cwd}\n${dirname(bench.cwd)}`);
});

test('a start directory that is gone is named', async () => {
  bench.remove();
  const { ok, text } = await bash({ command: 'true' });
  expect({ ok, text }).toEqual({
    ok: false,
    text: `The command could not be started: the directory ${bench.cwd} does not exist.`,
  });
});

test('no startup file of a shell is read', async () => {
  const quits = 'case $- in *i*) ;; *) exit;; esac\n';
  for (const name of ['.bashrc', '.bash_profile', '.profile']) writeFileSync(join(bench.home, name), quits);
  expect(await bash({ command: 'echo hi' })).toEqual({ ok: true, text: 'hi' });
  const env = { ...bench.context.env, SSH_CLIENT: '192.0.2.1 1 22' };
  const remote = await runPermitted(bashTool, { command: 'echo hi' }, { ...bench.context, env });
  expect(remote).toEqual({ ok: true, text: 'hi' });
});

test('of a long output the first and the last part are kept, and the rest is counted', async () => {
  const { ok, text } = await bash({
    command: 'echo begin; head -c 80000 /dev/zero | tr "\\0" x; echo; echo end',
  });
  expect(ok).toBe(true);
  expect(text.startsWith('begin\nxxx')).toBe(true);
  expect(text.endsWith('xxx\nend')).toBe(true);
  expect(text).toContain('\n... (30011 characters left out) ...\n');
});

test('an output of exactly the limit is kept whole, and a cut never halves a character', async () => {
  const whole = await bash({ command: 'head -c 50000 /dev/zero | tr "\\0" x' });
  expect(whole.text).toBe('x'.repeat(50_000));
  const cut = await bash({ command: 'printf x; for ((i = 0; i < 30000; i++)); do printf 😀; done' });
  expect(cut.text).not.toMatch(/\p{Surrogate}/u);
  expect(cut.text).toContain('characters left out');
});

test('a flood is cut while the memory stays bounded', async () => {
  const before = process.memoryUsage().rss;
  const { ok, text } = await bash({ command: 'yes | head -c 200000000' });
  expect({ ok, length: text.length < 50_100 }).toEqual({ ok: true, length: true });
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});

describe('a command that does not end by itself', () => {
  const started: StartedProcess[] = [];
  beforeEach(() => {
    started.length = 0;
    bench = { ...bench, context: { ...bench.context, started: (process) => started.push(process) } };
  });
  const leftRunning = () => started.flatMap((process) => runningInGroup(process.processGroup));

  test.each([
    'echo begun; (while :; do :; done) & sleep 100',
    'echo begun; bash -c "trap \'\' TERM; sleep 100 & wait; sleep 100"',
  ])(
    '%s: it says that it timed out, shows the partial output, and nothing of it runs on',
    async (command) => {
      const { ok, text } = await bash({ command, timeout: 300 });
      expect(ok).toBe(false);
      expect(text).toContain('timed out after 300 milliseconds');
      expect(text.endsWith('printed:\nbegun')).toBe(true);
      expect(started).toHaveLength(1);
      expect(leftRunning()).toEqual([]);
    },
  );

  test('an interrupt ends it before it finishes its work', async () => {
    const controller = new AbortController();
    bench = { ...bench, context: { ...bench.context, signal: controller.signal } };
    const run = bash({ command: 'echo begun; touch ready; sleep 3; touch late' });
    await vi.waitFor(() => expect(existsSync(join(bench.cwd, 'ready'))).toBe(true), { timeout: 10_000 });
    controller.abort();
    expect(await run).toEqual({
      ok: false,
      text: 'The user interrupted the command; it was ended. Until then it printed:\nbegun',
    });
    expect(leftRunning()).toEqual([]);
    expect(existsSync(join(bench.cwd, 'late'))).toBe(false);
  });

  test('a background process that holds the output does not hold the call, and is mentioned', async () => {
    const { ok, text } = await bash({ command: 'sleep 100 & echo done' });
    const left = leftRunning();
    for (const { processGroup } of started) process.kill(-processGroup, 'SIGKILL');
    expect({ ok, text: text.split('\n') }).toEqual({
      ok: true,
      text: ['done', expect.stringContaining('1 process that it started still runs')],
    });
    expect(left).toHaveLength(1);
  });

  test('a child that cannot be recorded is ended, and the call throws the reason', async () => {
    const groups: number[] = [];
    const { record } = Trail.prototype;
    const failing = vi.spyOn(Trail.prototype, 'record') as MockInstance<
      (kind: string, value: unknown) => unknown
    >;
    failing.mockImplementation(function (this: unknown, kind, value) {
      if (kind !== 'process_started') return Reflect.apply(record, this, [kind, value]);
      groups.push((value as ProcessStart).process.processGroup);
      throw new HookdError('AUDIT_UNAVAILABLE', 'the disk is full');
    });
    await expect(bash({ command: 'sleep 100' })).rejects.toThrow('the disk is full');
    failing.mockRestore();
    expect(groups).toHaveLength(1);
    expect(groups.flatMap(runningInGroup)).toEqual([]);
  });
});

test('run_in_background is refused in clear words, and nothing runs', async () => {
  const { ok, text } = await bash({ command: 'touch ran', run_in_background: true });
  expect({ ok, ran: existsSync(join(bench.cwd, 'ran')) }).toEqual({ ok: false, ran: false });
  expect(text).toContain('run_in_background is not supported');
  expect(await bash({ command: 'echo hi', run_in_background: false, description: 'says hi' })).toEqual({
    ok: true,
    text: 'hi',
  });
});

test('a NUL character, or a command beyond the system limit, is a failure in words', async () => {
  expect((await bash({ command: 'echo a\0b' })).text).toMatch(/could not be started: .*NUL/);
  expect((await bash({ command: `: ${'x'.repeat(200_000)}` })).text).toMatch(
    /could not be started: .*longer than/,
  );
});

test('names with blanks, quotes and other scripts are the shell’s business alone', async () => {
  const name = `it's "a" ü 文件`;
  mkdirSync(join(bench.cwd, name));
  const { ok } = await bash({ command: `cd ${JSON.stringify(name)} && echo x > f` });
  expect({ ok, text: readFileSync(join(bench.cwd, name, 'f'), 'utf8') }).toEqual({ ok: true, text: 'x\n' });
});

test('the command is what permission rules are matched against', async () => {
  const { call } = await parse(bashTool, { command: 'ls -l' }, bench.context);
  expect(call.value.specifier).toEqual({ kind: 'command', command: 'ls -l' });
});

test.each([
  [1, '1 process that it started still runs'],
  [3, '3 processes that it started still run'],
])('%i survivors are counted', (survivors, words) => {
  const stdout = { first: 'out\n', last: '', omitted: 0 };
  const { text } = describeRun({ end: { kind: 'exited', code: 0 }, stdout, survivors }, 1);
  expect(text).toContain(words);
});
