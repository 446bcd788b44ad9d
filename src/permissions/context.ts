/** What every decision is made from, and the sentences that it is explained with. */
import type {
  Decision,
  HookVerdict,
  PermissionMode,
  RuleSource,
  ToolCall,
  Workplace,
} from '../core/vocabulary.ts';
import type { Place } from './place.ts';
import type { RuleSet } from './rule-set.ts';
import type { IsSet } from './shell/unset-variables.ts';
import type { Trace } from './trace.ts';

/** The permission slice of one settings snapshot. */
export interface Permissions {
  readonly rules: RuleSet;
  readonly mode: PermissionMode;
  readonly workplace: Workplace;
  /** Names of built-in denies that the user switched off. */
  readonly disabledBuiltins: ReadonlySet<string>;
  /** Where the session keeps the whole outputs of its commands; links resolved. None outside a session. */
  readonly keptOutputs?: string;
}

export interface Context {
  readonly permissions: Permissions;
  readonly call: ToolCall;
  readonly place: Place;
  /** What the hooks of the call said, where they said allow or ask. */
  readonly hook: HookVerdict | undefined;
  /** Which variables the environment of a command sets, where that is known. */
  readonly isSet: IsSet | undefined;
  /** Given by who wants an explanation. */
  readonly trace: Trace | undefined;
}

/** `about` names the part of the call that the rule is about, where that is not the whole. */
export function byRule(rule: RuleSource, about?: string): Decision {
  const verb = { allow: 'Allowed', ask: 'Asked', deny: 'Denied' }[rule.list];
  const part = about === undefined ? '' : `: ${quoted(about)}`;
  return {
    behavior: rule.list,
    reason: `${verb} by rule ${shortened(rule.text)} (${rule.file}:${rule.line})${part}.`,
    cause: { kind: 'rule', rule },
  };
}

export function byBuiltin(behavior: Decision['behavior'], name: string, reason: string): Decision {
  return { behavior, reason, cause: { kind: 'builtin', name } };
}

export function byMode({ permissions }: Context, behavior: Decision['behavior'], reason: string): Decision {
  return { behavior, reason, cause: { kind: 'mode', mode: permissions.mode } };
}

/** What nothing restricts, in the mode that asks no further. */
export function bypassed(context: Context): Decision {
  return byMode(context, 'allow', 'Nothing restricts it, and mode bypassPermissions allows the rest.');
}

/** The hooks' verdict, if it is this one. */
export function byHook({ hook }: Context, behavior: HookVerdict['behavior']): Decision | undefined {
  if (hook?.behavior !== behavior) return undefined;
  const { name, file, line } = hook.hook;
  const verb = { allow: 'Allowed', ask: 'Asked' }[behavior];
  const said = hook.reason === '' ? '.' : `: ${hook.reason}`;
  return {
    behavior,
    reason: `${verb} by hook ${shortened(name)} (${file}:${line})${said}`,
    cause: { kind: 'hook', hook: hook.hook },
  };
}

/** Said of a file. */
export const IN_FORCE = 'holds settings or a hook that are in force';

export const quoted = (text: string): string => `"${shortened(text)}"`;

function shortened(text: string): string {
  // Most texts have lone blanks alone, and stay.
  const line = (/\s{2}|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ') : text).trim();
  return line.length > 160 ? `${line.slice(0, 157)}...` : line;
}
