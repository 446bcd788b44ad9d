/** What each kind of record adds to the story of a call: a label, words, and a text that is shown as it is. */
import type { StoredRecord } from '../audit/chain.ts';
import {
  at,
  causeWords,
  durationWords,
  endWords,
  hookWords,
  isThere,
  list,
  placeWords,
  text,
} from './record-words.ts';

export interface Step {
  readonly label: string;
  readonly words: string;
  /** Somebody else's text, line by line behind a bar. */
  readonly block?: unknown;
  readonly tone?: 'red' | 'green' | 'yellow' | 'dim';
}

/** A kind without a row says nothing that its neighbours do not. */
export const STEPS: Readonly<Record<string, (record: StoredRecord) => Step | undefined>> = {
  tool_use: (r) => ({
    label: 'asked',
    words: `the model asked for ${text(r['name'])}`,
    block: inputBlock(r['input']),
  }),
  tool_call: (r) =>
    r['input'] === undefined
      ? undefined
      : { label: 'read as', words: text(r['tool']), block: inputBlock(r['input']), tone: 'dim' },
  hook_run: hookStep,
  input_rewritten: (r) => ({
    label: 'rewritten',
    words: `by ${hookWords(r['by'])} (${placeWords(r['by'], true)})`,
    tone: 'yellow',
  }),
  hooked_call: (r) =>
    r['verdict'] === 'none' ? undefined : { label: 'hooks say', words: sentence(r['verdict'], r['reason']) },
  approval_requested: (r) => ({
    label: 'question',
    words: `to a person, because of ${causeWords(r['cause'], true)}`,
    tone: 'yellow',
  }),
  approval_resolved: (r) => ({
    label: 'answer',
    words: sentence(
      `${text(r['answer'])} by ${text(r['client'] ?? 'nobody')} after ${durationWords(r['waited_ms'])}`,
      r['reason'] ?? r['why'],
    ),
    tone: r['answer'] === 'allow' ? 'green' : 'red',
  }),
  permission: (r) => ({
    label: r['decision'] === 'allow' ? 'allowed' : 'denied',
    words: `by ${causeWords(r['cause'], true)}; settings ${text(r['decided_by_policy']).slice(0, 12)}`,
    tone: r['decision'] === 'allow' ? 'green' : 'red',
  }),
  tool_started: (r) => ({ label: 'begins', words: `${text(r['tool'])}; everything above is on the disk` }),
  process_started: (r) =>
    r['hook'] === undefined
      ? { label: 'process', words: `pid ${text(at(r['process'], 'pid'))}`, tone: 'dim' }
      : undefined,
  tool_result: (r) => ({
    label: 'result',
    words: [text(r['outcome']).replace('_', ' '), took(r['duration_ms'])].filter(isThere).join(' '),
    block: r['text'],
    tone: r['outcome'] === 'ok' ? 'green' : 'red',
  }),
  output_replaced: (r) => ({
    label: 'replaced',
    words: `for the model, by ${hookWords(r['by'])} (${placeWords(r['by'], true)})`,
    block: r['text'],
    tone: 'yellow',
  }),
  leftover_process: (r) => ({
    label: 'left over',
    words: `pid ${text(at(r['process'], 'pid'))}, by a hookd that was killed: ${text(r['state']).replace('_', ' ')}`,
    tone: r['state'] === 'still_running' ? 'red' : 'dim',
  }),
  outcome_unknown: (r) => ({
    label: 'UNKNOWN',
    words: `a later start found this permit without a result; the process that ran it: ${text(r['writer_life'])}`,
    tone: 'red',
  }),
};

function hookStep(r: StoredRecord): Step {
  const { hook, failure, verdict } = r;
  const said = verdict === 'none' ? (r['is_async'] === true ? 'not waited for' : 'no opinion') : verdict;
  const failed =
    failure === undefined
      ? ''
      : `could not answer (${text(at(failure, 'what'))}): ${text(at(failure, 'became'))}`;
  const warnings = list(r['warnings']).map(text);
  const stderr = written('stderr', r['stderr']);
  // A refusal by exit code is what stands on stderr.
  const reason =
    stderr !== '' && text(r['reason']).includes(text(at(r['stderr'], 'head')).trim()) ? '' : r['reason'];
  const lines = [reason, failed, ...warnings, written('stdout', r['stdout']), stderr];
  return {
    label: 'hook',
    words: `${text(said)} · ${endWords(r['end'])}, ${durationWords(r['duration_ms'])} · ${hookWords(hook)} (${placeWords(hook, true)})`,
    block: lines.filter(isThere).map(text).join('\n'),
    tone: verdict === 'block' ? 'red' : failure !== undefined ? 'yellow' : 'dim',
  };
}

function written(name: string, output: unknown): string {
  const head = text(at(output, 'head')).trimEnd();
  const characters = at(output, 'characters');
  if (head === '') return '';
  const rest =
    typeof characters === 'number' && characters > head.length + 1
      ? ` (${characters} characters in all)`
      : '';
  return `${name}: ${head}${rest}`;
}

const took = (ms: unknown) => (typeof ms === 'number' ? `after ${durationWords(ms)}` : '');

const sentence = (what: unknown, why: unknown) => (isThere(why) ? `${text(what)}: ${text(why)}` : text(what));

/** A command as it is; of other inputs a line a field. */
function inputBlock(input: unknown): string {
  if (typeof input !== 'object' || input === null || 'bytes' in input) return text(input);
  const fields = Object.entries(input);
  const [only] = fields;
  if (fields.length === 1 && only !== undefined && typeof only[1] === 'string') return only[1];
  return fields.map(([key, value]) => `${key}: ${text(value)}`).join('\n');
}
