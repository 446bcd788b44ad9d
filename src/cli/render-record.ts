/** One audit record as one readable line: time, session, kind, and what matters of it. */
import type picocolors from 'picocolors';
import type { StoredRecord } from '../audit/chain.ts';
import type { StoredKind } from '../audit/record-schema.ts';
import { COLUMNS } from './columns.ts';
import { oneLine } from './output.ts';
import {
  at,
  causeWords,
  durationWords,
  endWords,
  hookWords,
  inputWords,
  isThere,
  list,
  text,
} from './record-words.ts';

type Colours = ReturnType<typeof picocolors.createColors>;

const KIND_WIDTH = 14;
const SESSION_WIDTH = 6;
/** A line is not wider than this, however wide the terminal is. */
const WIDEST = 200;

/** What a record says, by kind, in the order in which it matters: the end of the line may be cut. */
const SUMMARIES = {
  daemon_started: (r) => words(r['mode'], r['writer']),
  daemon_stopped: (r) =>
    words(r['reason'], r['open_intents'] === 0 ? '' : `calls without an outcome: ${text(r['open_intents'])}`),
  settings_loaded: (r) => sourcesOf(r),
  settings_changed: (r) => words(changeOf(r), sourcesOf(r)),
  settings_rejected: (r) => list(r['problems']).map(text).join(' · '),
  session_started: (r) => words(r['permission_mode'], r['model'], 'in', at(r['workplace'], 'cwd')),
  mode_chosen: (r) => words(r['before'], '→', r['mode'], 'by', r['client']),
  trust_given: (r) => words(r['project'], 'by', r['client'], loosened(r)),
  trust_revoked: (r) => words(r['project'], 'by', r['client']),
  settings_accepted: (r) => words(r['project'], 'by', r['client'], loosened(r)),
  session_resumed: (r) =>
    words(
      `${text(r['messages'])} messages from`,
      r['transcript'],
      r['fork_of'] === undefined ? '' : 'as a copy',
    ),
  session_ended: (r) => text(r['reason']),
  prompt: (r) => text(r['text']),
  model_request: (r) => `${text(r['model'])}, ${text(r['messages'])} messages`,
  model_response: (r) => words(r['stop_reason'], ...list(r['content']).map(blockText)),
  model_failed: (r) => words(r['code'], r['message']),
  tool_use: (r) => words(r['name'], inputWords(r['input'])),
  tool_call: (r) => words(r['tool'], r['input'] === undefined ? '' : inputWords(r['input'])),
  permission: (r) => words(r['decision'], `${text(r['tool'])}:`, causeWords(r['cause'])),
  approval_requested: (r) => words(r['subject'], causeWords(r['cause'])),
  approval_resolved: (r) =>
    words(r['answer'], r['client'] ?? r['why'], 'after', durationWords(r['waited_ms']), r['reason']),
  approval_remembered: (r) => words(r['rule'], 'by', r['client']),
  hook_started: (r) => hookWords(r['hook']),
  hook_run: (r) =>
    words(
      r['verdict'],
      endWords(r['end']),
      durationWords(r['duration_ms']),
      hookWords(r['hook']),
      at(r['failure'], 'what'),
      r['reason'],
    ),
  input_rewritten: (r) => words(r['tool'], inputWords(r['after']), 'by', hookWords(r['by'])),
  hooked_call: (r) => words(r['verdict'], r['tool'], r['reason']),
  output_replaced: (r) => words(r['text'], 'by', hookWords(r['by'])),
  context_added: (r) => words(`${text(r['event'])}:`, r['text']),
  prompt_refused: (r) => words(r['reason'], 'by', hookWords(r['by'])),
  stop_blocked: (r) => words(r['reason'], 'by', hookWords(r['by'])),
  tool_started: (r) => text(r['tool']),
  process_started: (r) => words('pid', at(r['process'], 'pid'), hookOf(r)),
  tool_result: (r) => words(r['outcome'], durationWords(r['duration_ms']), r['text']),
  compaction_started: (r) =>
    words(r['trigger'], r['how'], `${text(r['messages'])} messages, ${text(r['tokens'])} tokens`),
  compacted: (r) =>
    words(
      ...[r['trigger'], `${text(r['how'])}:`, r['tokens_before'], 'to', r['tokens_after'], 'tokens'],
      r['summary'],
    ),
  compaction_left_out: (r) =>
    words(r['trigger'], r['reason'], isThere(r['by']) ? `by ${hookWords(r['by'])}` : ''),
  turn_ended: (r) => words(r['reason'], `after ${text(r['requests'])} requests`, r['detail']),
  outcome_unknown: (r) => words(r['tool'], 'may or may not have taken effect; chain', r['of_writer']),
  segment_started: (r) => words(r['reason'], r['detail']),
  segment_rotated: (r) => words('by', r['reason'], 'after', r['previous']),
  checkpoint: (r) => words(r['count'], 'records, head', r['head']),
  leftover_process: (r) => words(r['state'], 'pid', at(r['process'], 'pid'), 'of', r['of_writer']),
  chain_removed: (r) => words('by', r['reason'], r['of_writer'], `${text(r['last_seq'])} records`),
  disk_space: (r) => words(r['state'], `${text(r['free'])} bytes free at`, r['directory']),
  sink_state: (r) => words(r['state'], r['sink'], `${text(r['behind'])} behind`, r['detail']),
} as const satisfies Record<StoredKind, (record: StoredRecord) => string>;

function loosened(record: StoredRecord): string {
  return list(record['files'])
    .flatMap((file) => list(at(file, 'loosens')).map(text))
    .join('; ');
}

/** All kinds of record, for flags that name one. */
export const KINDS: readonly string[] = Object.keys(SUMMARIES);

/** What matters of a record, on a line that may be long. A kind of a later version shows its own fields. */
export function summaryOf(record: StoredRecord): string {
  const summarise = (SUMMARIES as Readonly<Record<string, (record: StoredRecord) => string>>)[record.kind];
  return summarise === undefined ? text(ownFields(record)) : summarise(record);
}

export function renderRecord(record: StoredRecord, colours: Colours, columns = COLUMNS): string {
  const session = (record.session ?? '-').slice(0, SESSION_WIDTH).padEnd(SESSION_WIDTH);
  const start = `${record.time.slice(11, 19)} ${session} ${record.kind.padEnd(KIND_WIDTH)}`;
  const line = oneLine(`${start} ${summaryOf(record)}`, Math.min(columns, WIDEST));
  return colourOf(record, colours)(line.trimEnd());
}

/** The day of a record, for a line of its own where it changes. */
export function dayOf(record: StoredRecord): string {
  return oneLine(record.time.slice(0, 10), COLUMNS);
}

function colourOf(record: StoredRecord, colours: Colours): (line: string) => string {
  if (record['decision'] === 'deny' || record['answer'] === 'deny' || record['verdict'] === 'block')
    return colours.red;
  if (record['decision'] === 'allow') return colours.green;
  if (
    ['settings_rejected', 'model_failed', 'outcome_unknown', 'segment_started', 'disk_space'].includes(
      record.kind,
    )
  )
    return colours.red;
  if (['approval_requested', 'approval_resolved'].includes(record.kind) || record['failure'] !== undefined)
    return colours.yellow;
  if (record.kind === 'tool_result' && record['outcome'] !== 'ok') return colours.yellow;
  if (['tool_use', 'prompt', 'model_response'].includes(record.kind)) return (line) => line;
  return colours.dim;
}

function words(...parts: readonly unknown[]): string {
  return parts.filter(isThere).map(text).join(' ');
}

function ownFields(record: StoredRecord): Readonly<Record<string, unknown>> {
  const { v, seq, prev, time, kind, session, turn, policy, hash, ...own } = record;
  return own;
}

function hookOf(record: StoredRecord): string {
  return record['hook'] === undefined ? '' : `of ${hookWords(record['hook'])}`;
}

function blockText(block: unknown): string {
  return at(block, 'type') === 'text' ? text(at(block, 'text')) : `[${text(at(block, 'name'))}]`;
}

function sourcesOf(record: StoredRecord): string {
  const sources = list(record['sources']).map((source) => text(at(source, 'path')));
  return sources.length === 0 ? 'no settings files' : sources.join(', ');
}

function changeOf(record: StoredRecord): string {
  const added = list(record['added']).map((rule) => `+ ${text(rule)}`);
  const removed = list(record['removed']).map((rule) => `- ${text(rule)}`);
  return [...added, ...removed].join('  ');
}
