/**
 * The shell commands that mode acceptEdits allows: they make, remove, copy, move or edit the files they name, and
 * nothing else. Only forms that are understood to the letter: an option or a script that is not here asks.
 */

export interface EditCall {
  /** Each is to be judged as a write. */
  readonly files: readonly string[];
  /** Where `cp` and `mv` put them: a file, or the directory that takes them under their own names. */
  readonly destination: string | undefined;
}

/** What such a command uses; nothing when it is not one of them. */
export function readEditCall(words: readonly string[]): EditCall | undefined {
  const [name = '', ...args] = words;
  const files = Object.hasOwn(EDITS, name) ? EDITS[name]?.(args) : undefined;
  // Going up through a link leads elsewhere than the path says.
  if (files === undefined || files.some((file) => /(?:^|\/)\.\.(?:\/|$)/.test(file))) return undefined;
  if (name !== 'cp' && name !== 'mv') return { files, destination: undefined };
  return { files: files.slice(0, -1), destination: files[files.length - 1] };
}

const EDITS: Readonly<Record<string, (args: readonly string[]) => readonly string[] | undefined>> = {
  mkdir: (args) =>
    afterOptions(args, /^(?:-[pv]+|--parents|--verbose|-m[0-7]+|--mode=[0-7]+|--)$/, /^(?:-m|--mode)$/),
  touch: (args) => afterOptions(args),
  rm: (args) => afterOptions(args, /^(?:-[rRfdv]+|--(?:recursive|force|dir|verbose)|--)$/),
  rmdir: (args) => afterOptions(args, /^(?:-v|--verbose|--)$/),
  cp: (args) => (args.length > 1 ? afterOptions(args) : undefined),
  mv: (args) => (args.length > 1 ? afterOptions(args) : undefined),
  sed: filesOfSed,
};

/** The operands, where every option is one of these; `valued` takes the word after it. */
function afterOptions(
  args: readonly string[],
  options?: RegExp,
  valued?: RegExp,
): readonly string[] | undefined {
  const end = args.indexOf('--');
  if (end >= 0 && args.slice(end + 1).some((arg) => arg.startsWith('-'))) return undefined;
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-')) operands.push(arg);
    else if (valued?.test(arg) && /^[0-7ugoa=+rwxX,-]+$/.test(args[at + 1] ?? '')) at++;
    else if (!options?.test(arg)) return undefined;
  }
  return operands.length > 0 ? operands : undefined;
}

/** Prints lines or substitutes; the letters `e`, `w` and `r` of sed, which run, write and read, have no place in these. */
const SED_PRINT = /^(?:\d+(?:,\d+)?)?p$/;
const SED_SUBSTITUTE = /^s\/(?:[^/\\\n]|\\[^\n])*\/(?:[^/\\\n]|\\[^\n])*\/[gpiIM]*\d?[gpiIM]*$/;
const LONGEST_SED_SCRIPT = 1000;

function filesOfSed(args: readonly string[]): readonly string[] | undefined {
  const first = args.findIndex((arg) => !arg.startsWith('-'));
  const script = args[first] ?? '';
  const options = args.slice(0, Math.max(first, 0));
  const files = args.slice(first + 1);
  if (first < 0 || script.length > LONGEST_SED_SCRIPT || files.some((file) => file.startsWith('-')))
    return undefined;
  if (!options.every((option) => /^(?:-[nEri]|--in-place|--regexp-extended|--quiet|--silent)$/.test(option)))
    return undefined;
  return SED_PRINT.test(script) || SED_SUBSTITUTE.test(script) ? files : undefined;
}
