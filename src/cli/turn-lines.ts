/** What happened in the turns of a session, a line each, as the audit log has it. Records are data that anybody may have written. */
import type { StoredRecord } from '../audit/chain.ts';
import { newestFirst } from '../audit/newest.ts';
import { counted } from './columns.ts';
import { oneLine } from './output.ts';
import { at, durationWords, text } from './record-words.ts';
import { shortCount } from './usage-line.ts';

/** The newest `most` turns, oldest first. Throws a system error when the audit directory cannot be read. */
export function turnLines(auditDirectory: string, session: string, most: number): readonly string[] {
  return endedTurns(auditDirectory, session, most).map(turnLine);
}

/** Their `turn_ended` records. What cannot be read is passed over: `hookd audit verify` tells of it. */
export function endedTurns(auditDirectory: string, session: string, most: number): readonly StoredRecord[] {
  const ofSession = Buffer.from(`"session":${JSON.stringify(session)}`);
  const records = newestFirst(auditDirectory, {
    since: undefined,
    mayFit: (bytes) => bytes.includes('"kind":"turn_ended"') && bytes.includes(ofSession),
    onUnsound: () => undefined,
    onUnread: () => undefined,
  });
  const found: StoredRecord[] = [];
  for (const { record } of records) {
    if (record.kind !== 'turn_ended' || record.session !== session) continue;
    found.push(record);
    if (found.length >= most) break;
  }
  return found.reverse();
}

/** `turn 3: completed · 5 requests · Bash 3 ok, 1 denied; Edit 1 ok · 1.2k tokens in, 56 out · 21.4 s (model 18.9 s)` */
export function turnLine(record: StoredRecord): string {
  const summary = record['summary'];
  const requests = numberOf(at(summary, 'requests') ?? record['requests']);
  const retries = numberOf(at(summary, 'retries'));
  const compactions = numberOf(at(summary, 'compactions'));
  const parts = [
    text(record['reason']),
    counted(requests, 'request'),
    ...(retries === 0 ? [] : [`${retries} sent again`]),
    ...(compactions === 0 ? [] : [counted(compactions, 'compaction')]),
    callWords(at(summary, 'calls')),
    tokenWords(at(summary, 'usage')),
    timeWords(at(summary, 'duration_ms')),
  ];
  const said = parts.filter((part) => part !== '').join(' · ');
  return oneLine(`turn ${text(record.turn)}: ${said}`, 400);
}

function callWords(calls: unknown): string {
  if (typeof calls !== 'object' || calls === null) return '';
  return Object.entries(calls)
    .map(([tool, outcomes]) => {
      const counts = typeof outcomes === 'object' && outcomes !== null ? Object.entries(outcomes) : [];
      const words = counts.map(([outcome, count]) => `${text(count)} ${outcome.replace('_', ' ')}`);
      return `${tool} ${words.join(', ')}`.trim();
    })
    .join('; ');
}

function tokenWords(usage: unknown): string {
  const sent = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']
    .map((name) => numberOf(at(usage, name)))
    .reduce((all, one) => all + one, 0);
  const received = numberOf(at(usage, 'output_tokens'));
  return sent + received === 0 ? '' : `${shortCount(sent)} tokens in, ${shortCount(received)} out`;
}

const PARTS = ['model', 'tools', 'hooks', 'questions'];

function timeWords(times: unknown): string {
  if (typeof at(times, 'total') !== 'number') return '';
  const parts = PARTS.filter((part) => numberOf(at(times, part)) > 0).map(
    (part) => `${part} ${durationWords(at(times, part))}`,
  );
  const total = durationWords(at(times, 'total'));
  return parts.length === 0 ? total : `${total} (${parts.join(', ')})`;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
