/** What is probably wrong with a configured hook, from its settings. Pure: the program that it names was looked for before. */
import { eventRow } from './events.ts';
import type { Handler, Hook } from './hook.ts';
import { addressProblem } from './http-address.ts';
import type { Program } from './program.ts';

export interface Finding {
  /** Stable, for scripts. */
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly what: string;
  readonly why: string;
  /** What to do. */
  readonly fix: string;
}

export interface HookInHand {
  readonly hook: Hook;
  readonly program: Program;
}

const LONG_TIMEOUT_S = 600;
/** No hook is given an hour: who writes more meant milliseconds. */
const ABSURD_TIMEOUT_S = 3600;

type Check = (inHand: HookInHand) => Omit<Finding, 'file' | 'line'> | undefined;

export function lintHook(inHand: HookInHand): readonly Finding[] {
  const { file, line } = inHand.hook.source;
  return CHECKS.flatMap((check) => {
    const found = check(inHand);
    return found === undefined ? [] : [{ ...found, file, line }];
  });
}

const CHECKS: readonly Check[] = [
  ({ hook, program }) => {
    const { problem } = program;
    // A line for a shell is told as such.
    if (problem === undefined || withShellWords(hook.handler, program) !== undefined) return undefined;
    const effect = `each run ends as failed, and ${whatFailureMeans(hook)}`;
    switch (problem.kind) {
      case 'missing':
        return {
          rule: 'missing-file',
          what: problem.text,
          why: effect,
          fix: 'Correct the path, or put the file there. Relative paths begin at the project.',
        };
      case 'notExecutable':
        return {
          rule: 'not-executable',
          what: problem.text,
          why: `it ends with code 126: ${effect}`,
          fix: `chmod +x ${JSON.stringify(program.file)}`,
        };
      case 'notOnPath':
        return {
          rule: 'not-on-path',
          what: problem.text,
          why: `it ends with code 127: ${effect}`,
          fix: 'Install it, or write the whole path.',
        };
    }
  },
  ({ hook: { handler } }) => {
    if (handler.type !== 'command' || handler.args !== undefined) return undefined;
    const found = badlyQuoted(handler.command);
    if (found === undefined) return undefined;
    return {
      rule: 'unquoted-project-dir',
      what:
        found === 'unquoted'
          ? 'the project directory is not in quotes'
          : 'the project directory is in single quotes',
      why:
        found === 'unquoted'
          ? 'where its path holds a blank, the shell looks for another file and the hook ends with code 127'
          : 'in single quotes the shell does not fill in a variable',
      fix: 'Write "$CLAUDE_PROJECT_DIR"/… with the quotes (\\" in JSON).',
    };
  },
  ({ hook: { handler }, program }) => withShellWords(handler, program),
  ({ hook }) => {
    const { handler } = hook;
    const problem = handler.type === 'http' ? addressProblem(handler) : undefined;
    if (handler.type !== 'http' || problem === undefined) return undefined;
    return {
      rule: 'refused-address',
      what: `nothing is sent to ${JSON.stringify(handler.url)}: ${problem}`,
      why: `each run ends as failed, and ${whatFailureMeans(hook)}`,
      fix: 'Use https or http://127.0.0.1, or name the URL in "allowedHttpHookUrls" of your own settings.',
    };
  },
  ({ hook }) => {
    const seconds = (hook.timeoutMs ?? 0) / 1000;
    if (seconds > ABSURD_TIMEOUT_S)
      return {
        rule: 'timeout-in-ms',
        what: `the timeout is ${seconds} seconds`,
        why: '"timeout" counts seconds: a hook that hangs would hold the session for hours',
        fix: `Write ${seconds / 1000}, if ${seconds} milliseconds were meant.`,
      };
    if (seconds > LONG_TIMEOUT_S)
      return {
        rule: 'long-timeout',
        what: `the timeout is ${seconds} seconds`,
        why: 'for all that time a hook that hangs holds the session',
        fix: `Write ${LONG_TIMEOUT_S} or less, or "async": true for work that nobody waits for.`,
      };
    return undefined;
  },
  ({ hook: { event, isAsync } }) =>
    isAsync && eventRow(event).isGate
      ? {
          rule: 'async-gate',
          what: `"async" on ${event}`,
          why: 'nobody waits for it: whatever it refuses, asks or rewrites does not count',
          fix: 'Remove "async", unless the hook only watches.',
        }
      : undefined,
  ({ hook: { onFailure, source } }) =>
    onFailure === 'ask' && source.dialect === 'claude'
      ? {
          rule: 'ask-for-claude-code',
          what: '"onFailure": "ask" in a file that Claude Code reads too',
          why: 'Claude Code does not know "ask" and drops the whole file: there no rule and no hook of it counts',
          fix: 'Remove it where ask is the default anyway, write "block", or move the hook to .hookd/settings.json.',
        }
      : undefined,
];

/** Of all that a shell would do, nothing happens where `args` is given. */
function withShellWords(handler: Handler, program: Program): Omit<Finding, 'file' | 'line'> | undefined {
  if (handler.type !== 'command' || handler.args === undefined) return undefined;
  const { command, args } = handler;
  const isThere = program.file !== undefined && program.problem?.kind !== 'missing';
  if (/[\s|&;<>]|\$\(/.test(command) && !isThere)
    return {
      rule: 'args-with-shell-string',
      what: `with "args" the command is one program, and ${JSON.stringify(command)} looks like a line for a shell`,
      why: 'no shell reads it: the system looks for a program of exactly that name',
      fix: 'Put the words after the first into "args", or remove "args".',
    };
  const forShell = [command, ...args].find((word) => /^(?:\|\|?|&&|;|\d?[<>]{1,2}(?:&\d)?)$/.test(word));
  const unfilled = [command, ...args].find(
    (word) => /\$(?:CLAUDE|HOOKD)_PROJECT_DIR|\$\{?HOME\b/.test(word) || word.startsWith('~/'),
  );
  const word = forShell ?? unfilled;
  const runsShell = /(?:^|\/)(?:ba|da|z|k)?sh$/.test(command) && args.includes('-c');
  if (word === undefined || runsShell) return undefined;
  return {
    rule: 'args-with-shell-string',
    what: `${JSON.stringify(word)} means something to a shell only, and with "args" there is none`,
    why: 'the program gets these characters as they are',
    fix: `With "args" only $\{CLAUDE_PROJECT_DIR} and $\{HOOKD_PROJECT_DIR} are filled in, with the braces. For the rest remove "args".`,
  };
}

/** Where a shell would find the variable: outside of quotes, or in single ones. An assignment splits nothing. */
function badlyQuoted(command: string): 'unquoted' | 'single' | undefined {
  const pieces =
    /'([^']*)'|"(?:[^"\\]|\\.)*"|\\.|([A-Za-z_]\w*=)?\$\{?(?:CLAUDE|HOOKD)_PROJECT_DIR\b|[^'"\\$]|\$/gs;
  for (const [whole, single, assigned] of command.matchAll(pieces)) {
    if (single !== undefined && /^\$\{?(?:CLAUDE|HOOKD)_PROJECT_DIR/.test(single)) return 'single';
    if (/^\$\{?(?:CLAUDE|HOOKD)_PROJECT_DIR/.test(whole) && assigned === undefined) return 'unquoted';
  }
  return undefined;
}

/** Of a run of this hook that could not answer. */
export function whatFailureMeans({ event, onFailure, isAsync }: Hook): string {
  if (isAsync) return 'nobody waits for it';
  const row = eventRow(event);
  const asked = onFailure ?? row.onFailure;
  switch (row.failureCan.includes(asked) ? asked : 'continue') {
    case 'ask':
      return 'a person is asked each time';
    case 'block':
      return 'all that it would judge is refused';
    case 'continue':
      return 'all goes on as if it were not there';
  }
}
