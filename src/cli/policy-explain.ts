/** `hookd policy explain`: what the gate decides about a call, what it looked at, and what would have to change. */
import { dirname, join } from 'node:path';
import { EXIT, HookdError } from '../core/errors.ts';
import type { Decision, HookRef, ToolCall } from '../core/vocabulary.ts';
import { hooksConcerned } from '../hooks/dispatch.ts';
import type { HookEvent } from '../hooks/events.ts';
import { hookRef } from '../hooks/hook.ts';
import { type Outlook, outlookOf } from '../permissions/alternatives.ts';
import { explain } from '../permissions/decide.ts';
import { realFiles } from '../permissions/files-view.ts';
import type { Trace } from '../permissions/trace.ts';
import { setForCommands } from '../settings/command-environment.ts';
import type { CommandLine } from '../settings/command-line.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';
import { objectIn } from './hooks-run.ts';
import { type Output, printableButColours } from './output.ts';
import { explanationLines } from './policy-explain-lines.ts';
import { explanationObject } from './policy-explain-object.ts';
import { callAsRule, openPolicy, readCall, ruleSyntaxIn, type WrittenCall } from './policy-question.ts';

export interface ExplainOptions {
  /** As a rule is written; else `tool` and `input`. */
  readonly call: string | undefined;
  readonly tool: string | undefined;
  /** JSON. */
  readonly input: string | undefined;
  readonly flags: CommandLine;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

export interface Explanation {
  readonly snapshot: SettingsSnapshot;
  readonly call: ToolCall;
  readonly decision: Decision;
  readonly trace: Trace;
  /** Hooks that a session would ask before it, and where it asks, before a person. */
  readonly hooks: readonly HookRef[];
  readonly outlook: Outlook;
  /** Where rules would be added. */
  readonly file: string;
}

/** Throws USAGE and SETTINGS_INVALID. */
export function explainCommand(options: ExplainOptions, output: Output): number {
  const written = writtenCall(options);
  const hint = options.call === undefined ? undefined : ruleSyntaxIn(written);
  if (hint !== undefined) output.note(`hookd: warning: ${hint}`);
  const snapshot = openPolicy(options.flags, options.env);
  for (const warning of snapshot.warnings) output.note(`hookd: warning: ${warning}`);
  const read = readCall(written, snapshot.permissions.workplace);
  if (!read.ok)
    throw new HookdError('USAGE', `${read.problem} Such a call is refused before any rule is asked.`);
  if (!read.isHere)
    output.note(
      `hookd: warning: hookd has no tool ${read.call.tool.name}: a session refuses the call as unknown. This is what the rules say.`,
    );
  const explanation = explanationOf(snapshot, read.call, options.flags, options.env);
  if (options.json) output.result(JSON.stringify(explanationObject(explanation)));
  else
    for (const line of explanationLines(explanation, output.colours))
      output.result(printableButColours(line));
  return EXIT.done;
}

function writtenCall({ call, tool, input }: ExplainOptions): WrittenCall {
  if (call !== undefined && tool === undefined && input === undefined) return callAsRule(call);
  if (call === undefined && tool !== undefined && input !== undefined)
    return { tool, input: objectIn(input, '--input') };
  throw new HookdError('USAGE', "Give a call, like 'Bash(git push)', or --tool NAME and --input JSON.");
}

export function explanationOf(
  snapshot: SettingsSnapshot,
  call: ToolCall,
  flags: CommandLine,
  env: NodeJS.ProcessEnv,
): Explanation {
  const { permissions, rules } = snapshot;
  const question = { permissions, call, files: realFiles, isSet: setForCommands(env, snapshot) };
  const { decision, trace } = explain(question);
  const { hookdHome } = permissions.workplace;
  const file = snapshot.rulesPinnedBy ?? (readsUser(flags) ? join(hookdHome, 'settings.json') : '--settings');
  const events: readonly HookEvent[] =
    decision.behavior === 'ask' ? ['PreToolUse', 'PermissionRequest'] : ['PreToolUse'];
  const hooks = events.flatMap((event) =>
    hooksConcerned(snapshot.hooks.hooks, { event, subject: call.tool.name, call }, permissions.workplace).map(
      hookRef,
    ),
  );
  const outlook = outlookOf({ question, rules, file, root: dirname(file) });
  return { snapshot, call, decision, trace, hooks, outlook, file };
}

/** An allow rule in a file that is not read would change nothing. */
function readsUser({ settingSources }: CommandLine): boolean {
  return settingSources === undefined || settingSources.split(',').some((name) => name.trim() === 'user');
}
