/** `hookd audit verify` of a log that is large enough for a second thread: the built program finds its file, and faults. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_PREVIOUS, sealLine } from '../../src/audit/chain.ts';
import { HOOKD, makeWorkspace } from '../support/hookd.ts';

const RECORDS = 5000;
/** Writes down which programs are started as threads. */
const LOOK_ON = `const threads = require('node:worker_threads');
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(program, options) {
    super(program, options);
    require('node:fs').appendFileSync(process.env.STARTED, program.pathname + '\\n');
  }
};
require('node:module').syncBuiltinESMExports();`;

function writeLog(file: string): void {
  const lines: string[] = [];
  let previous = NO_PREVIOUS;
  for (let seq = 1; seq <= RECORDS; seq++) {
    const body = JSON.stringify({ time: 't', kind: 'prompt', text: `${seq} ${'x'.repeat(4000)}` });
    const { line, hash } = sealLine(seq, previous, body);
    lines.push(line);
    previous = hash;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

test('a large log is verified, with the help of a thread that is found where hookd was built', () => {
  const { root, env, home } = makeWorkspace();
  const [lookOn, started] = [join(root, 'look-on.cjs'), join(root, 'started')];
  writeFileSync(lookOn, LOOK_ON);
  writeFileSync(started, '');
  const file = join(home, 'audit', 'w', '000001.jsonl');
  writeLog(file);
  const verify = () =>
    spawnSync(process.execPath, ['--require', lookOn, HOOKD, 'audit', 'verify'], {
      env: { ...env, STARTED: started },
      encoding: 'utf8',
    });
  expect(verify()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`${RECORDS} records in 1 chain`),
  });
  const programs = readFileSync(started, 'utf8').split('\n').slice(0, -1);
  expect(programs.length).toBe(Math.min(availableParallelism(), 4) - 1);
  for (const program of programs) expect([program, existsSync(program)]).toEqual([program, true]);
  writeFileSync(file, readFileSync(file, 'latin1').replace('"text":"4321 x', '"text":"4321 y'), 'latin1');
  const { status, stdout } = verify();
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining(`FAULT  ${file}:4321: the record was changed`),
  ]);
});
