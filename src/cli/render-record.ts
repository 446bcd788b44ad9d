/** One audit record as one readable line: time, session, kind, and what matters of it. */
import type picocolors from 'picocolors';
import type { StoredRecord } from '../audit/chain.ts';
import { oneLine } from './output.ts';

type Colours = ReturnType<typeof picocolors.createColors>;

const WIDTH = 160;
const KIND_WIDTH = 18;

/** What a record says, by kind; a kind without a row shows its own fields. */
const SUMMARIES: Readonly<Record<string, (record: StoredRecord) => string>> = {
  daemon_started: (r) => `${r['mode']} ${r['writer']}`,
  daemon_stopped: (r) => text(r['reason']),
  settings_loaded: (r) => sourcesOf(r),
  settings_changed: (r) => `${sourcesOf(r)} ${changeOf(r)}`,
  settings_rejected: (r) => list(r['problems']).join(' · '),
  session_started: (r) => `${at(r['workplace'], 'cwd')} with ${r['model']}`,
  session_ended: (r) => text(r['reason']),
  prompt: (r) => text(r['text']),
  model_request: (r) => `${r['model']}, ${r['messages']} messages`,
  model_response: (r) => `${r['stop_reason']} ${list(r['content']).map(blockText).join(' ')}`,
  model_failed: (r) => text(r['message']),
  tool_use: (r) => `${r['name']} ${text(r['input'])}`,
  tool_call: (r) => `${r['tool']} ${text(r['input'])}`,
  permission: (r) => `${r['decision']} ${r['tool']}: ${r['reason']}`,
  approval_requested: (r) => `${r['subject'] ?? r['tool']}: ${r['reason']}`,
  approval_resolved: (r) => `${r['answer']} ${r['client'] ?? r['why'] ?? ''}`,
  hook_started: (r) => nameOf(r['hook']),
  hook_run: (r) =>
    `${r['verdict']} (${text(at(r['end'], 'kind'))}) ${text(r['reason'])} from ${nameOf(r['hook'])}`,
  input_rewritten: (r) => `${r['tool']} by ${nameOf(r['by'])}: ${text(r['after'])}`,
  hooked_call: (r) => `${r['tool']}: ${r['verdict']} ${text(r['reason'])}`,
  output_replaced: (r) => `by ${nameOf(r['by'])}: ${text(r['text'])}`,
  context_added: (r) => `${r['event']}: ${text(r['text'])}`,
  prompt_refused: (r) => `by ${nameOf(r['by'])}: ${text(r['reason'])}`,
  stop_blocked: (r) => `by ${nameOf(r['by'])}: ${text(r['reason'])}`,
  tool_started: (r) => text(r['tool']),
  process_started: (r) => `pid ${at(r['process'], 'pid')}`,
  tool_result: (r) => `${r['outcome']} ${text(r['text'])}`,
  turn_ended: (r) => `${r['reason']} after ${r['requests']} requests ${text(r['detail'])}`,
  outcome_unknown: (r) => `${r['tool']} of ${r['of_writer']}: it may or may not have taken effect`,
  segment_started: (r) => text(r['detail']),
};

export function renderRecord(record: StoredRecord, colours: Colours): string {
  const summary = SUMMARIES[record.kind]?.(record) ?? '';
  const session = record.session === undefined ? '-'.repeat(8) : record.session.slice(0, 8);
  const start = oneLine(`${record.time.slice(11, 23)} ${session} ${record.kind.padEnd(KIND_WIDTH)}`, WIDTH);
  const line = `${start} ${oneLine(summary, WIDTH)}`;
  return colourOf(record, colours)(line.trimEnd());
}

function colourOf(record: StoredRecord, colours: Colours): (line: string) => string {
  if (record['decision'] === 'deny' || record['answer'] === 'deny') return colours.red;
  if (record['decision'] === 'allow') return colours.green;
  if (['settings_rejected', 'model_failed', 'outcome_unknown', 'segment_started'].includes(record.kind))
    return colours.red;
  if (['approval_requested', 'approval_resolved'].includes(record.kind)) return colours.yellow;
  if (record.kind === 'tool_result' && record['outcome'] !== 'ok') return colours.yellow;
  if (['tool_use', 'prompt', 'model_response'].includes(record.kind)) return (line) => line;
  return colours.dim;
}

function text(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Of a hook: the event, and what is run. */
function nameOf(hook: unknown): string {
  return `${text(at(hook, 'event'))} ${text(at(hook, 'name'))}`;
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
