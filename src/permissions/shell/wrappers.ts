/**
 * Programs that run other programs, as tables: where the other command is among their words. Used for deny and ask rules only.
 * Long because of the tables.
 */
import { basename } from 'node:path';
import { readSedScript } from './sed-script.ts';
import { readSed } from './sed-use.ts';

/** What a command gets besides its words. */
export interface Handed {
  readonly stdin: string | undefined;
  readonly stdinSure: boolean;
  readonly piped: boolean;
  readonly produced: readonly string[];
  /** One of its words is a process substitution. */
  readonly substituted: boolean;
  /** Some of its words are known only when it runs. */
  readonly dynamic: boolean;
}

export interface InnerCall {
  readonly words: readonly string[];
  readonly openEnded: boolean;
  /** How many words come before the first that the wrapper makes; `undefined` when it makes none. */
  readonly sure?: number;
}

export interface Inside {
  readonly calls: readonly InnerCall[];
  /** Texts that are run as shell code. */
  readonly code: readonly string[];
  readonly unresolved: string | undefined;
}

/** Wrapper → how many operands stand before the command. Options, their values and assignments are skipped anyway. */
const WRAPPERS: ReadonlyMap<string, number> = new Map([
  ...[
    'sudo',
    'doas',
    'env',
    'exec',
    'command',
    'builtin',
    'noglob',
    'nocorrect',
    'nice',
    'nohup',
    'time',
  ].map((n) => [n, 0] as const),
  ...[
    'stdbuf',
    'setsid',
    'ionice',
    'unshare',
    'nsenter',
    'strace',
    'ltrace',
    'watch',
    'xargs',
    'caffeinate',
  ].map((n) => [n, 0] as const),
  ...[
    'setarch',
    'setpriv',
    'prlimit',
    'unbuffer',
    'dbus-run-session',
    'linux64',
    'gosu',
    'rlwrap',
    'npx',
    'bunx',
    'uvx',
    'pnpx',
    'dotenv',
    'cross-env',
    'valgrind',
    'fakeroot',
    'firejail',
    'bwrap',
    'numactl',
    'torsocks',
    'xvfb-run',
    'ssh-agent',
    'dbus-launch',
    'systemd-inhibit',
    'chronic',
    'ifne',
    'catchsegv',
    'gtimeout',
    'timelimit',
    'cpulimit',
    'trickle',
    'chpst',
    'runcon',
    'setuidgid',
    'sg',
  ].map((n) => [n, 0] as const),
  ...['timeout', 'flock', 'chrt', 'taskset', 'chroot', 'gosu', 'runcon', 'setuidgid', 'gtimeout'].map(
    (n) => [n, 1] as const,
  ),
]);

const SHELLS = new Set([
  'bash',
  'sh',
  'dash',
  'zsh',
  'ksh',
  'mksh',
  'ash',
  'fish',
  'rbash',
  'csh',
  'tcsh',
  'pwsh',
  'nu',
  'elvish',
  'xonsh',
  'osh',
  'yash',
  'lksh',
  'posh',
  'rc',
]);
/** `-c` of these takes shell code. */
const CODE_OPTION = new Set(['script', 'flock', 'su', 'runuser', 'npx', 'sg', 'nix-shell', 'capsh']);

const NOTHING: Inside = { calls: [], code: [], unresolved: undefined };

export function commandsInside(words: readonly string[], handed: Handed): Inside {
  const name = basename(words[0] ?? '');
  const args = words.slice(1);
  if (SHELLS.has(name)) return shellCode(args, handed);
  switch (name) {
    case 'eval':
      return {
        ...NOTHING,
        code: [(args[0] === '--' ? args.slice(1) : args).join(' ')],
        unresolved: handed.dynamic ? 'it evaluates text that is known only when it runs' : undefined,
      };
    case 'trap':
      return { ...NOTHING, code: (args[0] === '--' ? args.slice(1) : args).slice(0, 1) };
    case '.':
    case 'source':
      return sourced(args, handed);
    case 'find':
    case 'fd':
    case 'fdfind':
      return { ...NOTHING, calls: executedByFind(args) };
    case 'git':
      return { ...NOTHING, code: [...gitConfigValues(args), ...gitCode(args)] };
    case 'sed':
      return { ...NOTHING, code: readSedScript(readSed(args).scripts).code };
    case 'xargs':
      return { ...NOTHING, calls: calledByXargs(words, handed) };
    default:
      return RUNNERS[name]?.test(args[0] ?? '') === true ? runBy(args) : wrapped(name, words);
  }
}

/** Programs with a sub-command that runs another program. */
const RUNNERS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  uv: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  bundle: /^exec$/,
  direnv: /^exec$/,
  conda: /^run$/,
  mise: /^(?:exec|x)$/,
  asdf: /^exec$/,
  rye: /^run$/,
  hatch: /^run$/,
  nix: /^(?:develop|shell|run)$/,
  perf: /^(?:stat|record|trace)$/,
  kubectl: /^exec$/,
};

/** The program may be named after options, their values, and one operand (`direnv exec .`). */
function runBy(args: readonly string[]): Inside {
  const code = args.filter((_, index) => /^(?:-c|--call|--command)$/.test(args[index - 1] ?? ''));
  const after = args.indexOf('--');
  const calls =
    after >= 0 ? [{ words: args.slice(after + 1), openEnded: false }] : possibleCalls(args.slice(1), 1);
  return { ...NOTHING, calls, code };
}

function wrapped(name: string, words: readonly string[]): Inside {
  const skip = WRAPPERS.get(name);
  if (skip === undefined && !CODE_OPTION.has(name)) return NOTHING;
  const args = words.slice(1);
  const code: string[] = [];
  for (const [index, arg] of args.entries()) {
    const value = args[index + 1];
    if (CODE_OPTION.has(name) && /^-[a-z]*c$|^--command$/.test(arg) && value !== undefined) code.push(value);
    const glued = CODE_OPTION.has(name) ? /^-[a-zA-Z]*?c(.+)$/s.exec(arg)?.[1] : undefined;
    const split = name === 'env' ? /^-[a-zA-Z]*?S(.+)$/s.exec(arg)?.[1] : undefined;
    for (const text of [glued, split]) if (text !== undefined) code.push(text);
    if (name === 'env' && /^-[a-z]*S$|^--split-string$/.test(arg) && value !== undefined) code.push(value);
    const joined = /^(?:-S|--split-string=|--command=)(.+)$/s.exec(arg)?.[1];
    if (joined !== undefined) code.push(joined);
  }
  if (name === 'watch') code.push(...possibleCalls(args, 0).map(({ words: call }) => call.join(' ')));
  return { ...NOTHING, calls: skip === undefined ? [] : possibleCalls(args, skip), code };
}

/** A wrapper with more options than this is not looked through; its options are all tried as commands. */
const MOST_SKIPPED = 64;

/** Every place where the wrapped command may begin: after each option (it may take a value), assignment and leading operand. */
function possibleCalls(args: readonly string[], operandsBefore: number): Inside['calls'] {
  const calls: Inside['calls'][number][] = [];
  let operands = operandsBefore;
  for (const [index, arg] of args.slice(0, MOST_SKIPPED).entries()) {
    const afterOption = args[index - 1]?.startsWith('-') === true && args[index - 1] !== '--';
    const skippable = arg.startsWith('-') || /^[A-Za-z_]\w*=/.test(arg) || /^\d+(?:\.\d+)?[smhd]?$/.test(arg);
    if (!/^-./.test(arg)) calls.push({ words: args.slice(index), openEnded: false });
    if (skippable || afterOption) {
      if (/^\d/.test(arg) && !afterOption) operands--;
      continue;
    }
    if (operands-- > 0) continue;
    break;
  }
  return calls;
}

function calledByXargs(words: readonly string[], handed: Handed): Inside['calls'] {
  const calls = possibleCalls(words.slice(1), 0);
  const items = handed.stdin?.split(/\s+/).filter((item) => item !== '') ?? [];
  const holders = words.flatMap((word, index) => {
    const glued = /^(?:-[a-zA-Z0-9]*?[iIJ]|--replace=)(.*)$/s.exec(word)?.[1];
    return glued === undefined ? [] : [glued === '' ? (words[index + 1] ?? '{}') : glued];
  });
  return calls.map(({ words: call }) => ({
    words: [...call.map((word) => word.replaceAll('{}', handed.stdin?.trim() ?? '{}')), ...items],
    openEnded: handed.stdin === undefined,
    // How many items go to one call depends on its options.
    sure: placeOfHolder(call, ['{}', ...holders]),
  }));
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

const MOST_NAMES = 16;

/** The command of each `-exec`, once as written and once with what `-name` looks for in place of `{}`. */
function executedByFind(args: readonly string[]): Inside['calls'] {
  const names = args
    .filter((_, index) => /^-i?(?:name|path|wholename)$/.test(args[index - 1] ?? ''))
    .slice(0, MOST_NAMES);
  const calls: Inside['calls'][number][] = [];
  for (const [index, arg] of args.entries()) {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(arg)) continue;
    const end = endOfCall(args, index + 1);
    const call = args.slice(index + 1, end < 0 ? undefined : end);
    const sure = placeOfHolder(call);
    calls.push({ words: call, openEnded: true, sure });
    for (const name of names)
      calls.push({ words: call.map((word) => word.replaceAll('{}', name)), openEnded: true, sure });
    // find refuses to run when an -exec has no end.
    if (end < 0) break;
  }
  return calls;
}

function shellCode(args: readonly string[], handed: Handed): Inside {
  const option = args.findIndex((arg) => /^-[A-Za-z]*c[A-Za-z]*$/.test(arg));
  const unresolved = 'a shell is given code that is known only when it runs';
  if (option >= 0) {
    const code = args.slice(option + 1).find((arg) => !/^[-+]/.test(arg));
    return {
      ...NOTHING,
      code: code === undefined ? [] : [code],
      unresolved: handed.dynamic || code === undefined ? unresolved : undefined,
    };
  }
  if (handed.produced.length > 0) return { ...NOTHING, code: handed.produced };
  if (handed.substituted) return { ...NOTHING, unresolved };
  const script = afterOptions(args)[0];
  const readsInput = args.some((arg) => /^-[A-Za-z]*s/.test(arg)) || script === undefined || isStdin(script);
  if (!readsInput) return NOTHING;
  if (handed.stdin !== undefined)
    return { ...NOTHING, code: [handed.stdin], unresolved: handed.stdinSure ? undefined : unresolved };
  return { ...NOTHING, unresolved: handed.piped || handed.dynamic ? unresolved : undefined };
}

const isStdin = (word: string): boolean => /^(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/\d+)$/.test(word);

function sourced(args: readonly string[], handed: Handed): Inside {
  const file = args.find((arg) => arg !== '--');
  const isInput = file !== undefined && isStdin(file);
  const known = isInput && handed.stdinSure ? handed.stdin : undefined;
  if (known !== undefined) return { ...NOTHING, code: [...handed.produced, known] };
  const isUnknown = isInput || (handed.substituted && handed.produced.length === 0);
  return {
    ...NOTHING,
    code: isInput && handed.stdin !== undefined ? [...handed.produced, handed.stdin] : handed.produced,
    unresolved: isUnknown ? 'it runs what it is given on stdin' : undefined,
  };
}

function afterOptions(args: readonly string[]): readonly string[] {
  const first = args.findIndex((arg) => !/^[-+]./.test(arg));
  return first < 0 ? [] : args.slice(first);
}

/** `git rebase -x cmd`, `git submodule foreach cmd`, `git bisect run cmd`. */
function gitCode(args: readonly string[]): readonly string[] {
  const runs = args.findIndex(
    (arg, index) => /^(?:foreach|run)$/.test(arg) && /^(?:submodule|bisect)$/.test(args[index - 1] ?? ''),
  );
  const values = args.flatMap((arg, index) => {
    if (/^(?:-x|--exec|--tree-filter|--index-filter|--msg-filter|--upload-pack|--receive-pack|-u)$/.test(arg))
      return [args[index + 1] ?? ''];
    return /^(?:--exec|--upload-pack|--sendmail-cmd|--receive-pack)=(.+)$/s.exec(arg)?.[1] ?? [];
  });
  return runs < 0 ? values : [...values, args.slice(runs + 1).join(' ')];
}

/** `git -c alias.x='!cmd'`, `-c core.sshCommand=cmd`: values that git may run. */
function gitConfigValues(args: readonly string[]): readonly string[] {
  return args
    .filter((_, index) => args[index - 1] === '-c' || args[index - 1] === '--config-env')
    .map((setting) => setting.slice(setting.indexOf('=') + 1).replace(/^!/, ''));
}
