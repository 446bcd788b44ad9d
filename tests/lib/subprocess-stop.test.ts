import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runningInGroup, runScript } from './children.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hookd-subprocess-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** A signal that is aborted when `file` appears, and the name of the file. */
function abortedBy(file: string): AbortSignal {
  const controller = new AbortController();
  vi.waitFor(() => readFileSync(file), { timeout: 10_000, interval: 5 }).then(
    () => controller.abort(),
    () => {},
  );
  return controller.signal;
}

describe('a run that is stopped', () => {
  test('the time is up: the group is ended, children in the background and all, and what they wrote is kept', async () => {
    let group = 0;
    const result = await runScript('echo begun; (while :; do :; done) & sleep 100', {
      timeoutMs: 300,
      onStarted: (child) => {
        group = child.processGroup;
      },
    });
    expect(result).toMatchObject({ end: { kind: 'timedOut' }, stdout: { first: 'begun\n' }, survivors: 0 });
    expect(group).toBeGreaterThan(0);
    expect(runningInGroup(group)).toEqual([]);
  });

  test('a time of more than 24.8 days is not up at once', async () => {
    const result = await runScript('sleep 0.1; echo done', { timeoutMs: 2 ** 31 });
    expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, stdout: { first: 'done\n' } });
  });

  test.each([
    ['the child itself', "trap '' TERM; while :; do sleep 100; done"],
    ['a grandchild', "(trap '' TERM; while :; do sleep 100; done) & wait"],
    [
      'a grandchild whose parent has gone',
      "(trap '' TERM; while :; do sleep 100; done) & trap 'exit 0' TERM; wait",
    ],
    ['a child that is stopped', 'kill -STOP $$'],
  ])('SIGTERM is ignored by %s: SIGKILL follows', async (_name, script) => {
    let group = 0;
    const result = await runScript(script, {
      timeoutMs: 300,
      onStarted: (child) => {
        group = child.processGroup;
      },
    });
    expect(result).toMatchObject({ end: { kind: 'timedOut' }, survivors: 0 });
    expect(runningInGroup(group)).toEqual([]);
    expect(result.durationMs).toBeLessThan(5_000);
  });

  test('a grandchild in a session of its own is ended too, as long as its parent is there', async () => {
    const pidFile = join(directory, 'pid');
    const script = `setsid sh -c "trap '' TERM; echo \\$\\$ > ${pidFile}; while :; do sleep 0.1; done" & sleep 100`;
    const result = await runScript(script, { timeoutMs: 60_000, signal: abortedBy(pidFile) });
    expect(result.end).toEqual({ kind: 'interrupted' });
    expect(runningInGroup(Number(readFileSync(pidFile, 'utf8')))).toEqual([]);
  });

  test('an interrupted child does not finish its work', async () => {
    const ready = join(directory, 'ready');
    const late = join(directory, 'late');
    const result = await runScript(`touch ${ready}; sleep 3; touch ${late}`, { signal: abortedBy(ready) });
    expect(result.end).toEqual({ kind: 'interrupted' });
    expect(result.survivors).toBe(0);
    expect(() => readFileSync(late)).toThrow('ENOENT');
  });

  test('a child may clean up when it is asked to end', async () => {
    const { end, stdout } = await runScript(
      "trap 'echo cleaned; exit 0' TERM; echo begun; sleep 100 & wait",
      {
        timeoutMs: 300,
      },
    );
    expect({ end, text: stdout.first }).toEqual({ end: { kind: 'timedOut' }, text: 'begun\ncleaned\n' });
  });
});
