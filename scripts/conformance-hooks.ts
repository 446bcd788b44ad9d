/**
 * Plays cases of hook runs against the built hookd and compares what can be compared with another host.
 * Prints `agree N/M · differs on purpose D · not supported S · wrong W` and every id that does not agree.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { compareCase, type HookCase, playCase } from '../tests/conformance/hook-cases.ts';
import { EXCUSES, type Verdict, verdictOn } from '../tests/conformance/hook-excuses.ts';
import type { PlayedFile } from './conformance-permissions.ts';

const PARALLEL = 2;

/** Answers the exit code: 1 when a case is wrong. */
export async function playHooks({ file, only, json, verbose }: PlayedFile): Promise<number> {
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
    if (row.verdict === 'wrong' || verbose)
      for (const line of row.differences) console.log(`               ${line}`);
  }
  const needless = rows.filter(({ id, verdict }) => verdict === 'agree' && EXCUSES[id] !== undefined);
  for (const { id } of needless) console.log(`needless excuse ${id}`);
  const compared = rows.length - count('on purpose') - count('not supported');
  console.log(
    `agree ${count('agree')}/${compared} · differs on purpose ${count('on purpose')} · not supported ${count('not supported')} · wrong ${count('wrong')}`,
  );
  if (json !== undefined)
    writeFileSync(json, JSON.stringify({ rows, seen: Object.fromEntries(outcomes) }, null, 1));
  return count('wrong') === 0 ? 0 : 1;
}
