/** A session's events as lines for a person, none of them wider than the terminal. */
import type { SessionEvent } from '../core/protocol.ts';
import type { ApprovalAnswer, Compaction, ToolResult, ToolUse } from '../core/vocabulary.ts';
import { inputSummary } from './input-summary.ts';
import { type Colours, oneLine, printable } from './output.ts';
import { patchLines } from './patch-lines.ts';
import { at, durationWords, hookWords, text } from './record-words.ts';
import { shortCount } from './usage-line.ts';
import { columnsOf, cut, shortened } from './width.ts';

const RESULT_CHARACTERS = 200;
const CHANGE_CHARACTERS = 200;
const INPUT_CHARACTERS = 2000;
const RESULT_MARK = '  ⎿ ';
/** The mark may be drawn two columns wide. */
const RESULT_INDENT = 5;

export interface Look {
  readonly colours: Colours;
  readonly columns: number;
}

/** `● Bash ls -la` */
function toolLine({ name, input }: ToolUse, { colours, columns }: Look): string {
  const shownName = shortened(oneLine(name, 40), columns / 2);
  const summary = oneLine(inputSummary(input), INPUT_CHARACTERS);
  const room = Math.max(10, columns - columnsOf(shownName) - 4);
  return `${colours.bold(`● ${shownName}`)} ${shortened(summary, room)}`;
}

/** `  rewritten by HOOK: ls -la` */
function rewriteLines(
  { use, changed, by }: Extract<SessionEvent, { kind: 'input_rewritten' }>,
  { colours, columns }: Look,
): readonly string[] {
  const who = `${shortened(`  rewritten by ${oneLine(hookWords(by), 80)}`, columns / 2)}:`;
  const fields = changed.map((name) => `${name}: ${text(at(use.input, name)) || 'none'}`);
  const isCommand = changed.includes('command');
  const input = oneLine(isCommand ? inputSummary(use.input) : fields.join(', '), INPUT_CHARACTERS);
  return [colours.yellow(`${who} ${shortened(input, columns - columnsOf(who) - 1)}`)];
}

/** The first characters of the result and how long it took, with a word in front where it is not plain success. */
export function resultLines(
  { outcome, text: told, durationMs, response }: ToolResult,
  look: Look,
): readonly string[] {
  const { colours, columns } = look;
  const shown = oneLine(told, RESULT_CHARACTERS);
  const time = durationMs === undefined ? '' : ` (${durationWords(durationMs)})`;
  const word = outcome === 'ok' ? '' : `${outcome.replace('_', ' ')}: `;
  const colour = outcome === 'ok' ? colours.dim : outcome === 'denied' ? colours.red : colours.yellow;
  const rows = rowsOf(`${word}${shown}${time}`, { columns: Math.max(20, columns - RESULT_INDENT) });
  const lines = rows.map((row, index) => colour(`${index === 0 ? RESULT_MARK : '    '}${row}`));
  return outcome === 'ok' ? [...lines, ...patchLines(response, columns, colours)] : lines;
}

/** Lines for the events that are lines; streamed text is not. */
export function eventLines(event: SessionEvent, look: Look): readonly string[] {
  const { colours } = look;
  switch (event.kind) {
    case 'tool_use':
      return [toolLine(event.use, look)];
    case 'input_rewritten':
      return rewriteLines(event, look);
    case 'tool_result':
      return resultLines(event.result, look);
    case 'warning':
      return rowsOf(`warning: ${printable(event.text)}`, look).map(colours.yellow);
    case 'settings_changed':
      return changeLines(event, look);
    case 'retry':
      return rowsOf(retryText(event), look).map(colours.yellow);
    case 'hook_message':
      return rowsOf(`hook: ${printable(event.text)}`, look).map(colours.cyan);
    case 'mode_changed':
      return [colours.dim(`mode: ${event.mode} (${oneLine(event.client, 40)})`)];
    case 'compaction_started':
      return [colours.dim('shortening the conversation …')];
    case 'compacted':
      return [colours.dim(shortened(compactionText(event.compaction), look.columns))];
    case 'session_ended':
      return [colours.dim(shortened(`session ended: ${oneLine(event.reason, 200)}`, look.columns))];
    default:
      return [];
  }
}

function compactionText({ how, before, after }: Compaction): string {
  const sizes = `${shortCount(before.tokens)} → ${shortCount(after.tokens)} tokens`;
  return how === 'summary'
    ? `conversation shortened to a summary and its end: ${sizes}`
    : `old outputs of tools left out of the conversation: ${sizes}`;
}

/** Line ends of the text are kept; a longer line is broken where a word ends, if there is one. */
export function rowsOf(whole: string, { columns }: Pick<Look, 'columns'>): readonly string[] {
  return whole.split('\n').flatMap((line) => {
    const rows: string[] = [];
    let rest = line.replaceAll('\t', '    ');
    for (;;) {
      const row = cut(rest, columns)[0] ?? '';
      if (row.length === rest.length) return [...rows, rest];
      const blank = row.lastIndexOf(' ');
      const end = blank > row.length / 2 ? blank : row.length;
      rows.push(rest.slice(0, end));
      rest = rest.slice(end).replace(/^ +/, '');
    }
  });
}

/** `answered by CLIENT: allowed` */
export function answerLine(answer: ApprovalAnswer, { colours, columns }: Look): string {
  if (answer.answer === 'unanswered')
    return colours.yellow(shortened(`  not answered: ${oneLine(answer.why, 300)}`, columns));
  const by = `  answered by ${oneLine(answer.client, 40)}: `;
  if (answer.answer === 'allow') return colours.green(shortened(`${by}allowed`, columns));
  const reason = answer.reason === undefined ? '' : ` (${oneLine(answer.reason, 300)})`;
  return colours.red(shortened(`${by}denied${reason}`, columns));
}

const MOST_CHANGES = 20;

/** `settings: + deny Bash(rm *)` */
function changeLines(
  { added, removed }: Extract<SessionEvent, { kind: 'settings_changed' }>,
  { colours, columns }: Look,
): readonly string[] {
  const told = (sign: string, item: string) =>
    shortened(`settings: ${sign} ${oneLine(item, CHANGE_CHARACTERS)}`, columns);
  const items = [
    ...added.map((item) => colours.green(told('+', item))),
    ...removed.map((item) => colours.red(told('-', item))),
  ];
  if (items.length <= MOST_CHANGES) return items;
  const more = items.length - MOST_CHANGES;
  return [...items.slice(0, MOST_CHANGES), colours.dim(`settings: ${more} more changes; see the audit log`)];
}

export function retryText({ reason, delayMs, tries, of }: Extract<SessionEvent, { kind: 'retry' }>): string {
  const pause = (delayMs / 1000).toFixed(1);
  return `${printable(reason)} Trying again in ${pause} s (${tries} of ${of}).`;
}
