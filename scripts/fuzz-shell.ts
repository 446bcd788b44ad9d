/**
 * Random commands through real bash (harmless: no real program can be started, see tests/permissions/fuzz) and through the
 * analysis: every command that bash starts, and every file that it writes, must have been foreseen, unless the analysis
 * said that it cannot tell; and no rule about it may have been passed.
 *   npx tsx scripts/fuzz-shell.ts [COUNT] [SEED]
 * Prints the cases, the share that could not be told, and each miss with a shorter command that shows it. Exit 1 on a miss.
 */
import { fuzzShell, shrink } from '../tests/permissions/fuzz/run.ts';

/** Each miss costs some hundred runs of bash to make it shorter. */
const MOST_SHRUNK = 10;

const count = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 1);
if (!Number.isInteger(count) || !Number.isInteger(seed) || count < 1) {
  console.error('usage: npx tsx scripts/fuzz-shell.ts [COUNT] [SEED]   (whole numbers)');
  process.exit(2);
}

const began = performance.now();
const tally = await fuzzShell(count, seed, ({ cases, misses }) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${cases} cases, ${misses.length} misses `);
});
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
const seconds = (performance.now() - began) / 1000;

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
const unknown = [...tally.cannotTell.values()].reduce((sum, one) => sum + one, 0);
console.log(
  `${tally.cases} cases with seed ${seed} in ${seconds.toFixed(0)} s (${(tally.cases / seconds).toFixed(0)} a second)`,
);
console.log(
  `bash did something in ${tally.active}; in ${tally.active - unknown} of them (${percent(tally.active - unknown, tally.active)}) all of it had to be foreseen`,
);
console.log(
  `commands and files: ${tally.seen}, foreseen word for word: ${tally.exact} (${percent(tally.exact, tally.seen)})`,
);
if (tally.hung > 0) console.log(`ended because they waited: ${tally.hung}`);
console.log(`cannot tell: ${unknown} (${percent(unknown, tally.active)})`);
for (const [why, times] of [...tally.cannotTell].sort((a, b) => b[1] - a[1]))
  console.log(`  ${String(times).padStart(5)}  ${why}`);
console.log(`misses: ${tally.misses.length}`);
for (const [index, miss] of tally.misses.entries()) {
  const { text, misses } = index < MOST_SHRUNK ? await shrink(miss) : miss;
  console.log(`\n${text}\n  ${misses.join('\n  ')}`);
  if (text !== miss.text) console.log(`  found as ${JSON.stringify(miss.text)}`);
}
process.exit(tally.misses.length > 0 ? 1 : 0);
