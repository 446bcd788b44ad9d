/**
 * Plays a file of permission rows and says where hookd answers otherwise than they expect.
 * Prints every miss and `agree N/M · looser L · stricter S · refused R`; M leaves out the refused rows.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Judged, judgeRows, linesOf, type Verdict } from '../tests/conformance/row-verdict.ts';
import { type Row, rowsIn } from '../tests/conformance/rows.ts';

export interface PlayedFile {
  readonly file: string;
  readonly only: readonly string[] | undefined;
  /** Where to write the results, if anywhere. */
  readonly json: string | undefined;
  readonly verbose: boolean;
}

/** Answers the exit code: 1 when a row is looser. */
export function playPermissions({ file, only, json }: PlayedFile): number {
  const rows: readonly Row[] = rowsIn(readFileSync(file, 'utf8'));
  const began = performance.now();
  const judged = judgeRows(rows.filter(({ id }) => only === undefined || only.includes(id)));
  for (const verdict of ['refused', 'stricter', 'looser'] as const) {
    for (const one of judged.filter((each) => each.verdict === verdict)) console.log(linesOf(one));
  }
  console.log(summaryOf(judged));
  const seconds = (performance.now() - began) / 1000;
  console.error(`${judged.length} rows in ${seconds.toFixed(1)} s`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(judged.map(resultOf), null, 1)}\n`);
  return judged.some(({ verdict }) => verdict === 'looser') ? 1 : 0;
}

function summaryOf(judged: readonly Judged[]): string {
  const count = (verdict: Verdict): number => judged.filter((one) => one.verdict === verdict).length;
  const compared = judged.length - count('refused');
  return `agree ${count('agree')}/${compared} · looser ${count('looser')} · stricter ${count('stricter')} · refused ${count('refused')}`;
}

function resultOf({ row, verdict, got, why }: Judged): object {
  const { id, area, mode, expected, observed } = row;
  return { id, area, mode, verdict, expected, observed, got, why };
}
