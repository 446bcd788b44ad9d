/** Programs whose words are another command, as a table: where that one begins. For deny and ask rules only. */
import { envSplits } from './env-split.ts';
import { type InnerCall, type Inside, NOTHING_INSIDE } from './inside-call.ts';

/** How many operands stand before the command. Options, their values and assignments are skipped anyway. */
const WRAPPERS: ReadonlyMap<string, number> = new Map([
  ...[
    'sudo sudo-rs doas env exec command builtin noglob nocorrect nice nohup time stdbuf setsid ionice unshare nsenter strace',
    'ltrace watch xargs caffeinate setarch setpriv prlimit unbuffer dbus-run-session linux32 linux64 i386 x86_64 rlwrap npx',
    'bunx uvx pnpx dotenv cross-env valgrind fakeroot fakechroot firejail bwrap proot numactl torsocks tsocks xvfb-run',
    'ssh-agent dbus-launch systemd-inhibit chronic ifne catchsegv timelimit cpulimit trickle chpst daemonize',
    'xterm konsole gnome-terminal urxvt alacritty kitty foot watchexec nodemon hyperfine',
    'tini tini-static dumb-init catatonit pkexec run0 ld.so uftrace rr heaptrack eatmydata nocache choom uclampset',
  ]
    .join(' ')
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'timeout gtimeout flock chrt taskset chroot gosu su-exec runcon setuidgid sg logsave newgrp'
    .split(' ')
    .map((name) => [name, 1] as const),
]);

/** `-c` of these takes shell code. */
const CODE_OPTION = new Set('script flock su runuser npx sg nix-shell capsh npm'.split(' '));

/** The dynamic loader started as a program runs another. */
const LOADER = /^ld(?:-linux[\w.-]*|-musl[\w.-]*|-[\d.]+)?\.so(?:\.\d+)*$/;

/** Options of wrappers whose next word is a value for certain, and no command. */
const SURE_VALUES: Readonly<Record<string, RegExp>> = {
  strace: /^-[abeEIoOpPsSuUX]$/,
  ltrace: /^-[aAeFlnosuxX]$/,
};

export const isWrapper = (name: string): boolean =>
  WRAPPERS.has(name) || CODE_OPTION.has(name) || LOADER.test(name);

export function wrapped(name: string, words: readonly string[]): Inside {
  const skip = LOADER.test(name) ? 0 : WRAPPERS.get(name);
  if (skip === undefined && !CODE_OPTION.has(name)) return NOTHING_INSIDE;
  const args = words.slice(1);
  if (name === 'command' && onlyDescribes(args)) return NOTHING_INSIDE;
  const split = name === 'env' ? envSplits(words) : undefined;
  const code = codeOf(name, args);
  const sure = SURE_VALUES[name];
  const calls =
    skip === undefined
      ? []
      : possibleCalls(args, skip).filter(
          ({ words: call }) =>
            sure === undefined || call.length === 0 || !sure.test(args[args.length - call.length - 1] ?? ''),
        );
  // These join their words to a text for a shell.
  if (/^(?:watch|hyperfine|nodemon|watchexec)$/.test(name))
    code.push(...calls.map(({ words: call }) => call.join(' ')));
  if (name === 'hyperfine') code.push(...args.filter((arg) => !arg.startsWith('-')));
  if (split === undefined) return { ...NOTHING_INSIDE, calls, code };
  return { ...split, calls: [...calls, ...split.calls], code: [...code, ...split.code] };
}

/** `command -v x` says what x is. */
function onlyDescribes(args: readonly string[]): boolean {
  for (const arg of args) {
    if (arg === '--' || !arg.startsWith('-')) return false;
    if (/^-[pvV]*[vV][pvV]*$/.test(arg)) return true;
  }
  return false;
}

function codeOf(name: string, args: readonly string[]): string[] {
  const code: string[] = [];
  for (const [index, arg] of args.entries()) {
    const value = args[index + 1];
    if (CODE_OPTION.has(name) && /^-[a-z]*c$|^--command$|^--run$|^--call$/.test(arg) && value !== undefined)
      code.push(value);
    const glued = CODE_OPTION.has(name) ? /^-[a-zA-Z]*?c(.+)$/s.exec(arg)?.[1] : undefined;
    if (glued !== undefined) code.push(glued);
    const joined = /^(?:-S|--split-string=|--command=|--run=|--exec=|--call=)(.+)$/s.exec(arg)?.[1];
    if (joined !== undefined) code.push(joined);
    // `strace -o '|program'` pipes what it writes.
    const piped = /^(?:-o|--output=)?[|!](.+)$/s.exec(arg)?.[1];
    if (name === 'strace' && piped !== undefined) code.push(piped);
  }
  return code;
}

/** A wrapper with more options than this is not looked through. */
const MOST_SKIPPED = 64;

/**
 * Every place where the wrapped command may begin: after each option (it may take a value), assignment and leading operand.
 * A call without words stands for one that is still to come, or lies beyond what is looked at.
 */
export function possibleCalls(args: readonly string[], operandsBefore: number): readonly InnerCall[] {
  const calls: InnerCall[] = [];
  let operands = operandsBefore;
  for (const [index, arg] of args.slice(0, MOST_SKIPPED).entries()) {
    const afterOption = args[index - 1]?.startsWith('-') === true && args[index - 1] !== '--';
    // For env whatever holds a `=` is an assignment.
    const skippable = arg.startsWith('-') || arg.includes('=') || /^\d+(?:\.\d+)?[smhd]?$/.test(arg);
    // Behind an operand `--` is no end of options, but the command.
    if (!/^-./.test(arg) || (arg === '--' && index > 0 && operandsBefore > 0))
      calls.push({ words: args.slice(index), openEnded: false });
    if (skippable || afterOption) {
      if (/^\d/.test(arg) && !afterOption) operands--;
      continue;
    }
    if (operands-- > 0) continue;
    return calls;
  }
  calls.push({ words: [], openEnded: args.length > MOST_SKIPPED });
  return calls;
}
