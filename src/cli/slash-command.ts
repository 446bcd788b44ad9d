/** A line that begins with a slash: a command of the conversation, not a prompt. */
import { nearMiss } from '../lib/near-miss.ts';

export const SLASH_COMMANDS = {
  status: { argument: '', does: 'this session: where, model, mode, tokens, audit' },
  permissions: { argument: '', does: 'the rules in force here, each with its place' },
  hooks: { argument: '', does: 'the hooks in force here' },
  audit: { argument: '[N]', does: 'the newest records of this session' },
  mode: { argument: '[MODE]', does: 'show or change the permission mode' },
  compact: { argument: '[KEEP]', does: 'shorten the conversation; KEEP: what must stay' },
  resume: { argument: '[ID]', does: 'earlier sessions of this directory; go on with one' },
  help: { argument: '', does: 'this list' },
  quit: { argument: '', does: 'leave; q and Ctrl-C do, too' },
} as const satisfies Record<string, { readonly argument: string; readonly does: string }>;

export type SlashName = keyof typeof SLASH_COMMANDS;

export type Typed =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'command'; readonly name: SlashName; readonly argument: string }
  /** `problem`: what to tell. */
  | { readonly kind: 'unknown'; readonly problem: string };

const LEAVE = new Set(['q', 'quit', 'exit']);

/** `//path` is the prompt `/path`. */
export function readTyped(text: string): Typed {
  if (LEAVE.has(text.trim())) return { kind: 'command', name: 'quit', argument: '' };
  if (text.startsWith('//')) return { kind: 'prompt', text: text.slice(1) };
  const match = /^\/(\S*)\s*(.*)$/s.exec(text);
  if (match === null) return { kind: 'prompt', text };
  const [, name = '', rest = ''] = match;
  const argument = rest.trim();
  if (Object.hasOwn(SLASH_COMMANDS, name)) {
    const known = name as SlashName;
    if (argument === '' || SLASH_COMMANDS[known].argument !== '')
      return { kind: 'command', name: known, argument };
    return { kind: 'unknown', problem: `/${name} stands alone. To send the line as a prompt: /${text}` };
  }
  const near = nearMiss(name, Object.keys(SLASH_COMMANDS));
  const meant = near === undefined ? '/help lists the commands.' : `Did you mean /${near}?`;
  return {
    kind: 'unknown',
    problem: `There is no command /${name}. ${meant} To send the line as a prompt, double the slash.`,
  };
}

export function helpLines(): readonly string[] {
  return [
    ...Object.entries(SLASH_COMMANDS).map(
      ([name, { argument, does }]) => `  ${`/${name} ${argument}`.padEnd(18)}${does}`,
    ),
    '  a line that ends with \\ goes on in the next; pasted lines stay together;',
    '  //… sends a prompt that begins with a slash; Ctrl-C interrupts the turn.',
  ];
}
