/** Shells, and what they are given to run: code after `-c`, a script, a text on stdin. */
import { type Handed, type InnerCall, type Inside, NOTHING_INSIDE } from './inside-call.ts';

const SHELLS = new Set(
  'bash sh dash zsh ksh mksh ash fish rbash csh tcsh pwsh nu elvish xonsh osh yash lksh posh rc'.split(' '),
);

/** `program` is without directory and version. */
export const isShell = (program: string): boolean => SHELLS.has(program);

/** A word that names what the program has on a descriptor. */
export const isStdin = (word: string): boolean =>
  /^(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/0+)$/.test(word);

const isDescriptor = (word: string): boolean => /^\/+(?:dev|proc\/+[^/]+)\/+fd\/+\d+$/.test(word);

const UNKNOWN_CODE = 'a shell is given code that is known only when it runs';

export function shellCode(args: readonly string[], handed: Handed): Inside {
  const option = args.findIndex((arg) => /^[-+][A-Za-z]*c[A-Za-z]*$/.test(arg));
  if (option >= 0) {
    const code = args.slice(option + 1).find((arg) => !/^[-+]/.test(arg));
    return {
      ...NOTHING_INSIDE,
      code: code === undefined ? [] : [code],
      unresolved: handed.dynamic || code === undefined ? UNKNOWN_CODE : undefined,
    };
  }
  if (handed.produced.length > 0) return { ...NOTHING_INSIDE, code: handed.produced };
  if (handed.substituted) return { ...NOTHING_INSIDE, unresolved: UNKNOWN_CODE };
  const [script, ...rest] = afterOptions(args);
  const readsInput = args.some((arg) => /^-[A-Za-z]*s/.test(arg)) || script === undefined || isStdin(script);
  if (!readsInput) {
    if (isDescriptor(script)) return { ...NOTHING_INSIDE, unresolved: UNKNOWN_CODE };
    return { ...NOTHING_INSIDE, calls: scriptCalls([script, ...rest], args) };
  }
  if (handed.stdin !== undefined)
    return {
      ...NOTHING_INSIDE,
      code: [handed.stdin],
      unresolved: handed.stdinSure ? undefined : UNKNOWN_CODE,
    };
  return { ...NOTHING_INSIDE, unresolved: handed.piped || handed.dynamic ? UNKNOWN_CODE : undefined };
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
  const isInput = file !== undefined && isStdin(file);
  const known = isInput && handed.stdinSure ? handed.stdin : undefined;
  if (known !== undefined) return { ...NOTHING_INSIDE, code: [...handed.produced, known] };
  const isUnknown =
    isInput ||
    (file !== undefined && isDescriptor(file)) ||
    (handed.substituted && handed.produced.length === 0);
  return {
    // A plain name is looked for among the programs, and may be anything.
    calls: file?.includes('/') && !isInput ? [{ words, openEnded: false }] : [],
    code: isInput && handed.stdin !== undefined ? [...handed.produced, handed.stdin] : handed.produced,
    unresolved: isUnknown ? 'it runs what it is given on stdin' : undefined,
  };
}

function afterOptions(args: readonly string[]): readonly string[] {
  const first = args.findIndex((arg) => !/^[-+]./.test(arg));
  return first < 0 ? [] : args.slice(first);
}
