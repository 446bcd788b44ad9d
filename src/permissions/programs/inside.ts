/** The commands inside a command: what its words, its options or its stdin make it run. Used for deny and ask rules only. */
import { soughtByFind } from './find-names.ts';
import { foundByFind } from './find-starts.ts';
import { calledByGit, gitCode, isGivenProgram } from './git-code.ts';
import { optionEnds } from './global-options.ts';
import { type Handed, type InnerCall, type Inside, NOTHING_INSIDE } from './inside-call.ts';
import { isInterpreter } from './opaque.ts';
import { programOf } from './program-name.ts';
import { programsToRun } from './run-options.ts';
import { readSedScript } from './sed-script.ts';
import { readSed } from './sed-use.ts';
import { isShell, shellCode, sourced } from './shells.ts';
import { possibleCalls, wrapped } from './wrappers.ts';

export function commandsInside(words: readonly string[], handed: Handed): Inside {
  const name = programOf(words[0] ?? '');
  const args = words.slice(1);
  if (isShell(name)) return shellCode(name, args, handed);
  const found = byProgram(name, words, args, handed);
  const programs = programsToRun(name, args);
  if (programs.length === 0) return found;
  return {
    ...found,
    code: [...found.code, ...programs],
    unresolved: found.unresolved ?? (handed.dynamic ? `${name} is given a program to run` : undefined),
  };
}

function byProgram(name: string, words: readonly string[], args: readonly string[], handed: Handed): Inside {
  switch (name) {
    case 'eval':
      return {
        ...NOTHING_INSIDE,
        code: [(args[0] === '--' ? args.slice(1) : args).join(' ')],
        unresolved: handed.dynamic ? EVALUATED : undefined,
      };
    case 'trap':
      return {
        ...NOTHING_INSIDE,
        code: (args[0] === '--' ? args.slice(1) : args).slice(0, 1),
        unresolved: handed.dynamic ? EVALUATED : undefined,
      };
    case 'alias':
      return { ...NOTHING_INSIDE, code: args.flatMap((arg) => /=(.*)$/s.exec(arg)?.[1] ?? []) };
    case 'jobs': {
      const option = args.findIndex((arg) => /^-\w*x/.test(arg));
      const call = args.slice(option + 1 + (args[option + 1] === '--' ? 1 : 0));
      return option < 0 ? NOTHING_INSIDE : { ...NOTHING_INSIDE, calls: [{ words: call, openEnded: false }] };
    }
    case '.':
    case 'source':
      return sourced(args, handed);
    case 'find':
    case 'fd':
    case 'fdfind':
      return { ...NOTHING_INSIDE, calls: executedByFind(name, args) };
    case 'git':
      return insideGit(words, args, handed);
    case 'sed':
      return { ...NOTHING_INSIDE, code: readSedScript(readSed(args).scripts).code };
    case 'xargs':
      return { ...NOTHING_INSIDE, calls: calledByXargs(words, handed) };
    default:
      // A sub-command of git under its own name.
      if (/^git-\w/.test(name))
        return { ...NOTHING_INSIDE, calls: [{ words: ['git', name.slice(4), ...args], openEnded: false }] };
      return runBySubcommand(name, args) ?? scriptOf(name, args) ?? wrapped(name, words);
  }
}

const insideGit = (words: readonly string[], args: readonly string[], { dynamic }: Handed): Inside => ({
  // A setting is still to come, and may be an alias.
  calls: /^(?:-c|--config-env)$/.test(args[args.length - 1] ?? '')
    ? [{ words: [], openEnded: false }, ...calledByGit(words)]
    : calledByGit(words),
  code: gitCode(args),
  unresolved: dynamic && isGivenProgram(args, true) ? 'git is given a program to run' : undefined,
});

const EVALUATED = 'it evaluates text that is known only when it runs';

/** Programs with a sub-command that runs another program. */
const RUNNERS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x|explore)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^(?:x|run|exec)$/,
  uv: /^run$/,
  pipx: /^run$/,
  poetry: /^run$/,
  pdm: /^run$/,
  pipenv: /^run$/,
  bundle: /^exec$/,
  direnv: /^exec$/,
  conda: /^run$/,
  mamba: /^run$/,
  micromamba: /^run$/,
  rustup: /^run$/,
  jj: /^util$/,
  hg: /^bisect$/,
  mise: /^(?:exec|x)$/,
  asdf: /^exec$/,
  rye: /^run$/,
  hatch: /^run$/,
  nix: /^(?:develop|shell|run)$/,
  perf: /^(?:stat|record|trace)$/,
  kubectl: /^exec$/,
};

/** The program may be named after options, their values, and one operand (`direnv exec .`). */
function runBySubcommand(name: string, args: readonly string[]): Inside | undefined {
  const runs = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  if (runs === undefined) return undefined;
  const called = [args, ...optionEnds(name, args)].find((rest) => runs.test(rest[0] ?? ''));
  if (called === undefined) return undefined;
  const code = called.flatMap((arg, index) => {
    const glued = /^(?:--c(?:a(?:l(?:l)?)?|o\w*)=|-c)(.+)$/s.exec(arg)?.[1];
    return glued ?? (/^(?:-c|--ca\w*|--com\w*)$/.test(called[index - 1] ?? '') ? [arg] : []);
  });
  // A shell of its own takes the words after it for a text.
  if (name === 'bun' && called[0] === 'exec') code.push(called.slice(1).join(' '));
  const after = called.indexOf('--');
  const calls =
    after >= 0 ? [{ words: called.slice(after + 1), openEnded: false }] : possibleCalls(called.slice(1), 1);
  return { ...NOTHING_INSIDE, calls, code };
}

/** `python3 ./x.py a` is a call of the script, too. */
function scriptOf(name: string, args: readonly string[]): Inside | undefined {
  if (!isInterpreter(name)) return undefined;
  const calls = possibleCalls(args, 0).filter(({ words }) => /[./]/.test(words[0] ?? ''));
  return {
    ...NOTHING_INSIDE,
    calls: calls.map(({ words: [file = '', ...rest], openEnded }) => ({
      words: [file.includes('/') ? file : `./${file}`, ...rest],
      openEnded,
    })),
  };
}

function calledByXargs(words: readonly string[], handed: Handed): readonly InnerCall[] {
  const calls = possibleCalls(words.slice(1), 0);
  const items = handed.stdin?.split(/\s+/).filter((item) => item !== '') ?? [];
  const holders = words.flatMap((word, index) => {
    const glued = /^(?:-[a-zA-Z0-9]*?[iIJ]|--replace=)(.*)$/s.exec(word)?.[1];
    return glued === undefined ? [] : [glued === '' ? (words[index + 1] ?? '{}') : glued];
  });
  return calls.flatMap(({ words: call, openEnded }): readonly InnerCall[] => {
    // It runs echo; or there is more than is looked at.
    if (call.length === 0 && (openEnded || items.length === 0)) return [{ words: [], openEnded }];
    const replaced = call.map((word) => word.replaceAll('{}', handed.stdin?.trim() ?? '{}'));
    // Without an option that says so, braces stay what they are.
    const mayStay = !holders.includes('{}') && replaced.some((word, index) => word !== call[index]);
    return (mayStay ? [replaced, call] : [replaced]).map((called) => ({
      words: [...called, ...items],
      // Where expansions stand in what it reads, further names may come of them.
      openEnded: handed.stdin === undefined || !handed.stdinSure,
      // How many items go to one call depends on its options.
      sure: placeOfHolder(call, ['{}', ...holders]),
      before: words.length - call.length,
    }));
  });
}

/** How many words come before the first that is replaced; all, where more may follow. */
function placeOfHolder(call: readonly string[], holders: readonly string[] = ['{}']): number {
  const first = call.findIndex((word) => holders.some((holder) => word.includes(holder)));
  return first < 0 ? call.length : first;
}

function endOfCall(args: readonly string[], from: number): number {
  for (let at = from; at < args.length; at++) if (args[at] === ';' || args[at] === '+') return at;
  return -1;
}

const MOST_NAMES = 64;
const EXECUTES = /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/;

/** The command of each `-exec`, once as written and once with what `-name` looks for in place of `{}`. */
function executedByFind(name: string, args: readonly string[]): readonly InnerCall[] {
  const words = [name, ...args];
  const names = [...foundByFind(words), ...soughtByFind(words, /^-i?(?:name|path|wholename)$/)];
  const calls: InnerCall[] = [];
  for (const [index, arg] of args.entries()) {
    // fd: the option may be one of a cluster, and hold the program.
    const glued = /^(?:--exec(?:-batch)?=|-[a-zA-Z]*[xX])(.+)$/.exec(arg)?.[1];
    if (!EXECUTES.test(arg) && !/^-[a-zA-Z]+[xX]$/.test(arg) && glued === undefined) continue;
    const end = endOfCall(args, index + 1);
    const rest = args.slice(index + 1, end < 0 ? undefined : end);
    const call = glued === undefined || EXECUTES.test(arg) ? rest : [glued, ...rest];
    const sure = placeOfHolder(call);
    calls.push({ words: call, openEnded: call.length > 0, sure });
    if (names.length > MOST_NAMES) calls.push({ words: [], openEnded: true });
    for (const name of names.slice(0, MOST_NAMES))
      if (call.length > 0)
        calls.push({ words: call.map((word) => word.replaceAll('{}', name)), openEnded: true, sure });
    // find refuses to run when an -exec has no end.
    if (end < 0 && EXECUTES.test(arg)) break;
  }
  return calls;
}
