/**
 * The decision about one tool call, from values alone: deny rules; what asks (a hook, ask rules, protected paths, critical
 * removals, plan mode); what allows (rules, a hook, the mode, what is free anyway); and else a question. Order and
 * specificity of rules never matter; no mode, hook or human lifts a deny.
 */
import type { Decision, HookVerdict, ToolCall } from '../core/vocabulary.ts';
import { commandDenial, decideCommand } from './command-call.ts';
import { byBuiltin, byHook, byMode, bypassed, byRule, type Context, type Permissions } from './context.ts';
import type { FilesView } from './files-view.ts';
import { decidePath, pathDenial } from './path-call.ts';
import { Place } from './place.ts';
import { decideOnce } from './repeated-decision.ts';
import { bareRule, domainRule, parameterRule, type RuleList } from './rule-set.ts';
import type { IsSet } from './shell/unset-variables.ts';
import { noted, Trace } from './trace.ts';

export type { Permissions } from './context.ts';
export type { FilesView } from './files-view.ts';

export interface Question {
  readonly permissions: Permissions;
  readonly call: ToolCall;
  readonly files: FilesView;
  /** Which variables the environment of a command sets; without it none is known to be empty. */
  readonly isSet?: IsSet | undefined;
}

export interface HookedQuestion extends Question {
  /** An ask counts like an ask rule, an allow like an allow rule. */
  readonly hook?: HookVerdict | undefined;
}

export function decide(question: HookedQuestion): Decision {
  return decideOnce(question, (asked) => decideWith(asked, undefined));
}

/** The same decision, and all that was looked at on the way. */
export function explain(question: HookedQuestion): { readonly decision: Decision; readonly trace: Trace } {
  const trace = new Trace();
  return { decision: decideWith(question, trace), trace };
}

function decideWith(question: HookedQuestion, trace: Trace | undefined): Decision {
  const decision = judge(contextOf(question, trace));
  return question.permissions.mode === 'dontAsk' && decision.behavior === 'ask'
    ? unasked(decision)
    : decision;
}

function contextOf({ permissions, call, files, hook, isSet }: HookedQuestion, trace?: Trace): Context {
  return { permissions, call, place: new Place(permissions.workplace, files), hook, trace, isSet };
}

/** Mode dontAsk: whatever would be asked is denied; the cause stays what it is that asks. */
function unasked(decision: Decision): Decision {
  const reason = `Denied without a question, because the permission mode is dontAsk: ${decision.reason}`;
  return { ...decision, behavior: 'deny', reason };
}

function judge(context: Context): Decision {
  const { specifier } = context.call;
  switch (specifier.kind) {
    case 'path':
      return withTarget(decidePath(context, specifier), context, specifier.path);
    case 'command':
      return decideCommand(context, specifier.command);
    case 'none':
      return decideTool(context);
  }
}

/** Only what denies: the check after a human said yes, against the rules that are in force by then. */
export function newestDenial(question: Question): Decision | undefined {
  const context = contextOf(question);
  const { specifier } = question.call;
  switch (specifier.kind) {
    case 'path': {
      const denial = pathDenial(context, specifier);
      return denial === undefined ? undefined : withTarget(denial, context, specifier.path);
    }
    case 'command':
      return commandDenial(context, specifier.command);
    case 'none':
      return toolRule(context, question.permissions.rules.deny);
  }
}

function withTarget(decision: Decision, { place }: Context, path: string): Decision {
  const target = place.realPath(path);
  return target === undefined ? decision : { ...decision, target };
}

/** A tool about whose input nothing is known: only rules for the whole tool, an input field or an address. */
function decideTool(context: Context): Decision {
  const { rules } = context.permissions;
  const restricted =
    noted(context, 'deny-rules', toolRule(context, rules.deny)) ??
    noted(context, 'hook', byHook(context, 'ask')) ??
    noted(context, 'ask-rules', toolRule(context, rules.ask));
  return restricted ?? noted(context, 'allow', allowanceOfTool(context));
}

function allowanceOfTool(context: Context): Decision {
  const { rules, mode } = context.permissions;
  const { tool } = context.call;
  if (mode === 'plan' && !tool.readOnly)
    return byMode(context, 'ask', `${tool.name} may change something, and plan mode only reads.`);
  const rule = bareRule(rules.allow, tool.name) ?? domainRule(rules.allow, context.call);
  const allowed = rule === undefined ? byHook(context, 'allow') : byRule(rule);
  if (allowed !== undefined) return allowed;
  if (mode === 'bypassPermissions') return bypassed(context);
  if (tool.readOnly) return byBuiltin('allow', 'read-only-tool', `${tool.name} changes nothing.`);
  return byMode(context, 'ask', `${tool.name} is not covered by an allow rule.`);
}

function toolRule({ call, trace }: Context, list: RuleList): Decision | undefined {
  const rule = bareRule(list, call.tool.name) ?? parameterRule(list, call) ?? domainRule(list, call);
  if (rule !== undefined) trace?.addHits([{ rule }]);
  return rule === undefined ? undefined : byRule(rule);
}
