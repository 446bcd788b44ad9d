/**
 * kill -9 at random moments, under four busy sessions of one home:
 *   npx tsx scripts/kill-soak.ts [COUNT] [SEED]
 * Each command leaves a mark on the disk. After each kill all chains must be sound, and each mark of the killed hookd
 * must have its permit on record; then the session is started again, which says what the killed one left open. At the
 * end each permit without a result must have been said (twice, where two starts looked at the same moment), and no
 * other. Exit 1 at the first violation.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { StoredRecord } from '../src/audit/chain.ts';
import { listSegments, listWriters, readRecords } from '../src/audit/read.ts';
import { verifyAll } from '../src/audit/verify.ts';
import { Random } from '../tests/support/random.ts';

const HOOKD = process.env['HOOKD_BIN'] ?? resolve(import.meta.dirname, '../dist/hookd.cjs');
const SESSIONS = 4;
/** Commands of one run: more than it gets to before it is killed. */
const COMMANDS = 300;
/** Of the kills this part comes at any moment after a start; the others when the victim is at work. */
const BLIND = 1 / 4;
const MOST_DELAY_MS = 400;

export interface KillSoak {
  readonly kills: number;
  /** Commands that were executed. */
  readonly marks: number;
  /** Calls that were open when their hookd was killed. */
  readonly open: number;
  readonly records: number;
}

interface Run {
  readonly name: string;
  readonly kill: () => void;
  readonly ended: Promise<unknown>;
}

/** Throws at the first violation. */
export async function killSoak(count: number, seed: number): Promise<KillSoak> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-kill-')));
  const random = new Random(seed);
  const place = makePlace(root);
  const runs: Run[] = [];
  let started = 0;
  const start = (): Run => {
    started += 1;
    return startRun(place, `run${started}`);
  };
  try {
    for (let n = 0; n < SESSIONS; n++) runs.push(start());
    for (let kill = 0; kill < count; kill++) {
      const index = random.below(SESSIONS);
      const victim = runs[index] ?? start();
      if (!random.chance(BLIND)) await isAtWork(place, victim);
      await delay(random.next() * MOST_DELAY_MS);
      victim.kill();
      await victim.ended;
      check(place, `after kill ${kill + 1} (seed ${seed})`);
      runs[index] = start();
    }
  } finally {
    for (const run of runs) run.kill();
    await Promise.all(runs.map((run) => run.ended));
  }
  // The last start says what the last kills left open.
  await startRun(place, 'last', 0).ended;
  const { records, marks } = check(place, `at the end (seed ${seed})`);
  const open = openCalls(records);
  const said = new Set(
    records.filter(({ kind }) => kind === 'outcome_unknown').map((record) => String(record['intent'])),
  );
  const missed = open.filter((permit) => !said.delete(permit.hash));
  if (missed.length > 0 || said.size > 0)
    throw new Error(
      `${missed.length} of ${open.length} open calls were not said; ${said.size} that were not open`,
    );
  rmSync(root, { recursive: true, force: true });
  return { kills: count, marks: marks.length, open: open.length, records: records.length };
}

interface Place {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly marks: string;
}

function makePlace(root: string): Place {
  const place = {
    root,
    home: join(root, 'home'),
    project: join(root, 'project'),
    marks: join(root, 'project/marks'),
  };
  mkdirSync(place.home);
  mkdirSync(place.marks, { recursive: true });
  const hook = { matcher: 'Bash', hooks: [{ type: 'command', command: 'cat > /dev/null' }] };
  const settings = { permissions: { allow: ['Bash(touch *)'] }, hooks: { PostToolUse: [hook] } };
  writeFileSync(join(place.home, 'settings.json'), JSON.stringify(settings));
  return place;
}

/** The name of each mark stands in its command, and nowhere else. */
function startRun({ root, home, project }: Place, name: string, commands = COMMANDS): Run {
  const script = join(root, `${name}.json`);
  const turns = Array.from({ length: commands }, (_, n) => [
    { type: 'tool_use', name: 'Bash', input: { command: `touch marks/${name}-${n}` } },
  ]);
  writeFileSync(script, JSON.stringify([...turns, [{ type: 'text', text: 'done' }]]));
  const args = [HOOKD, '-p', 'go', '--max-turns', String(COMMANDS + 1), '--model-script', script];
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, HOOKD_HOME: home, NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return { name, kill: () => child.kill('SIGKILL'), ended };
}

async function isAtWork({ marks }: Place, { name }: Run): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!readdirSync(marks).some((mark) => mark.startsWith(`${name}-`))) {
    if (Date.now() > deadline) throw new Error(`${name} does nothing`);
    await delay(5);
  }
}

function check({ home, marks: directory }: Place, when: string) {
  const audit = join(home, 'audit');
  // Marks first: a command of a living session may come between.
  const marks = readdirSync(directory);
  const fault = verifyAll(audit).find(({ problem }) => problem !== undefined);
  if (fault !== undefined) throw new Error(`${when}: ${JSON.stringify(fault)}`);
  const records = listWriters(audit).flatMap((writer) =>
    listSegments(join(audit, writer)).flatMap(({ path }) => [...readRecords(path)]),
  );
  const permitted = new Set(
    records.filter((record) => record.kind === 'permission' && record['decision'] === 'allow').map(callOf),
  );
  const intents = new Set(
    records
      .filter((record) => record.kind === 'tool_use' && permitted.has(callOf(record)))
      .map((record) => String((record['input'] as { command: string }).command).replace('touch marks/', '')),
  );
  const unknown = marks.filter((mark) => !intents.has(mark));
  if (unknown.length > 0)
    throw new Error(`${when}: executed without a permit on record: ${unknown.join(', ')}`);
  return { records, marks };
}

const callOf = (record: StoredRecord): string => `${record.session} ${record.tool_use_id}`;

function openCalls(records: readonly StoredRecord[]): readonly StoredRecord[] {
  const answered = new Set(records.filter(({ kind }) => kind === 'tool_result').map(callOf));
  return records.filter(
    (record) =>
      record.kind === 'permission' && record['decision'] === 'allow' && !answered.has(callOf(record)),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [count, seed] = [Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 1)];
  const { kills, marks, open, records } = await killSoak(count, seed);
  console.log(
    `${kills} kills, ${marks} commands executed, ${open} calls left open and said, ${records} records: all sound`,
  );
}
