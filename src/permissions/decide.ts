/**
 * The decision about one tool call, from values alone: deny rules, ask rules, protected paths and critical removals,
 * allow rules, what is free anyway, and else a question. Order and specificity of rules never matter; no mode, hook or human lifts a deny.
 */
import type { Decision, ToolCall } from '../core/vocabulary.ts';
import { commandDenial, decideCommand } from './command-call.ts';
import { byBuiltin, byMode, byRule, type Context, type Permissions } from './context.ts';
import type { FilesView } from './files-view.ts';
import { decidePath, pathDenial } from './path-call.ts';
import { Place } from './place.ts';
import { bareRule, parameterRule, type RuleList } from './rule-set.ts';

export type { Permissions } from './context.ts';
export type { FilesView } from './files-view.ts';

interface Question {
  readonly permissions: Permissions;
  readonly call: ToolCall;
  readonly files: FilesView;
}

export function decide({ permissions, call, files }: Question): Decision {
  const context: Context = { permissions, call, place: new Place(permissions.workplace, files) };
  const { specifier } = call;
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
export function newestDenial({ permissions, call, files }: Question): Decision | undefined {
  const context: Context = { permissions, call, place: new Place(permissions.workplace, files) };
  const { specifier } = call;
  switch (specifier.kind) {
    case 'path': {
      const denial = pathDenial(context, specifier);
      return denial === undefined ? undefined : withTarget(denial, context, specifier.path);
    }
    case 'command':
      return commandDenial(context, specifier.command);
    case 'none':
      return toolRule(context, permissions.rules.deny);
  }
}

function withTarget(decision: Decision, { place }: Context, path: string): Decision {
  const target = place.realPath(path);
  return target === undefined ? decision : { ...decision, target };
}

/** A tool about whose input nothing is known: only rules for the whole tool or for an input field. */
function decideTool(context: Context): Decision {
  const { rules } = context.permissions;
  const { tool } = context.call;
  const restricted = toolRule(context, rules.deny) ?? toolRule(context, rules.ask);
  if (restricted !== undefined) return restricted;
  const allowed = bareRule(rules.allow, tool.name);
  if (allowed !== undefined) return byRule(allowed);
  if (tool.readOnly) return byBuiltin('allow', 'read-only-tool', `${tool.name} changes nothing.`);
  return byMode(context, `${tool.name} is not covered by an allow rule.`);
}

function toolRule({ call }: Context, list: RuleList): Decision | undefined {
  const rule = bareRule(list, call.tool.name) ?? parameterRule(list, call);
  return rule === undefined ? undefined : byRule(rule);
}
