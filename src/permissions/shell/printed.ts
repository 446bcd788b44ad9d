/** What a command prints, where its own words or its stdin say so: what the next one of a pipe reads. */
import { basename } from 'node:path';
import type { SimpleCommand } from './commands.ts';

export interface Printed {
  readonly text: string;
  /** To the letter: else expansions make something else of it. */
  readonly sure: boolean;
}

/** Nothing when it prints something else. */
export function printedBy(
  command: Pick<SimpleCommand, 'words' | 'stdin' | 'stdinSure' | 'redirects'> | undefined,
): Printed | undefined {
  const [name, ...rest] = command?.words ?? [];
  const program = basename(name?.value ?? '');
  const passes =
    (program === 'cat' && rest.every(({ value }) => value === '-')) ||
    (program === 'tee' && rest.every(({ value }) => !value.startsWith('-')));
  if (passes && command?.stdin !== undefined) {
    const isOnly = command.redirects.every(({ operator }) => operator !== '<');
    return { text: command.stdin, sure: command.stdinSure && isOnly };
  }
  const named = namesPrinted(
    program,
    rest.flatMap((word) => word.guesses),
  );
  if (named.length > 0) return { text: named.join('\n'), sure: false };
  const text = printed(
    program,
    rest.flatMap((word) => word.guesses),
  );
  const sure = rest.every(({ kind, certain }) => kind === 'static' || certain !== undefined);
  return text === undefined ? undefined : { text, sure };
}

const MOST_NAMES = 16;

/** Files whose names are printed, where they are there: what `find -name` looks for, and what `ls` is given. */
function namesPrinted(program: string, args: readonly string[]): readonly string[] {
  if (program === 'ls') return args.filter((arg) => !arg.startsWith('-')).slice(0, MOST_NAMES);
  if (program !== 'find') return [];
  const first = args.findIndex((arg) => /^[-(!]/.test(arg));
  const starts = first > 0 ? args.slice(0, first) : ['.'];
  return args
    .flatMap((arg, index) => {
      const option = args[index - 1] ?? '';
      if (/^-i?name$/.test(option)) return starts.map((start) => `${start}/${arg}`);
      return /^-i?(?:path|wholename)$/.test(option) ? [arg] : [];
    })
    .slice(0, MOST_NAMES);
}

/** Nothing where an option, an escape or a format makes something else of the words. */
export function printed(name: string, words: readonly string[]): string | undefined {
  const [first = '', ...rest] = words;
  if (name === 'echo') {
    const shown = /^-[neE]+$/.test(first) ? rest : words;
    return shown.some((word) => word.includes('\\')) || shown[0]?.startsWith('-')
      ? undefined
      : shown.join(' ');
  }
  const format = first.replace(/\\n$/, '');
  if (name !== 'printf' || format.includes('\\') || format.startsWith('-')) return undefined;
  // `%s` alone prints each of the other words.
  if (format === '%s') return rest.join(first === format ? '' : '\n');
  return format.includes('%') ? undefined : format;
}
