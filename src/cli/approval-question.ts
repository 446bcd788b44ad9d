/**
 * The question about one call, as a terminal shows it. All of it but our own words was chosen by the model: every row
 * of a value stands behind a label or a bar, so that none can pass for a line of ours, and nothing in it is invisible.
 */
import type { ApprovalRequest, Decision } from '../core/vocabulary.ts';
import { escaped, oneLine, printable } from './output.ts';
import { causeWords, hookWords, placeWords } from './record-words.ts';
import { columnsOf, cut } from './width.ts';

/** Rows of a long value that are shown from its start and from its end; of a command always all. */
const HEAD_ROWS = 30;
const TAIL_ROWS = 10;
const NARROWEST = 20;
/** ` │ `, on terminals that draw the bar two columns wide. */
const BAR_COLUMNS = 4;
const NAME_CHARACTERS = 40;
/** What the five tools act on, in the order of a reader's interest; other fields get one row each. */
const KNOWN_FIELDS = [
  'command',
  'file_path',
  'path',
  'pattern',
  'old_string',
  'new_string',
  'content',
  'prompt',
];
const MOST_OTHER_FIELDS = 8;

export interface ShownQuestion {
  /** Everything above the line on which the answer is typed. */
  readonly text: string;
  /** The line of the answer: repeats what it is about, should the text have scrolled away. */
  readonly prompt: string;
}

/** @param columns the width of the terminal: rows are cut by us, because a row that it wraps has no bar */
export function approvalQuestion(request: ApprovalRequest, columns: number): ShownQuestion {
  const { input, decision } = request;
  const subject = oneLine(request.subject, NAME_CHARACTERS);
  const width = Math.max(NARROWEST, columns) - 1;
  const known = KNOWN_FIELDS.filter((name) => Object.hasOwn(input, name));
  const others = Object.keys(input).filter((name) => !KNOWN_FIELDS.includes(name));
  const hidden = others.slice(MOST_OTHER_FIELDS);
  const rows = [
    ...known.flatMap((name) => valueRows(`  ${name}:`, textOf(input[name]), width, name === 'command')),
    ...others.slice(0, MOST_OTHER_FIELDS).map((name) => otherRow(name, textOf(input[name]), width)),
    ...(hidden.length === 0 ? [] : [`  (and ${hidden.length} more fields, which are not shown)`]),
    ...rewriteRows(request, width),
    ...valueRows('because:', decision.reason, width, false),
    ...causeRows(decision, width),
  ];
  return {
    text: `\n${subject} asks for permission:\n${rows.join('\n')}\n`,
    prompt: answerLine(subject, request),
  };
}

/** What stands above is not what the model asked for. */
function rewriteRows({ rewrittenBy }: ApprovalRequest, width: number): readonly string[] {
  if (rewrittenBy === undefined) return [];
  return valueRows(
    'rewritten by:',
    `${hookWords(rewrittenBy)} (${placeWords(rewrittenBy, true)})`,
    width,
    false,
  );
}

/** The rule or hook behind the question, where the reason does not name its place. */
function causeRows({ reason, cause }: Decision, width: number): readonly string[] {
  const source = cause.kind === 'rule' ? cause.rule : cause.kind === 'hook' ? cause.hook : undefined;
  if (source === undefined || reason.includes(`${source.file}:${source.line}`)) return [];
  return valueRows(`${cause.kind}:`, causeWords(cause, true).replace(/^hook /, ''), width, false);
}

/** Before a rule is written that allows calls for good. */
export function alwaysQuestion(rule: string, columns: number): ShownQuestion {
  const width = Math.max(NARROWEST, columns) - 1;
  const rows = [
    'This rule would be written, and allow the same in sessions that start here:',
    ...valueRows('  rule:', rule, width, true),
    '"hookd approvals rules" lists such rules and takes them back.',
  ];
  return {
    text: rows.flatMap((row) => cut(row, width)).join('\n'),
    prompt: 'Write this rule, and allow? [y/N] ',
  };
}

function answerLine(subject: string, { input }: ApprovalRequest): string {
  const { command } = input;
  const about = typeof command === 'string' ? `${subject} command` : subject;
  const largest = Object.values(input)
    .map(textOf)
    .reduce((one, other) => (other.length > one.length ? other : one), '');
  const size = sizeOf(typeof command === 'string' ? command : largest);
  return `Allow this ${about}${size === undefined ? '' : ` (${size})`} once? [y/N] `;
}

/** Of what cannot be seen at a glance. */
function sizeOf(text: string): string | undefined {
  const lines = text.split('\n').length;
  if (lines > 1) return `${lines} lines`;
  return text.length > 200 ? `${text.length} characters` : undefined;
}

/** On the label's own row where it fits; else below it, each row behind a bar, lines numbered where there are several. */
function valueRows(label: string, value: string, width: number, whole: boolean): readonly string[] {
  const lines = exact(value).split('\n');
  const [line = ''] = lines;
  if (lines.length === 1 && columnsOf(label) + 1 + columnsOf(line) <= width) return [`${label} ${line}`];
  const digits = lines.length === 1 ? 0 : String(lines.length).length;
  const indent = '    ';
  const rows = lines.flatMap((text, index) =>
    cut(text, width - indent.length - digits - BAR_COLUMNS).map((part, row) => {
      const number = digits === 0 || row > 0 ? '' : String(index + 1);
      return `${indent}${number.padStart(digits)} │ ${part}`;
    }),
  );
  const size = lines.length === 1 ? `${value.length} characters` : `${lines.length} lines`;
  return [`${label} (${size})`, ...(whole ? rows : headAndTail(rows))];
}

function headAndTail(rows: readonly string[]): readonly string[] {
  const left = rows.length - HEAD_ROWS - TAIL_ROWS;
  if (left <= 0) return rows;
  return [...rows.slice(0, HEAD_ROWS), `    … (${left} rows are not shown) …`, ...rows.slice(-TAIL_ROWS)];
}

/** The name is the model's too: it is shown as a text in quotes unless it is a plain word. */
function otherRow(name: string, value: string, width: number): string {
  const plain = /^[A-Za-z][\w-]*$/.test(name) && name.length <= NAME_CHARACTERS;
  const shownName = plain ? name : oneLine(exact(JSON.stringify(name)), NAME_CHARACTERS);
  const label = cut(`  ${shownName}:`, width)[0] ?? '';
  const line = exact(value).replaceAll('\n', ' ⏎ ');
  const room = Math.max(1, width - columnsOf(label) - 1);
  const [shown = '', ...more] = cut(line, room);
  return more.length === 0 ? `${label} ${shown}` : `${label} ${cut(line, Math.max(1, room - 2))[0] ?? ''}…`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Printable, and without what looks like nothing, or like a blank, and is not: a person judges what they see. */
function exact(text: string): string {
  return printable(text.replaceAll('\t', '    ')).replace(
    /(?! )[\p{Default_Ignorable_Code_Point}\p{Format}\p{Space_Separator}\u2800]/gu,
    escaped,
  );
}
