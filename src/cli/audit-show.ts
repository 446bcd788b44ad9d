/** `hookd audit show TOOL_USE_ID`: the whole story of one call, in the order in which it happened. */
import { type CallEnd, type CallStory, findCalls } from '../audit/call-story.ts';
import type { StoredRecord } from '../audit/chain.ts';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { ReadingFaults } from './audit-tail.ts';
import { diffInputs } from './call-diff.ts';
import { COLUMNS, wrapped } from './columns.ts';
import { type Output, oneLine, printable } from './output.ts';
import { durationWords, isThere, text } from './record-words.ts';
import { STEPS, type Step } from './story-steps.ts';

export interface ShowOptions {
  readonly auditDirectory: string;
  readonly id: string;
  readonly session: string | undefined;
  readonly json: boolean;
}

/** Calls that are named where an id fits several. */
const NAMED = 10;
/** Lines of one text; `--json` has all. */
const TEXT_LINES = 40;
/** Enough to name a session to `--session`. */
const SESSION_WIDTH = 13;
const LABEL_WIDTH = 10;
const OFFSET_WIDTH = 9;
const MARGIN = ' '.repeat(OFFSET_WIDTH + LABEL_WIDTH + 2);

const ENDS: Readonly<Record<CallEnd, string>> = {
  finished: '',
  unknown: 'hookd ended between permit and result: the call may or may not have taken effect.',
  unsaid:
    'hookd ended between permit and result, and none has started since: the call may or may not have taken effect.',
  open: 'No result is on record yet: it is running or waiting, or its hookd cannot be seen from here.',
  not_run: 'hookd ended before the call was permitted: it has not run.',
};

export function showCommand({ auditDirectory, id, session, json }: ShowOptions, output: Output): number {
  const faults = new ReadingFaults(output.note);
  const story = theOne(read(auditDirectory, id, session, faults), id);
  faults.tell();
  if (json) output.result(JSON.stringify(summaryOf(story)));
  else show(story, output);
  return EXIT.done;
}

function read(
  auditDirectory: string,
  id: string,
  session: string | undefined,
  faults: ReadingFaults,
): readonly CallStory[] {
  if (id === '') throw new HookdError('USAGE', 'The id of a call, or how it begins, is missing.');
  try {
    return findCalls(auditDirectory, id, session, faults.callbacks);
  } catch (error) {
    const message = `${auditDirectory} cannot be read: ${messageOf(error)}.`;
    throw new HookdError('AUDIT_UNAVAILABLE', message, { cause: error });
  }
}

function theOne(stories: readonly CallStory[], id: string): CallStory {
  const [story] = stories;
  if (story === undefined)
    throw new HookdError(
      'USAGE',
      `No call on record has an id that begins with ${JSON.stringify(id)}. "hookd audit tail --kind tool_use --json" shows ids.`,
    );
  if (stories.length === 1) return story;
  const named = stories
    .slice(-NAMED)
    .map((one) => `  ${oneLine(`${one.id}  session ${one.session}`, COLUMNS)}`);
  const more = stories.length > NAMED ? [`  and ${stories.length - NAMED} older ones`] : [];
  throw new HookdError(
    'USAGE',
    [
      `${JSON.stringify(id)} fits ${stories.length} calls; give more of the id, or --session:`,
      ...named,
      ...more,
    ].join('\n'),
  );
}

const ofKind = ({ records }: CallStory, kind: string) => records.filter((record) => record.kind === kind);
const lastOf = (story: CallStory, kind: string): StoredRecord | undefined => ofKind(story, kind).at(-1);

/** The story as an object: what was asked, decided, done; the records themselves are in it. */
function summaryOf(story: CallStory): object {
  const { records, session, id, end, files } = story;
  const permission = lastOf(story, 'permission');
  const result = lastOf(story, 'tool_result');
  const rewrites = ofKind(story, 'input_rewritten');
  const asked = lastOf(story, 'tool_use');
  return {
    tool_use_id: id,
    session,
    turn: records.find(({ turn }) => turn !== undefined)?.turn,
    tool: toolName(story),
    end,
    asked: asked?.['input'],
    input: rewrites.at(-1)?.['after'] ?? lastOf(story, 'tool_call')?.['input'] ?? asked?.['input'],
    rewrites: rewrites.map(({ by, before, after }) => ({ by, before, after })),
    hooks: ofKind(story, 'hook_run').map(({ hook, end: ended, duration_ms, verdict, reason, failure }) => {
      return { hook, end: ended, duration_ms, verdict, reason, failure };
    }),
    approvals: ofKind(story, 'approval_resolved').map(({ answer, client, reason, why, waited_ms }) => {
      return { answer, client, reason, why, waited_ms };
    }),
    decision: permission?.['decision'],
    cause: permission?.['cause'],
    asked_by: permission?.['asked_by'],
    outcome: result?.['outcome'],
    timings: timings(story),
    files,
    records,
  };
}

function timings(story: CallStory): Readonly<Record<string, number | undefined>> {
  const sum = (kind: string, field: string) =>
    ofKind(story, kind).reduce((total, record) => total + Number(record[field] ?? 0), 0);
  const times = story.records.map(({ time }) => Date.parse(time));
  const tool = lastOf(story, 'tool_result')?.['duration_ms'];
  return {
    total_ms: story.end === 'finished' ? Math.max(...times) - Math.min(...times) : undefined,
    hooks_ms: sum('hook_run', 'duration_ms'),
    waited_ms: sum('approval_resolved', 'waited_ms'),
    tool_ms: typeof tool === 'number' ? tool : undefined,
  };
}

function toolName(story: CallStory): string {
  const named = story.records.findLast((record) => typeof record['tool'] === 'string');
  return text(named?.['tool'] ?? lastOf(story, 'tool_use')?.['name']);
}

function show(story: CallStory, output: Output): void {
  const { colours } = output;
  const say = (line: string) => output.result(line.trimEnd());
  const [first] = story.records;
  const about = [
    `session ${story.session.slice(0, SESSION_WIDTH)}`,
    ...(first?.turn === undefined ? [] : [`turn ${first.turn}`]),
  ];
  say(colours.bold(oneLine(`${toolName(story)} ${story.id}`, COLUMNS)));
  say(
    colours.dim(
      oneLine(`${first?.time.replace('T', ' ').replace('Z', ' UTC')} · ${about.join(' · ')}`, COLUMNS),
    ),
  );
  say('');
  const began = Date.parse(first?.time ?? '');
  for (const record of story.records) {
    const step = STEPS[record.kind]?.(record);
    if (step !== undefined) sayStep(step, `+${durationWords(Date.parse(record.time) - began)}`, say, output);
    if (record.kind === 'input_rewritten')
      for (const { sign, text: line } of diffInputs(record['before'], record['after']))
        say(
          (sign === '-' ? colours.red : colours.green)(
            `${MARGIN}${oneLine(`${sign} ${line}`, COLUMNS - MARGIN.length)}`,
          ),
        );
  }
  say('');
  if (story.end !== 'finished') for (const line of wrapped(ENDS[story.end], '')) say(colours.yellow(line));
  const parts = Object.entries(timings(story)).flatMap(([name, ms]) =>
    ms === undefined || (ms === 0 && name !== 'total_ms')
      ? []
      : [`${name.replace('_ms', '')} ${durationWords(ms)}`],
  );
  if (parts.length > 0) say(colours.dim(oneLine(`time: ${parts.join(' · ')}`, COLUMNS)));
  for (const file of story.files) say(colours.dim(printable(`in ${file}`)));
}

function sayStep(
  { label, words, block, tone }: Step,
  offset: string,
  say: (line: string) => void,
  { colours }: Output,
): void {
  const colour = tone === undefined ? (line: string) => line : colours[tone];
  const start = `${offset.padStart(OFFSET_WIDTH)} ${label.padEnd(LABEL_WIDTH)} `;
  const lines = wrapped(printable(words), MARGIN, start);
  for (const [index, line] of lines.entries())
    say(
      index === 0
        ? `${colours.dim(line.slice(0, MARGIN.length))}${colour(line.slice(MARGIN.length))}`
        : colour(line),
    );
  if (!isThere(block)) return;
  const all = text(block).replace(/\n$/, '').split('\n');
  for (const line of all.slice(0, TEXT_LINES)) say(`${MARGIN}${colours.dim('│')} ${printable(line)}`);
  if (all.length > TEXT_LINES)
    say(`${MARGIN}${colours.dim(`… ${all.length - TEXT_LINES} more lines: --json`)}`);
}
