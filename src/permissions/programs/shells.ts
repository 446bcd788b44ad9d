/** Shells, and what they are given to run: code after `-c`, a script, a text on stdin. */
import { isDescriptor, isStdin } from '../shell/descriptors.ts';
import { dialectOf } from '../shell/dialect.ts';
import { foreignCode, isEncoded, isToldPosix, type ShellCall, shellCalls } from '../shell/shell-words.ts';
import { type Handed, type InnerCall, type Inside, NOTHING_INSIDE } from './inside-call.ts';

const SHELLS = new Set(
  'bash sh dash zsh ksh mksh ash fish rbash csh tcsh pwsh nu elvish xonsh osh yash lksh posh rc'.split(' '),
);

/** `program` is without directory and version. */
export const isShell = (program: string): boolean => SHELLS.has(program);

const UNKNOWN_CODE = 'a shell is given code that is known only when it runs';

interface Given {
  readonly code: Set<string>;
  readonly calls: InnerCall[];
  unknown: boolean;
}

/** `program` is a shell. */
export function shellCode(program: string, args: readonly string[], handed: Handed): Inside {
  const given: Given = { code: new Set(), calls: [], unknown: false };
  const dialect = dialectOf(program);
  const option = args.findIndex((arg) => /^[-+][A-Za-z]*c[A-Za-z]*$/.test(arg));
  let isDone = false;
  if (option >= 0) {
    // Also where it is an operand of a script: generous.
    const code = args.slice(option + 1).find((arg) => !/^[-+]/.test(arg));
    giveCode(given, code, handed);
  } else if (handed.substituted || handed.produced.length > 0) {
    for (const code of handed.produced) given.code.add(code);
    given.unknown ||= handed.produced.length === 0;
    isDone = true;
  }
  if (dialect === 'foreign') {
    const values = foreignCode(args);
    for (const code of values) given.code.add(code);
    given.unknown ||= (handed.dynamic && values.length > 0) || (program === 'pwsh' && args.some(isEncoded));
    isDone ||= values.length > 0 || given.unknown;
  }
  for (const call of shellCalls(args)) {
    if (call.takesCode) giveCode(given, call.operands[0], handed);
    else if (!isDone || call.readsInput || isFile(call.operands[0])) giveScript(given, call, args, handed);
  }
  // What an interactive shell is typed goes through its history first.
  given.unknown ||= args.some((arg) => /^-[A-Za-z]*i/.test(arg)) && handed.stdin?.includes('!') === true;
  return {
    calls: given.calls,
    code: [...given.code],
    unresolved: given.unknown ? UNKNOWN_CODE : undefined,
    dialect: dialect === 'bash' && isToldPosix(args) ? 'posix' : dialect,
  };
}

/** No substitution, of which nothing or its text is left. */
const isFile = (word = ''): boolean => word !== '' && !word.startsWith('<(');

function giveCode(given: Given, code: string | undefined, handed: Handed): void {
  if (code !== undefined) given.code.add(code);
  if (code === undefined || handed.dynamic) given.unknown = true;
}

function giveScript(
  given: Given,
  { operands, readsInput }: ShellCall,
  args: readonly string[],
  handed: Handed,
): void {
  const { cwds, stdin } = handed;
  const [script] = operands;
  if (script !== undefined && !readsInput && !isStdin(script, cwds)) {
    if (isDescriptor(script, cwds)) given.unknown = true;
    given.calls.push(...scriptCalls(operands, args));
    return;
  }
  if (stdin !== undefined) given.code.add(stdin);
  if (stdin === undefined ? handed.piped || handed.dynamic : !handed.stdinSure) given.unknown = true;
}

/** The script as a command of its own: after all options, or after the value of one. */
function scriptCalls(first: readonly string[], args: readonly string[]): readonly InnerCall[] {
  const others = args.flatMap((arg, index) =>
    index > 0 && !/^[-+]/.test(arg) && /^[-+]/.test(args[index - 2] ?? '') ? [args.slice(index)] : [],
  );
  return [first, ...others].map(([file = '', ...rest]) => ({
    words: [file.includes('/') ? file : `./${file}`, ...rest],
    openEnded: false,
  }));
}

export function sourced(args: readonly string[], handed: Handed): Inside {
  const words = args[0] === '--' ? args.slice(1) : args;
  const [file] = words;
  const isInput = file !== undefined && isStdin(file, handed.cwds);
  const known = isInput && handed.stdinSure ? handed.stdin : undefined;
  if (known !== undefined) return { ...NOTHING_INSIDE, code: [...handed.produced, known] };
  const isUnknown =
    isInput ||
    (file !== undefined && isDescriptor(file, handed.cwds)) ||
    (handed.substituted && handed.produced.length === 0);
  return {
    // A plain name is looked for among the programs, and may be anything.
    calls: file?.includes('/') && !isInput ? [{ words, openEnded: false }] : [],
    code: isInput && handed.stdin !== undefined ? [...handed.produced, handed.stdin] : handed.produced,
    unresolved: isUnknown ? 'it runs what it is given on stdin' : undefined,
  };
}
