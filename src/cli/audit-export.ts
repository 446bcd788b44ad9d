/** `hookd audit export`: the records as CSV for spreadsheets, or as they are stored; the newest first, whatever the size of the log. */
import { basename, dirname } from 'node:path';
import { newestFirst } from '../audit/newest.ts';
import type { Found } from '../audit/read-back.ts';
import { fits, mayFit, type RecordFilter, toolOf } from '../audit/select.ts';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { ReadingFaults } from './audit-tail.ts';
import { type Output, printable } from './output.ts';
import { causeWords, endWords, text } from './record-words.ts';
import { summaryOf } from './render-record.ts';

export interface ExportOptions {
  readonly auditDirectory: string;
  readonly filter: RecordFilter;
  readonly format: 'csv' | 'jsonl';
}

/** Docs: docs/cli.md. */
const COLUMNS: Readonly<Record<string, (found: Found) => unknown>> = {
  time: ({ record }) => record.time,
  writer: ({ path }) => basename(dirname(path)),
  seq: ({ record }) => record.seq,
  session: ({ record }) => record.session,
  turn: ({ record }) => record.turn,
  kind: ({ record }) => record.kind,
  tool_use_id: ({ record }) => record.tool_use_id,
  tool: ({ record }) => toolOf(record),
  result: ({ record }) => record['decision'] ?? record['outcome'] ?? record['verdict'] ?? record['answer'],
  cause: ({ record }) => (record['cause'] === undefined ? undefined : causeWords(record['cause'], true)),
  end: ({ record }) => (record['end'] === undefined ? undefined : endWords(record['end'])),
  ms: ({ record }) => record['duration_ms'] ?? record['waited_ms'],
  summary: ({ record }) => summaryOf(record).slice(0, LONGEST_SUMMARY),
  hash: ({ record }) => record.hash,
};

/** Spreadsheets take 32,767 characters in a cell. */
const LONGEST_SUMMARY = 4000;

export function exportCommand({ auditDirectory, filter, format }: ExportOptions, output: Output): number {
  const faults = new ReadingFaults(output.note);
  const reading = { mayFit: mayFit(filter), since: filter.since, ...faults.callbacks };
  // RFC 4180 ends lines with CR LF; a terminal has no use for the CR.
  const say = (cells: readonly unknown[]) =>
    output.result(`${cells.map(csvCell).join(',')}${output.columns === undefined ? '\r' : ''}`);
  if (format === 'csv') say(Object.keys(COLUMNS));
  try {
    for (const found of newestFirst(auditDirectory, reading)) {
      if (output.isClosed()) break;
      if (!fits(found.record, filter)) continue;
      if (format === 'jsonl') output.result(found.bytes.toString('utf8'));
      else say(Object.values(COLUMNS).map((column) => column(found)));
    }
  } catch (error) {
    const message = `${auditDirectory} cannot be read: ${messageOf(error)}.`;
    throw new HookdError('AUDIT_UNAVAILABLE', message, { cause: error });
  }
  faults.tell();
  return EXIT.done;
}

/** How a formula begins, in a spreadsheet that passes over blanks or takes wide characters for narrow ones. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** One cell: what a spreadsheet would run stands behind an apostrophe, control characters are escapes. */
export function csvCell(value: unknown): string {
  const plain = printable(text(value));
  const safe = FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
