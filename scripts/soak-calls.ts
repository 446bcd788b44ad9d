/**
 * Many tool calls in one session: is the time a call flat, does memory level off?
 *   npx tsx scripts/soak-calls.ts [CALLS] [Read|Bash]
 * Prints the median time of a call and the memory for each tenth of the session, and the ratio of the last tenth to
 * the second. Exit 1 when the time grew by more than half, or memory by more than half from the middle to the end.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nobody } from '../src/daemon/approvals.ts';
import { Daemon } from '../src/daemon/daemon.ts';
import { createScriptedModel } from '../src/model/scripted.ts';

const MOST_GROWTH = 1.5;
const PARTS = 10;

const calls = Number(process.argv[2] ?? 1000);
const tool = process.argv[3] ?? 'Read';
const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-soak-')));
const project = join(root, 'project');
mkdirSync(project);
writeFileSync(join(project, 'a.txt'), 'some text\n'.repeat(50));

const input = tool === 'Read' ? { file_path: 'a.txt' } : { command: 'cat a.txt' };
const turns = Array.from({ length: calls }, () => [{ type: 'tool_use' as const, name: tool, input }]);
const started: number[] = [];
const memory: number[] = [];

const daemon = await Daemon.open({ env: { ...process.env, HOOKD_HOME: join(root, 'home') } });
const session = await daemon.startSession({
  startDirectory: project,
  flags: { maxTurns: calls + 1 },
  approvals: nobody,
  model: { model: createScriptedModel(turns), name: 'scripted' },
  onEvent: (event) => {
    if (event.kind !== 'tool_use') return;
    started.push(performance.now());
    if (started.length % Math.ceil(calls / PARTS) === 0) {
      globalThis.gc?.();
      memory.push(process.memoryUsage().rss / 2 ** 20);
    }
  },
});
const end = await session.prompt('go', new AbortController().signal);
await daemon.close(end.reason);
const { records } = daemon.audit;
rmSync(root, { recursive: true, force: true });
if (end.reason !== 'completed' || started.length !== calls)
  throw new Error(`the session ended with ${end.reason} after ${started.length} calls`);

const times = started.slice(1).map((time, index) => time - (started[index] ?? time));
const medians = Array.from({ length: PARTS }, (_, part) => {
  const slice = times
    .slice((part * times.length) / PARTS, ((part + 1) * times.length) / PARTS)
    .sort((a, b) => a - b);
  return slice[Math.floor(slice.length / 2)] ?? 0;
});

console.log(`${calls} ${tool} calls, ${records} records`);
console.log(`ms a call (median of each tenth): ${medians.map((ms) => ms.toFixed(2)).join(' ')}`);
console.log(`MB in memory at each tenth:       ${memory.map((mb) => mb.toFixed(0)).join(' ')}`);
const slower = (medians.at(-1) ?? 0) / (medians[1] ?? 1);
const larger = (memory.at(-1) ?? 0) / (memory[Math.floor(memory.length / 2)] ?? 1);
console.log(`time: last tenth / second ${slower.toFixed(2)}; memory: end / middle ${larger.toFixed(2)}`);
process.exit(slower <= MOST_GROWTH && larger <= MOST_GROWTH ? 0 : 1);
