/**
 * Many sessions at once in one daemon, then kill -9 and a restart:
 *   npx tsx scripts/soak-sessions.ts [SESSIONS] [SECONDS] [THINK_MS]
 * Each session runs commands under hooks, with a marker of its own in its environment, and a client that watches. None
 * may be lost or mixed up; the event loop answers in time (p99 below 50 ms) and memory levels off; after the kill all
 * sessions are listed, go on with their events where they were, and the audit verifies. Exit 1 on a violation.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { StoredRecord } from '../src/audit/chain.ts';
import { listSegments, listWriters, readRecords } from '../src/audit/read.ts';
import { verifyAll } from '../src/audit/verify.ts';
import type { SessionId } from '../src/core/vocabulary.ts';
import { Daemon } from '../src/daemon/daemon.ts';
import { createScriptedModel } from '../src/model/scripted.ts';

export interface HostOptions {
  readonly home: string;
  readonly project: string;
  readonly sessions: number;
  /** How long the model thinks before each answer. */
  readonly thinkMs: number;
}

export interface Sample {
  readonly ids: readonly SessionId[];
  /** By session: calls that were answered, as its client saw them. */
  readonly calls: readonly number[];
  readonly turns: number;
  /** What must not be: a line each. */
  readonly faults: readonly string[];
  /** Of all the time since the first second. Milliseconds. */
  readonly loop: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Megabytes: what was in use after the last collection, and what the process takes. */
  readonly heap: number;
  readonly rss: number;
}

export interface Soak {
  /** What must not be, a line each; empty where all is well. */
  readonly faults: readonly string[];
  readonly samples: readonly Sample[];
  readonly records: number;
}

const MOST_DELAY_MS = 50;
/** Seconds beyond those that were asked for, for a machine that is busy. */
const PATIENCE = 60;
const MOST_GROWTH = 1.5;

export const markerOf = (index: number): string => `marker-${index}-of-its-own`;

/** Until `seconds` have gone by and every session has had `leastCalls` calls; then it is killed and looked into. */
export async function soakSessions(
  sessions: number,
  seconds: number,
  thinkMs: number,
  leastCalls = 1,
): Promise<Soak> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-soak-')));
  const place = { home: join(root, 'home'), project: join(root, 'project') };
  mkdirSync(place.home);
  mkdirSync(place.project);
  writeFileSync(join(place.home, 'settings.json'), JSON.stringify(SETTINGS));
  try {
    const samples = await load({ ...place, sessions, thinkMs }, seconds, leastCalls);
    const last = samples.at(-1);
    if (last === undefined) return { faults: ['the daemon said nothing'], samples, records: 0 };
    const afterKill = await goOn(place, last.ids);
    const records = recordsIn(join(place.home, 'audit'));
    const chains = verifyAll(join(place.home, 'audit'));
    const broken = chains.flatMap(({ problem }) => (problem === undefined ? [] : [JSON.stringify(problem)]));
    const faults = [...last.faults, ...afterKill, ...broken, ...faultsOnRecord(records, last)];
    return { faults, samples, records: records.length };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const SETTINGS = {
  permissions: { allow: ['Bash(printenv *)'] },
  hooks: {
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'cat > /dev/null' }] }],
    PostToolUse: [
      {
        matcher: 'Bash',
        hooks: [{ type: 'command', command: `printf '{"systemMessage":"%s"}' "$SOAK_MARKER"` }],
      },
    ],
  },
};

/** The daemon runs until it is killed in the middle of its work. */
async function load(options: HostOptions, seconds: number, leastCalls: number): Promise<readonly Sample[]> {
  const program = join(import.meta.dirname, 'soak-host.ts');
  const args = ['--expose-gc', '--import', import.meta.resolve('tsx'), program, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const samples: Sample[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const sample = JSON.parse(line) as Sample;
      samples.push(sample);
      const isBusy = sample.calls.every((count) => count >= leastCalls);
      if ((samples.length >= seconds && isBusy) || sample.faults.length > 0) break;
      if (samples.length >= seconds + PATIENCE)
        return [...samples, { ...sample, faults: ['no call was answered'] }];
    }
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  return samples;
}

/** After a restart every session is there, takes a prompt, and its events go on. */
async function goOn(
  { home, project }: Pick<HostOptions, 'home' | 'project'>,
  ids: readonly SessionId[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  const daemon = await Daemon.open({ env: { PATH: process.env['PATH'], HOME: home, HOOKD_HOME: home } });
  const listed = await daemon.sessions.list();
  for (const [index, id] of ids.entries()) {
    const wrong = (what: string) => faults.push(`${markerOf(index)}: after the restart ${what}`);
    const state = listed.find((info) => info.id === id)?.state;
    if (state !== 'resumable') wrong(`it is ${state ?? 'not listed'}`);
    const session = await daemon.createSession({
      ...{ startDirectory: project, flags: {}, resume: id },
      model: { model: createScriptedModel([]), name: 'scripted' },
    });
    const { lastEventId } = session.info;
    const end = await endOfTurn(session, lastEventId);
    if (end !== 'completed') wrong(`its turn ended with ${end}`);
    await session.end('soak');
  }
  await daemon.close('soak');
  return faults;
}

async function endOfTurn(
  session: Awaited<ReturnType<Daemon['createSession']>>,
  after: number,
): Promise<string> {
  await session.prompt('go on');
  for await (const delivery of session.events(after, new AbortController().signal)) {
    if (delivery.kind !== 'event') return delivery.kind;
    if (delivery.event.kind === 'turn_ended') return delivery.event.end.reason;
    if (delivery.event.kind === 'turn_failed') return delivery.event.message;
  }
  return 'nothing';
}

function recordsIn(audit: string): readonly StoredRecord[] {
  return listWriters(audit).flatMap((writer) =>
    listSegments(join(audit, writer)).flatMap(({ path }) => [...readRecords(path)]),
  );
}

/** Every result that a client saw is on record, in its own session only. */
function faultsOnRecord(records: readonly StoredRecord[], { ids, calls }: Sample): readonly string[] {
  const faults: string[] = [];
  for (const [index, id] of ids.entries()) {
    const marker = markerOf(index);
    const results = records.filter(({ kind, session }) => kind === 'tool_result' && session === id);
    const own = results.filter((record) => String(record['text']).trim() === marker);
    const others =
      results.filter((record) => String(record['text']).startsWith('marker')).length - own.length;
    if (own.length < (calls[index] ?? 0))
      faults.push(`${marker}: ${own.length} of ${calls[index]} on record`);
    if (others > 0) faults.push(`${marker}: ${others} results of other sessions`);
  }
  return faults;
}

function table({ samples, records, faults }: Soak): readonly string[] {
  const rows = samples.map(({ calls, turns, loop, heap, rss }, index) =>
    [
      index + 1,
      calls.reduce((sum, count) => sum + count, 0),
      turns,
      loop.p50.toFixed(1),
      loop.p99.toFixed(1),
      loop.max.toFixed(0),
      heap.toFixed(1),
      rss.toFixed(0),
    ].map((cell) => String(cell).padStart(8)),
  );
  const head = ['second', 'calls', 'turns', 'p50 ms', 'p99 ms', 'max ms', 'heap MB', 'rss MB'];
  return [
    head.map((cell) => cell.padStart(8)).join(''),
    ...rows.map((row) => row.join('')),
    `${records} records. Delays of the event loop: of all the time since the first second.`,
    ...(faults.length === 0 ? ['No session was lost or mixed up; all went on after kill -9.'] : faults),
  ];
}

/** What depends on the machine, too. */
function measured({ samples }: Soak): readonly string[] {
  const last = samples.at(-1);
  const middle = samples[Math.floor(samples.length / 2)];
  if (last === undefined || middle === undefined) return [];
  const growth = last.heap / middle.heap;
  return [
    ...(last.loop.p99 < MOST_DELAY_MS ? [] : [`p99 of the event loop is ${last.loop.p99.toFixed(1)} ms`]),
    ...(growth < MOST_GROWTH ? [] : [`the heap grew ${growth.toFixed(2)} times in the second half`]),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [sessions = 50, seconds = 60, thinkMs = 1000] = process.argv.slice(2).map(Number);
  const soak = await soakSessions(sessions, seconds, thinkMs);
  const tooSlow = measured(soak);
  console.log([...table(soak), ...tooSlow].join('\n'));
  process.exit(soak.faults.length === 0 && tooSlow.length === 0 ? 0 : 1);
}
