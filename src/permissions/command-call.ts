/** Decisions about a shell command. Whatever denies or asks is looked for everywhere; what allows must cover every part. */
import { basename } from 'node:path';
import type { Decision, Workplace } from '../core/vocabulary.ts';
import { allowanceOf } from './command-allow.ts';
import { doubt } from './command-doubt.ts';
import { restriction, restrictions, type Understood } from './command-restriction.ts';
import { byBuiltin, byHook, byMode, bypassed, byRule, type Context, quoted } from './context.ts';
import { alwaysAsked, tooIntricate } from './guards/always-asked.ts';
import { builtinAsk, builtinDenial } from './guards/builtin.ts';
import { reachesHookd } from './guards/hookd-guard.ts';
import { launchedText } from './launchers.ts';
import type { Reach } from './reach.ts';
import { bareRule, type PathUse } from './rule-set.ts';
import type { Analysis, ShellStart } from './shell/commands.ts';
import { pathsNamed } from './shell/paths.ts';
import { unsetVariables } from './shell/unset-variables.ts';
import { noted, type Trace } from './trace.ts';
import { understandCommand } from './understanding.ts';

export function commandDenial(context: Context, command: string): Decision | undefined {
  return denialOf(understand(context, command));
}

export function decideCommand(context: Context, command: string): Decision {
  const understood = understand(context, command);
  const decision =
    denialOf(understood) ??
    noted(context, 'hook', byHook(context, 'ask')) ??
    noted(context, 'ask-rules', restriction(understood, context.permissions.rules.ask)) ??
    noted(context, 'unresolved', tooIntricate(understood) ?? doubt(understood)) ??
    noted(context, 'always-asked', alwaysAsked(understood)) ??
    noted(context, 'allow', allowance(understood));
  if (context.trace !== undefined) lookAtAll(understood, context.trace);
  return decision;
}

/**
 * For an explanation: what the checks would see that are not reached, because an earlier one decides. Afterwards, because
 * it uses up what one decision may look at in directories.
 */
function lookAtAll(understood: Understood, trace: Trace): void {
  const { permissions, place, reach } = understood;
  for (const list of [permissions.rules.deny, permissions.rules.ask])
    trace.addHits(restrictions(understood, list));
  trace.whole = allowanceOf(understood, (command, allowance) => trace.parts.push({ command, allowance }));
  trace.readings = reach.readings;
  trace.unresolved = reach.unresolved;
  const add = (access: PathUse['access'], word: string, cwds: readonly string[]): void => {
    for (const path of pathsNamed(word, cwds, place))
      trace.addFile({ access, word, path, target: place.realPath(path) });
  };
  for (const { files, cwds } of reach.readings)
    for (const { access, word } of files.uses) add(access, word, cwds);
  for (const { writes, targets, cwds } of reach.redirects)
    for (const target of targets) add(writes ? 'write' : 'read', target, cwds);
}

type Start = Pick<ShellStart, 'cwd' | 'home' | 'variables'>;

/** The same one for all commands of a workplace. */
const starts = new WeakMap<Workplace, Start>();

function startIn(workplace: Workplace): Start {
  let start = starts.get(workplace);
  if (start === undefined) {
    const { cwd, home, hookdHome } = workplace;
    start = { cwd, home, variables: new Map([['HOOKD_HOME', [hookdHome]]]) };
    starts.set(workplace, start);
  }
  return start;
}

function understand(context: Context, command: string): Understood {
  const { permissions, call, place, hook, isSet, trace } = context;
  const unset = isSet === undefined ? undefined : unsetVariables(command, isSet);
  const start = startIn(permissions.workplace);
  const { analysis, reach } = understandCommand(
    command,
    unset === undefined || unset.size === 0 ? start : { ...start, unset },
  );
  place.takeLiterally(reach.literals);
  const launched = launchedFrom(analysis, reach, start);
  return { permissions, call, place, hook, isSet, trace, command, analysis, reach, launched };
}

const NONE: readonly Reach[] = [];
/** A launcher may start another. */
const MOST_LAUNCHED = 4;

function launchedFrom(analysis: Analysis, reach: Reach, start: Start): readonly Reach[] {
  let text = launchedText(analysis.commands, reach);
  if (text === undefined) return NONE;
  const found: Reach[] = [];
  while (text !== undefined && found.length < MOST_LAUNCHED) {
    const inner = understandCommand(text, start);
    found.push(inner.reach);
    text = launchedText(inner.analysis.commands, inner.reach);
  }
  return found;
}

function denialOf(understood: Understood): Decision | undefined {
  const { permissions } = understood;
  return (
    noted(understood, 'deny-rules', restriction(understood, permissions.rules.deny)) ??
    noted(understood, 'built-in-denies', builtIn(understood))
  );
}

function builtIn({ permissions, place, reach, command, launched = NONE }: Understood): Decision | undefined {
  const hookd = reachesHookd(command, reach, place);
  if (hookd !== undefined) {
    return byBuiltin(
      'deny',
      'hookd-home',
      `${quoted(hookd)} reaches for hookd itself; the agent's commands have no access to it.`,
    );
  }
  let builtin = builtinDenial(reach, place, permissions.disabledBuiltins);
  for (const started of launched) builtin ??= builtinDenial(started, place, permissions.disabledBuiltins);
  if (builtin === undefined) return undefined;
  return byBuiltin(
    'deny',
    builtin.name,
    `${quoted(builtin.part)} is on the built-in deny list (${builtin.name}).`,
  );
}

function allowance(understood: Understood): Decision {
  const { permissions, call, reach, place, command } = understood;
  const { mode, rules } = permissions;
  const bare = mode === 'plan' ? undefined : bareRule(rules.allow, call.tool.name);
  if (bare !== undefined) return byRule(bare);
  const allowed = allowanceOf(understood);
  if (allowed.ok) {
    if (allowed.rule !== undefined) return byRule(allowed.rule);
    return allowed.byMode
      ? byMode(understood, 'allow', `${quoted(command)} edits the workspace, as mode acceptEdits allows.`)
      : byBuiltin('allow', 'read-only', `${quoted(command)} only reads, in the workspace.`);
  }
  if (mode === 'plan') {
    const why = `${quoted(command)} is not known to only read the workspace, and plan mode does nothing else.`;
    return byMode(understood, 'ask', why);
  }
  const hooked = byHook(understood, 'allow');
  if (hooked !== undefined) return hooked;
  if (mode === 'bypassPermissions') return bypassed(understood);
  const builtin = builtinAsk(reach, place);
  if (builtin !== undefined)
    return byBuiltin(
      'ask',
      builtin.name,
      `${allowed.why} (${ASK_REASONS[builtin.name] ?? basename(builtin.name)}).`,
    );
  return byMode(understood, 'ask', `${allowed.why}.`);
}

const ASK_REASONS: Readonly<Record<string, string>> = {
  rm: 'it removes files',
  'chmod-777': 'it lets everybody write',
  'write-outside': 'it writes outside the workspace',
  'write-etc': 'it writes to /etc',
};
