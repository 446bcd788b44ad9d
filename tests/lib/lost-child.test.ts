/** A program whose starter has died is found by what we know of it, and nothing else is taken for it. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findLost, ticksNow } from '../../src/lib/lost-child.ts';
import { until } from '../support/hookd.ts';
import { runScript } from './children.ts';

test.skipIf(process.platform !== 'linux')('an orphan is found by its environment and its start', async () => {
  const MARK = randomUUID();
  const since = ticksNow();
  const start = `setsid env -i MARK=${MARK} sleep 300 >/dev/null 2>&1 & echo $!`;
  const { stdout } = await runScript(start);
  const pid = Number(stdout.first.trim());
  try {
    await until(() => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n', 'the program');
    const find = (env: Record<string, string>, from: number, parents: readonly number[] = []) =>
      findLost({ env, since: from, parents: () => parents });
    expect(await find({ MARK }, since)).toBe(pid);
    expect(await find({ MARK, PWD: '/' }, since)).toBe(pid);
    expect(await find({ MARK, OTHER: '1' }, since)).toBeUndefined();
    expect(await find({ MARK }, ticksNow() + 100)).toBeUndefined();
  } finally {
    process.kill(pid, 'SIGKILL');
  }
});
