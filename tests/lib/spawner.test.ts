/** Programs that another process starts for us: everything that holds of those that we start ourselves. */
import { afterAll, describe, expect, test } from 'vitest';
import { startThroughSpawner } from '../../src/lib/start-child.ts';
import { until } from '../support/hookd.ts';
import { openDescriptors, runningInGroup, runScript } from './children.ts';

const end = startThroughSpawner(0);
afterAll(end);

async function parentOf(): Promise<number> {
  const { stdout } = await runScript('echo $PPID');
  return Number(stdout.first.trim());
}

describe('the process that starts programs', () => {
  test('is another one, the same for all, and what it starts writes to us and reads from us', async () => {
    const first = await parentOf();
    expect([first, first === process.pid]).toEqual([expect.any(Number), false]);
    expect(await parentOf()).toBe(first);
    const { stdout } = await runScript('cat; cat /dev/stdin', { stdin: 'hello' });
    expect(stdout.first).toBe('hellohello');
  });

  test('starts many at once, none mixed up, and leaves no descriptor open', async () => {
    await runScript('true');
    const before = openDescriptors();
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, n) => runScript(`echo ${n}; exit ${n}`, { stdin: String(n) })),
    );
    expect(all.map(({ end, stdout }) => [end, stdout.first])).toEqual(
      all.map((_, n) => [{ kind: 'exited', code: n }, `${n}\n`]),
    );
    // FIFOs are made in batches: those that are ready stay open.
    expect(openDescriptors() - before).toBeLessThanOrEqual(2 * 64);
  });

  test('may be killed: what it had started is ended and reported so, and the next program is started', async () => {
    const spawner = await parentOf();
    let group = 0;
    const running = runScript('sleep 300', { onStarted: ({ processGroup }) => (group = processGroup) });
    await until(() => group !== 0, 'the start');
    process.kill(spawner, 'SIGKILL');
    expect((await running).end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    await until(() => runningInGroup(group).length === 0, 'the end of what it had started');
    expect(await parentOf()).not.toBe(spawner);
  });

  test('may be killed by what it starts, before it can say whom: nothing goes on that nobody knows of', async () => {
    for (let round = 0; round < 4; round++) {
      let group = 0;
      const script = 'kill -9 $PPID; sleep 300; true';
      const run = await runScript(script, { onStarted: ({ processGroup }) => (group = processGroup) });
      expect(run.end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
      expect(group).not.toBe(0);
      await until(() => runningInGroup(group).length === 0, 'its end');
    }
  });

  test('ends with us', async () => {
    const spawner = await parentOf();
    end();
    await until(() => {
      try {
        return !process.kill(spawner, 0);
      } catch {
        return true;
      }
    }, 'its end');
    expect(await parentOf()).toBe(process.pid);
    startThroughSpawner(0);
  });
});

await import('./subprocess.test.ts');
await import('./subprocess-stop.test.ts');
