/**
 * Plays cases of hook runs against the built hookd and compares what can be compared with another host.
 *   npx tsx scripts/conformance.ts hooks FILE [--only ID,ID] [--json OUT] [--verbose]
 * Prints `agree N/M · differs on purpose D · not supported S · wrong W` and every id that does not agree. Exit 1 when one is wrong.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { compareCase, type HookCase, playCase } from '../tests/conformance/hook-cases.ts';
import { EXCUSES, type Verdict, verdictOn } from '../tests/conformance/hook-excuses.ts';

const PARALLEL = 2;

const [kind, file] = process.argv.slice(2);
if (kind !== 'hooks' || file === undefined) {
  console.error('usage: npx tsx scripts/conformance.ts hooks FILE [--only ID,ID] [--json OUT] [--verbose]');
  process.exit(2);
}
const option = (name: string): string | undefined => {
  const index = process.argv.indexOf(name);
  return index < 0 ? undefined : process.argv[index + 1];
};
const only = option('--only')?.split(',');
const parsed = JSON.parse(readFileSync(file, 'utf8')) as { cases?: HookCase[] } | HookCase[];
const all = Array.isArray(parsed) ? parsed : (parsed.cases ?? []);
const cases = all.filter(({ id }) => only === undefined || only.includes(id));

const queue = [...cases];
const outcomes = new Map<string, { differences: readonly string[]; seen: unknown }>();
await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const seen = await playCase(next);
      outcomes.set(next.id, { differences: compareCase(next, seen), seen });
    }
  }),
);

const rows = cases.map(({ id, area }) => {
  const differences = outcomes.get(id)?.differences ?? ['was not played'];
  return { id, area, verdict: verdictOn(id, differences), differences, why: EXCUSES[id]?.why };
});
const count = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).length;
for (const row of rows.filter(({ verdict }) => verdict !== 'agree')) {
  console.log(`${row.verdict.padEnd(14)} ${row.id}${row.why === undefined ? '' : `  (${row.why})`}`);
  if (row.verdict === 'wrong' || process.argv.includes('--verbose'))
    for (const line of row.differences) console.log(`               ${line}`);
}
const needless = rows.filter(({ id, verdict }) => verdict === 'agree' && EXCUSES[id] !== undefined);
for (const { id } of needless) console.log(`needless excuse ${id}`);
const compared = rows.length - count('on purpose') - count('not supported');
console.log(
  `agree ${count('agree')}/${compared} · differs on purpose ${count('on purpose')} · not supported ${count('not supported')} · wrong ${count('wrong')}`,
);
const out = option('--json');
if (out !== undefined)
  writeFileSync(out, JSON.stringify({ rows, seen: Object.fromEntries(outcomes) }, null, 1));
process.exit(count('wrong') === 0 ? 0 : 1);
