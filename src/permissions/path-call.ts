/** Decisions about a call that names one file or directory: Read, Write, Edit, Glob. */
import type { Decision, RuleSource } from '../core/vocabulary.ts';
import { byBuiltin, byMode, byRule, type Context, quoted } from './context.ts';
import {
  allowingPathRule,
  bareRule,
  type PathUse,
  parameterRule,
  type RuleList,
  restrictingPathRule,
} from './rule-set.ts';

export interface PathCall {
  readonly access: 'read' | 'write';
  readonly path: string;
}

export function pathDenial(context: Context, call: PathCall): Decision | undefined {
  const { permissions, place } = context;
  const rule = restriction(context, call, permissions.rules.deny);
  if (rule !== undefined) return byRule(rule, call.path);
  if (place.inHookdHome(call.path)) {
    return byBuiltin(
      'deny',
      'hookd-home',
      `${quoted(call.path)} belongs to hookd itself; the agent has no access to it.`,
    );
  }
  if (call.access === 'write' && place.isLink(call.path)) {
    const target = place.realPath(call.path) ?? 'a file that cannot be found';
    return byBuiltin(
      'deny',
      'write-through-link',
      `${quoted(call.path)} is a link to ${target}; name that file to change it.`,
    );
  }
  return undefined;
}

export function decidePath(context: Context, call: PathCall): Decision {
  const { permissions, place } = context;
  const { path, access } = call;
  const { ask, allow } = permissions.rules;
  const denial = pathDenial(context, call);
  if (denial !== undefined) return denial;
  const askRule = restriction(context, call, ask);
  if (askRule !== undefined) return byRule(askRule, path);
  if (access === 'write' && place.isProtected(path)) {
    return byBuiltin(
      'ask',
      'protected-path',
      `${quoted(path)} configures tools that run code, so a write always asks.`,
    );
  }
  const bare = bareRule(allow, context.call.tool.name);
  if (
    bare !== undefined &&
    place.realPath(path) !== undefined &&
    (access === 'read' || place.inWorkspace(path))
  )
    return byRule(bare);
  const rule = allowRule(context, call);
  if (rule !== undefined) return byRule(rule);
  const target = place.realPath(path);
  if (target === undefined) return byMode(context, `${quoted(path)} cannot be resolved to a file.`);
  const leads = target === path ? '' : `, which leads to ${target}`;
  if (access === 'read') {
    if (place.inWorkspace(path))
      return byBuiltin('allow', 'read-in-workspace', `${quoted(path)} lies in the workspace.`);
    return byMode(
      context,
      `${quoted(path)}${leads} is outside the workspace and not covered by an allow rule.`,
    );
  }
  if (!place.inWorkspace(path)) {
    return byBuiltin(
      'ask',
      'write-outside',
      `${quoted(path)}${leads} is outside the workspace and not covered by an allow rule.`,
    );
  }
  return byMode(context, `A write to ${quoted(path)}${leads} is not covered by an allow rule.`);
}

function restriction(
  { permissions, place, call }: Context,
  { access, path }: PathCall,
  list: RuleList,
): RuleSource | undefined {
  const { tool } = call;
  const bare =
    bareRule(list, tool.name) ??
    (access === 'write' || tool.name === 'Glob' ? bareRule(list, 'Read') : undefined);
  if (bare !== undefined) return bare;
  const parameter = parameterRule(list, call);
  if (parameter !== undefined) return parameter;
  if (list.paths.length === 0) return undefined;
  for (const one of place.bothPaths(path)) {
    const directory = tool.name === 'Glob' || place.isDirectory(one);
    const use: PathUse = { access, tool: tool.name, path: one, directory };
    const rule = restrictingPathRule(list, use, permissions.workplace);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** A rule must hold for the path as given and for what its links lead to. */
function allowRule(
  { permissions, place, call }: Context,
  { access, path }: PathCall,
): RuleSource | undefined {
  const real = place.realPath(path);
  if (real === undefined) return undefined;
  const rules = [path, real].map((one) => {
    const use: PathUse = { access, tool: call.tool.name, path: one, directory: false };
    return allowingPathRule(permissions.rules.allow, use, permissions.workplace);
  });
  return rules.every((rule) => rule !== undefined) ? rules[0] : undefined;
}
