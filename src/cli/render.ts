/** A session's events as lines for a person. */
import type picocolors from 'picocolors';
import type { SessionEvent } from '../core/protocol.ts';
import type { ToolResult, ToolUse } from '../core/vocabulary.ts';
import { oneLine, printable } from './output.ts';

type Colours = ReturnType<typeof picocolors.createColors>;

const INPUT_CHARACTERS = 120;
const RESULT_CHARACTERS = 200;

/** `● Bash ls -la` */
export function toolLine({ name, input }: ToolUse, colours: Colours): string {
  return `${colours.bold(`● ${oneLine(name, 40)}`)} ${oneLine(inputSummary(input), INPUT_CHARACTERS)}`;
}

/** The first characters of the result, with a word in front where it is not plain success. */
export function resultLine({ outcome, text }: ToolResult, colours: Colours): string {
  const shown = oneLine(text, RESULT_CHARACTERS);
  if (outcome === 'ok') return colours.dim(`  ⎿ ${shown}`);
  const colour = outcome === 'denied' ? colours.red : colours.yellow;
  return colour(`  ⎿ ${outcome.replace('_', ' ')}: ${shown}`);
}

/** The field that says most, else the whole input. */
export function inputSummary(input: unknown): string {
  if (typeof input !== 'object' || input === null) return JSON.stringify(input) ?? '';
  const fields = input as Readonly<Record<string, unknown>>;
  for (const name of ['command', 'file_path', 'path', 'pattern']) {
    if (typeof fields[name] === 'string') return fields[name];
  }
  return JSON.stringify(input);
}

/** Lines for the events that are lines; streamed text is not. */
export function eventLines(event: SessionEvent, colours: Colours): readonly string[] {
  if (event.kind === 'tool_use') return [toolLine(event.use, colours)];
  if (event.kind === 'tool_result') return [resultLine(event.result, colours)];
  if (event.kind === 'warning') return [colours.yellow(`warning: ${printable(event.text)}`)];
  if (event.kind === 'settings_changed') return changeLines(event, colours);
  if (event.kind === 'retry') return [colours.yellow(retryText(event))];
  if (event.kind === 'hook_message') return [colours.cyan(`hook: ${printable(event.text)}`)];
  return [];
}

const MOST_CHANGES = 20;

/** `settings: + deny Bash(rm *)` */
function changeLines(
  { added, removed }: Extract<SessionEvent, { kind: 'settings_changed' }>,
  colours: Colours,
): readonly string[] {
  const items = [
    ...added.map((item) => colours.green(`settings: + ${oneLine(item, RESULT_CHARACTERS)}`)),
    ...removed.map((item) => colours.red(`settings: - ${oneLine(item, RESULT_CHARACTERS)}`)),
  ];
  if (items.length <= MOST_CHANGES) return items;
  const more = items.length - MOST_CHANGES;
  return [...items.slice(0, MOST_CHANGES), colours.dim(`settings: ${more} more changes; see the audit log`)];
}

export function retryText({ reason, delayMs, tries, of }: Extract<SessionEvent, { kind: 'retry' }>): string {
  const pause = (delayMs / 1000).toFixed(1);
  return `${printable(reason)} Trying again in ${pause} s (${tries} of ${of}).`;
}
