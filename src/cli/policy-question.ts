/** What the `policy` commands ask about: the settings that a session here would have, and a call as somebody wrote it. */
import { HookdError } from '../core/errors.ts';
import type { JsonObject, ToolCall, Workplace } from '../core/vocabulary.ts';
import { sampleInput } from '../hooks/sample-payload.ts';
import { nearMiss } from '../lib/near-miss.ts';
import { isToolElsewhere } from '../permissions/tool-name.ts';
import type { CommandLine } from '../settings/command-line.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';
import { describeProblem } from '../settings/problem.ts';
import { SettingsStore } from '../settings/store.ts';
import { callElsewhere } from '../tools/elsewhere.ts';
import { TOOLS } from '../tools/registry.ts';
import { callToJudge, findTool } from '../tools/tool.ts';
import { whereaboutsOf } from './hooks-settings.ts';

/**
 * Throws SETTINGS_INVALID: a session would not start either. Nothing is recorded: nothing happens. `start`: instead of
 * the directory that hookd was started in.
 */
export function openPolicy(flags: CommandLine, env: NodeJS.ProcessEnv, start?: string): SettingsSnapshot {
  const opened = SettingsStore.open({ ...whereaboutsOf(env, start), flags, onEvent: () => undefined });
  if (opened.ok) return opened.store.current();
  throw new HookdError('SETTINGS_INVALID', opened.problems.map(describeProblem).join('\n'));
}

export interface WrittenCall {
  readonly tool: string;
  readonly input: JsonObject;
}

export type ReadCall =
  /** `isHere`: else a session refuses the call as one of a tool that there is not, whatever rules say of it. */
  | { readonly ok: true; readonly call: ToolCall; readonly isHere: boolean }
  /** `about`: what of the call is wrong. */
  | { readonly ok: false; readonly problem: string; readonly about: 'tool' | 'input' };

/** The call as the gate gets it; the problem says what a model would be told. */
export function readCall({ tool: name, input }: WrittenCall, workplace: Workplace): ReadCall {
  const tool = findTool(TOOLS, name);
  if (tool !== undefined) {
    const judged = callToJudge(tool, input, workplace);
    return typeof judged === 'string'
      ? { ok: false, about: 'input', problem: `The input does not fit ${tool.name}: ${judged}.` }
      : { ok: true, call: judged, isHere: true };
  }
  if (isToolElsewhere(name) || name.startsWith('mcp__'))
    return { ok: true, call: callElsewhere(name, input, workplace), isHere: false };
  const known = TOOLS.map((one) => one.name);
  const near = nearMiss(name, known);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return {
    ok: false,
    about: 'tool',
    problem: `There is no tool named ${JSON.stringify(name)}.${meant} The tools are: ${known.join(', ')}.`,
  };
}

/** The input field that a rule's parentheses are about. */
const MAIN_FIELD: Readonly<Record<string, string>> = {
  Bash: 'command',
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  Glob: 'pattern',
};

/** `Bash(git push)` → a call; what else the input needs is made up. Throws USAGE. */
export function callAsRule(text: string): WrittenCall {
  const match = /^\s*([A-Za-z_]\w*)\((.*)\)\s*$/s.exec(text);
  const [, name = '', content = ''] = match ?? [];
  const tool = findTool(TOOLS, name)?.name;
  const field = tool === undefined ? undefined : MAIN_FIELD[tool];
  if (tool === undefined || field === undefined) {
    throw new HookdError(
      'USAGE',
      `${JSON.stringify(text)} names no call${whyNoCall(text)}. Write the tool and what it is about: 'Bash(git push)', 'Read(src/a.ts)'; or give --tool and --input.`,
    );
  }
  return { tool, input: { ...sampleInput(tool), [field]: content } };
}

function whyNoCall(text: string): string {
  const [, name = '', rest = ''] = /^\s*(\w*)\s*(.*)$/s.exec(text) ?? [];
  const known = TOOLS.map((tool) => tool.name);
  const field = MAIN_FIELD[name];
  if (field === undefined && /^(?:\(|$)/.test(rest) && /^[A-Z]/.test(name)) {
    if (isToolElsewhere(name)) return `: hookd has no tool ${name}, so its input must be given`;
    const near = nearMiss(name, known);
    const meant = near === undefined ? `the tools are ${known.join(', ')}` : `did you mean ${near}?`;
    return `: there is no tool ${name} (${meant})`;
  }
  if (field === undefined) return '';
  if (rest === '') return `: the ${field} in parentheses is missing`;
  if (!rest.startsWith('(')) return '';
  return rest.includes(')') ? ': there is text after the last ")"' : ': the ")" is missing';
}

/** What reads as a rule is asked about as a call, to the letter: seldom what was meant. */
export function ruleSyntaxIn({ tool, input }: WrittenCall): string | undefined {
  const { command } = input;
  if (tool !== 'Bash' || typeof command !== 'string' || !command.endsWith(':*')) return undefined;
  const meant = command.slice(0, -2).trimEnd();
  return `":*" is how a rule is written; this asks about the command ${JSON.stringify(command)} itself. A call that such a rule is about: 'Bash(${meant})'.`;
}
