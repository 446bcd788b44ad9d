/**
 * How fast are records written, and what do the barriers cost?
 *   npx tsx scripts/audit-rate.ts [ROUNDS] [SESSIONS] [--json]
 *   npx tsx scripts/audit-rate.ts 10 8     # ten rounds, a second each
 * The channel and the bare loop (scripts/bench/audit-loop.ts) take turns, since the disk is not equally fast at all
 * times. Exit 1 when one of the LIMITS is not kept.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditRounds, type Measured, rate } from './bench/audit-loop.ts';
import { median, quantile } from './bench/statistics.ts';

const LIMITS = { recordsPerSecond: 20_000, barrierP99Ms: 10, ratio: 0.7, memoryGrowth: 1.5 };
const ROUND_MS = 500;

const [roundsGiven, sessionsGiven] = process.argv.slice(2).filter((word) => word !== '--json');
const rounds = Math.max(2, Number(roundsGiven ?? 10));
const sessions = Number(sessionsGiven ?? 8);
const root = mkdtempSync(join(process.env['AUDIT_RATE_DIR'] ?? tmpdir(), 'hookd-rate-'));
const options = { sessions, ms: ROUND_MS };

const ours: Measured[] = [];
const theirs: Measured[] = [];
const memory: number[] = [];
for await (const round of auditRounds(root, rounds, options)) {
  ours.push(round.ours);
  theirs.push(round.bare);
  globalThis.gc?.();
  memory.push(process.memoryUsage().rss / 2 ** 20);
}
rmSync(root, { recursive: true, force: true });

const barriers = (all: readonly Measured[]) =>
  quantile(
    all.flatMap(({ barriersMs }) => barriersMs),
    0.99,
  );
const cpu = (all: readonly Measured[]) => median(all.map(({ cpuMs, records }) => (1000 * cpuMs) / records));
const figures = {
  recordsPerSecond: median(ours.map(rate)),
  barrierP99Ms: barriers(ours),
  ratio: median(ours.map((measured, round) => rate(measured) / rate(theirs[round] ?? measured))),
  memoryGrowth: (memory.at(-1) ?? 0) / (memory[Math.floor(rounds / 2)] ?? 1),
  cpuMicrosecondsARecord: cpu(ours),
};
const bare = {
  recordsPerSecond: median(theirs.map(rate)),
  barrierP99Ms: barriers(theirs),
  cpuMicrosecondsARecord: cpu(theirs),
};
const kept = {
  recordsPerSecond: figures.recordsPerSecond >= LIMITS.recordsPerSecond,
  barrierP99Ms: figures.barrierP99Ms <= LIMITS.barrierP99Ms,
  ratio: figures.ratio >= LIMITS.ratio,
  memoryGrowth: figures.memoryGrowth <= LIMITS.memoryGrowth,
};
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ sessions, rounds, figures, bare, kept }));
} else {
  const shown = (name: keyof typeof bare, digits: number) =>
    `${figures[name].toFixed(digits)} (${bare[name].toFixed(digits)})`;
  console.log(
    `${sessions} sessions, ${rounds} rounds of ${ROUND_MS / 1000} s each, medians; bare loop in brackets`,
  );
  console.log(`records a second   ${shown('recordsPerSecond', 0)}, ratio ${figures.ratio.toFixed(2)}`);
  console.log(`barrier p99 ms     ${shown('barrierP99Ms', 1)}`);
  console.log(`CPU us a record    ${shown('cpuMicrosecondsARecord', 1)}`);
  console.log(
    `memory MB          ${memory.map((mb) => mb.toFixed(0)).join(' ')}; end / middle ${figures.memoryGrowth.toFixed(2)}`,
  );
}
const missed = Object.entries(kept).flatMap(([name, isKept]) => (isKept ? [] : [name]));
if (missed.length > 0) console.error(`not kept: ${missed.join(', ')}`);
process.exit(missed.length === 0 ? 0 : 1);
