/** What a shell takes of its words for options, for their values, and for the code or the script. */

export interface ShellCall {
  /** The first operand is code. */
  readonly takesCode: boolean;
  readonly readsInput: boolean;
  /** What comes after the options. */
  readonly operands: readonly string[];
}

const LONG_VALUED = /^--?(?:rcfile|init-file|emulate)$/;
/** Bash takes a long name with one dash, too. */
const LONG_NAME =
  /^-(?:debug|debugger|dump-strings|dump-po-strings|help|init-file|login|noediting|noprofile|norc|posix|pretty-print|protected|rcfile|restricted|verbose|version|wordexp)$/;

/**
 * How many values follow a cluster: one for each `o` and `O`, or one where such a letter ends it and what
 * follows one in the same word is the value (zsh, ksh).
 */
type Values = (letters: string) => number;
const counted: Values = (letters) => letters.match(/o/gi)?.length ?? 0;
const glued: Values = (letters) => (/^[^o]*o$/i.test(letters) ? 1 : 0);
const none: Values = () => 0;

/** Every way in which some shell reads the words. */
export function shellCalls(args: readonly string[]): readonly ShellCall[] {
  const calls = [readCall(args, counted, false)];
  if (args.some((arg) => LONG_NAME.test(arg))) calls.push(readCall(args, counted, true));
  if (args.some((arg) => /^[-+]\w*[oO]/.test(arg)))
    calls.push(readCall(args, glued, false), readCall(args, none, false));
  return calls;
}

function readCall(args: readonly string[], values: Values, longNames: boolean): ShellCall {
  let takesCode = false;
  let readsInput = false;
  let at = 0;
  while (at < args.length) {
    const arg = args[at] ?? '';
    if (!/^[-+]/.test(arg)) break;
    at++;
    if (arg === '-' || arg === '--') break;
    if (LONG_VALUED.test(arg)) at++;
    else if (!arg.startsWith('--') && !(longNames && LONG_NAME.test(arg))) {
      const letters = arg.slice(1);
      takesCode ||= letters.includes('c');
      readsInput ||= letters.includes('s');
      at += values(letters);
    }
  }
  return { takesCode, readsInput, operands: args.slice(at) };
}

/** The shell is told to keep to the standard. */
export const isToldPosix = (args: readonly string[]): boolean => args.some((arg) => /^-*posix/i.test(arg));

/** Options of fish, nu, pwsh … that are followed by code, whatever they are called and shortened to. */
const CODE_NAME = /^[-/]-?(?:\w*c\w*|e\w*|init-command)$/i;

/** What shells with a grammar of their own may be given as code. */
export function foreignCode(args: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const [index, arg] of args.entries()) {
    const joined =
      /^--(?:commands?|init-command|execute)=(.*)$/s.exec(arg) ?? /^-[a-zA-Z]*?[cC](.*\W.*)$/s.exec(arg);
    if (joined?.[1] !== undefined) found.push(joined[1]);
    if (!CODE_NAME.test(args[index - 1] ?? '')) continue;
    // pwsh joins all that follows.
    found.push(arg, ...(args.length > index + 1 ? [args.slice(index).join(' ')] : []));
  }
  return found;
}

/** `pwsh -enc …` in base 64. */
export const isEncoded = (arg: string): boolean => /^[-/]{1,2}e(?:c|n\w*)?$/i.test(arg);
