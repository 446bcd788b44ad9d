/**
 * Many tool calls in one session: is the time a call flat, does memory level off, is what a call writes always the same?
 *   npx tsx scripts/soak-calls.ts [CALLS] [Read|Bash|Edit|mixed]
 * Prints for each tenth of the session the median time of a call, the processor time of a call, and the memory; and the
 * ratio of the last tenth to the second. Exit 1 when the processor time grew by more than a fifth (the clock also counts
 * what else the machine does), memory by more than a fifth from the middle to the end, or what a call writes at all.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nobody } from '../src/daemon/approvals.ts';
import { Daemon } from '../src/daemon/daemon.ts';
import { createScriptedModel } from '../src/model/scripted.ts';

const MOST_GROWTH = 1.2;
const PARTS = 10;

export const SOAKED = ['Read', 'Bash', 'Edit', 'mixed'] as const;
type Soaked = (typeof SOAKED)[number];

export interface CallSoak {
  readonly records: number;
  /** Of each tenth. */
  readonly medianMs: readonly number[];
  readonly processorMs: readonly number[];
  readonly memoryMb: readonly number[];
  /** Bytes that a call added to the transcript, and events that it told. */
  readonly written: readonly number[];
  readonly told: readonly number[];
}

interface Mark {
  readonly time: number;
  readonly cpuMs: number;
  readonly events: number;
}

/** Throws when a call failed, or the session ended early. */
export async function soakCalls(calls: number, soaked: Soaked): Promise<CallSoak> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-soak-')));
  try {
    return await soakIn(root, calls, soaked);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function soakIn(root: string, calls: number, soaked: Soaked): Promise<CallSoak> {
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  for (const directory of [project, home]) mkdirSync(directory);
  // Never compacted: what grows with a conversation is to grow, and its summary would take a turn of the script.
  const settings = { permissions: { allow: ['Edit'] }, compactAt: 0 };
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
  writeFileSync(join(project, 'a.txt'), 'some text\n'.repeat(50));
  writeFileSync(join(project, 'b.txt'), `0\n${'some text\n'.repeat(50)}`);
  const marks: Mark[] = [];
  const memoryMb: number[] = [];
  let events = 0;
  let failed = 0;
  const daemon = await Daemon.open({ env: { ...process.env, HOOKD_HOME: home } });
  const session = await daemon.startSession({
    startDirectory: project,
    flags: { maxTurns: calls + 1 },
    approvals: nobody,
    model: { model: createScriptedModel(turnsOf(calls, soaked)), name: 'scripted' },
    onEvent: (event) => {
      // How often a running command is heard of is a matter of time.
      if (event.kind !== 'tool_output') events += 1;
      if (event.kind === 'tool_result' && event.result.outcome !== 'ok') failed += 1;
      if (event.kind !== 'tool_use') return;
      const { user, system } = process.cpuUsage();
      marks.push({ time: performance.now(), cpuMs: (user + system) / 1000, events });
      if (marks.length % Math.ceil(calls / PARTS) !== 0) return;
      globalThis.gc?.();
      memoryMb.push(process.memoryUsage().rss / 2 ** 20);
    },
  });
  const end = await session.prompt('go', new AbortController().signal);
  const transcript = readFileSync(join(home, 'sessions', session.id, `${session.id}.jsonl`), 'utf8');
  await daemon.close(end.reason);
  if (end.reason !== 'completed' || marks.length !== calls || failed > 0)
    throw new Error(`the session ended with ${end.reason} after ${marks.length} calls, ${failed} failed`);
  const steps = (of: (mark: Mark) => number) =>
    marks.slice(1).map((mark, index) => of(mark) - of(marks[index] ?? mark));
  return {
    records: daemon.audit.records,
    medianMs: tenths(steps(({ time }) => time)).map(median),
    processorMs: tenths(steps(({ cpuMs }) => cpuMs)).map(mean),
    memoryMb,
    written: bytesOfCalls(transcript),
    told: steps((mark) => mark.events),
  };
}

/** Each edit finds what the last one left. */
function turnsOf(calls: number, soaked: Soaked) {
  const uses = {
    Read: () => ({ name: 'Read', input: { file_path: 'a.txt' } }),
    Bash: () => ({ name: 'Bash', input: { command: 'cat a.txt' } }),
    Edit: (edits: number) => {
      const [old_string, new_string] = edits % 2 === 0 ? ['0\n', '1\n'] : ['1\n', '0\n'];
      return { name: 'Edit', input: { file_path: 'b.txt', old_string, new_string } };
    },
  } as const;
  const kinds = soaked === 'mixed' ? (['Read', 'Bash', 'Edit'] as const) : [soaked];
  return Array.from({ length: calls }, (_, n) => {
    const kind = kinds[n % kinds.length] ?? 'Read';
    return [{ type: 'tool_use' as const, ...uses[kind](Math.floor(n / kinds.length)) }];
  });
}

/** A line holds the use, the next one its result. */
function bytesOfCalls(transcript: string): readonly number[] {
  const sizes = transcript.split('\n').flatMap((line, at, lines) => {
    if (!line.includes('"type":"tool_use"')) return [];
    return [line.length + (lines[at + 1]?.length ?? 0)];
  });
  return sizes;
}

function tenths(values: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: PARTS }, (_, part) =>
    values.slice((part * values.length) / PARTS, ((part + 1) * values.length) / PARTS),
  );
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const calls = Number(process.argv[2] ?? 2000);
  const soaked = SOAKED.find((name) => name === (process.argv[3] ?? 'Read')) ?? 'mixed';
  const { records, medianMs, processorMs, memoryMb, written } = await soakCalls(calls, soaked);
  const listed = (values: readonly number[], digits: number) =>
    values.map((value) => value.toFixed(digits)).join(' ');
  console.log(`${calls} calls of ${soaked}, ${records} records`);
  console.log(`ms a call (median of each tenth):   ${listed(medianMs, 2)}`);
  console.log(`ms of processor a call, each tenth: ${listed(processorMs, 2)}`);
  console.log(`MB in memory at each tenth:         ${listed(memoryMb, 0)}`);
  const grown = (values: readonly number[], from = 1): number => (values.at(-1) ?? 0) / (values[from] ?? 1);
  const bytes = tenths(written).map(mean);
  const [processor, memory, transcript] = [grown(processorMs), grown(memoryMb, PARTS / 2), grown(bytes)];
  console.log(
    `last tenth / second: time ${grown(medianMs).toFixed(2)}, processor ${processor.toFixed(2)}, transcript bytes a call ${transcript.toFixed(3)}; memory, end / middle ${memory.toFixed(2)}`,
  );
  process.exit(processor <= MOST_GROWTH && memory <= MOST_GROWTH && transcript < 1.01 ? 0 : 1);
}
