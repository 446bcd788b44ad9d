/**
 * The short list of wrappers that an allow rule for the inner command also allows. Only forms that are
 * understood to the letter: an option that is not listed ends the stripping.
 */

export interface Stripped {
  /** How many words the wrappers take. */
  readonly taken: number;
  /** The names of the wrappers, outermost first. */
  readonly wrappers: readonly string[];
}

const WHOLE: Stripped = { taken: 0, wrappers: [] };

/** Each way to see the command: whole, without its first wrapper, without the first two … `words` are exact values. */
export function strippings(words: readonly string[]): readonly Stripped[] {
  const found = [WHOLE];
  for (let last = WHOLE; last.taken < words.length; ) {
    const name = words[last.taken] ?? '';
    const read = WRAPPER_WORDS.get(name);
    if (read === undefined) break;
    const rest = words.slice(last.taken);
    const taken = read(rest.slice(1));
    // xargs builds the command from its input: what is inside is not unwrapped again.
    if (taken === undefined || last.wrappers.includes('xargs') || rest.length <= taken + 1) break;
    if (/^-/.test(rest[taken + 1] ?? '-')) break;
    last = { taken: last.taken + taken + 1, wrappers: [...last.wrappers, name] };
    found.push(last);
  }
  return found;
}

/** Per wrapper, how many words after its name belong to it; `undefined` when its options are not known. */
const WRAPPER_WORDS: ReadonlyMap<string, (args: readonly string[]) => number | undefined> = new Map([
  ['timeout', timeoutWords],
  ['nice', niceWords],
  ['nohup', () => 0],
  ['builtin', () => 0],
  ['noglob', () => 0],
  ['xargs', () => 0],
  ['stdbuf', stdbufWords],
  ['command', commandWords],
]);

function stdbufWords(args: readonly string[]): number | undefined {
  const options = args.findIndex((arg) => !/^-[ioe](?:L|\d+)$/.test(arg));
  return options > 0 ? options : undefined;
}

function commandWords(args: readonly string[]): number {
  const path = args[0] === '-p' ? 1 : 0;
  return args[path] === '--' ? path + 1 : path;
}

function timeoutWords(args: readonly string[]): number | undefined {
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (/^(?:-v|--verbose|--foreground|--preserve-status|--signal=\w+|--kill-after=[\d.]+[smhd]?)$/.test(arg))
      continue;
    const takesValue =
      (arg === '-s' && /^\w+$/.test(args[at + 1] ?? '')) ||
      (arg === '-k' && DURATION.test(args[at + 1] ?? ''));
    if (!takesValue) break;
    at++;
  }
  return DURATION.test(args[at] ?? '') ? at + 1 : undefined;
}

const DURATION = /^\d+(?:\.\d+)?[smhd]?$/;

function niceWords(args: readonly string[]): number | undefined {
  if (args[0] === '-n') return /^-?\d+$/.test(args[1] ?? '') ? 2 : undefined;
  return /^-\d+$/.test(args[0] ?? '') ? 1 : 0;
}

const SAFE_VARIABLES = new Set(
  [
    'NODE_ENV CI TZ TERM COLORTERM NO_COLOR FORCE_COLOR RUST_LOG RUST_BACKTRACE GOOS GOARCH CGO_ENABLED GO111MODULE',
    'PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE LS_COLORS GREP_COLORS TIME_STYLE BLOCK_SIZE CHARSET ANTHROPIC_API_KEY',
  ]
    .join(' ')
    .split(' '),
);

/** An assignment before a command that changes nothing a rule was written for. */
export function isSafeAssignment({
  name,
  value,
}: {
  readonly name: string;
  readonly value: string | undefined;
}): boolean {
  return SAFE_VARIABLES.has(name) && value !== undefined && /^[\w.,:/@%+=-]+$/.test(value);
}

/** Before a command that only reads: it changes the order and the language of what is printed. The value is a name, no file. */
export function isLocale({
  name,
  value,
}: {
  readonly name: string;
  readonly value: string | undefined;
}): boolean {
  return (
    /^(?:LANG|LANGUAGE|LC_[A-Z]+)$/.test(name) && value !== undefined && /^[A-Za-z0-9_.@:-]+$/.test(value)
  );
}
