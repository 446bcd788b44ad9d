/** Decisions about a call that names one file or directory: Read, Write, Edit, Glob. */
import type { Decision, RuleSource } from '../core/vocabulary.ts';
import { byBuiltin, byHook, byMode, bypassed, byRule, type Context, IN_FORCE, quoted } from './context.ts';
import { isKeptOutput } from './kept-output.ts';
import {
  allowingPathRule,
  bareRule,
  type PathUse,
  parameterRule,
  type RuleList,
  restrictingPathRule,
} from './rule-set.ts';
import { noted, type RuleHit, type Trace } from './trace.ts';

export interface PathCall {
  readonly access: 'read' | 'write';
  readonly path: string;
}

/** The tools read in hookd's own process: `self` is hookd. */
const PROCESS_FILES =
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps|smaps|fd|fdinfo|root|cwd|auxv|map_files)(?:\/|$)|^\/dev\/fd(?:\/|$)/;

export function pathDenial(context: Context, call: PathCall): Decision | undefined {
  return (
    noted(context, 'deny-rules', restriction(context, call, context.permissions.rules.deny)) ??
    noted(context, 'built-in-denies', builtIn(context, call))
  );
}

function builtIn(context: Context, call: PathCall): Decision | undefined {
  const { place } = context;
  if (place.inHookdHome(call.path) && !isKeptOutput(context, call)) {
    return byBuiltin(
      'deny',
      'hookd-home',
      `${quoted(call.path)} belongs to hookd itself; the agent has no access to it.`,
    );
  }
  if (place.bothPaths(call.path).some((path) => PROCESS_FILES.test(path))) {
    return byBuiltin(
      'deny',
      'hookd-home',
      `${quoted(call.path)} shows a process from inside; hookd's own holds its key.`,
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
  const decision =
    pathDenial(context, call) ??
    noted(context, 'hook', byHook(context, 'ask')) ??
    noted(context, 'ask-rules', restriction(context, call, context.permissions.rules.ask)) ??
    noted(context, 'always-asked', alwaysAsked(context, call)) ??
    noted(context, 'allow', allowance(context, call));
  if (context.trace !== undefined) lookAtAll(context, call, context.trace);
  return decision;
}

/** For an explanation: the rules that are not reached, because an earlier check decides. */
function lookAtAll(context: Context, call: PathCall, trace: Trace): void {
  const { deny, ask } = context.permissions.rules;
  for (const list of [deny, ask]) trace.addHits(restrictions(context, call, list));
  const { access, path } = call;
  trace.addFile({ access, word: path, path, target: context.place.realPath(path) });
}

function alwaysAsked({ permissions, place }: Context, { access, path }: PathCall): Decision | undefined {
  if (access !== 'write' || !place.isGuarded(path, permissions.mode)) return undefined;
  return byBuiltin(
    'ask',
    'protected-path',
    `${quoted(path)} ${place.isInForce(path) ? IN_FORCE : 'configures tools that run code'}, so a write always asks.`,
  );
}

function allowance(context: Context, call: PathCall): Decision {
  const { permissions, place } = context;
  const { path, access } = call;
  const { mode } = permissions;
  const { allow } = permissions.rules;
  if (access === 'write' && mode === 'plan')
    return byMode(context, 'ask', `A write to ${quoted(path)} is not made in plan mode, which only reads.`);
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
  if (target === undefined) return byMode(context, 'ask', `${quoted(path)} cannot be resolved to a file.`);
  const hooked = byHook(context, 'allow');
  if (hooked !== undefined) return hooked;
  if (mode === 'bypassPermissions') return bypassed(context);
  const leads = target === path ? '' : `, which leads to ${target}`;
  if (access === 'read') {
    if (isKeptOutput(context, call))
      return byBuiltin('allow', 'kept-output', `${quoted(path)} is what a command of this session printed.`);
    if (place.inWorkspace(path))
      return byBuiltin('allow', 'read-in-workspace', `${quoted(path)} lies in the workspace.`);
    return byMode(
      context,
      'ask',
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
  if (mode === 'acceptEdits')
    return byMode(
      context,
      'allow',
      `${quoted(path)} lies in the workspace, where mode acceptEdits allows edits.`,
    );
  return byMode(context, 'ask', `A write to ${quoted(path)}${leads} is not covered by an allow rule.`);
}

function restriction(context: Context, call: PathCall, list: RuleList): Decision | undefined {
  for (const { rule } of restrictions(context, call, list)) return byRule(rule, call.path);
  return undefined;
}

/** Looked for as they are asked for. */
function* restrictions(
  { permissions, place, call }: Context,
  { access, path }: PathCall,
  list: RuleList,
): Generator<RuleHit> {
  const { tool } = call;
  const bare = bareRule(list, tool.name) ?? bareRule(list, 'Read');
  if (bare !== undefined) yield { rule: bare };
  const parameter = parameterRule(list, call);
  if (parameter !== undefined) yield { rule: parameter };
  if (list.paths.length === 0) return;
  for (const one of place.bothPaths(path)) {
    const directory = tool.name === 'Glob' || place.isDirectory(one);
    const use: PathUse = { access, tool: tool.name, path: one, directory };
    const rule = restrictingPathRule(list, use, permissions.workplace);
    if (rule !== undefined) yield { rule, path: one };
  }
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
