/** Decisions about a shell command. Whatever denies or asks is looked for everywhere; what allows must cover every part. */
import { basename } from 'node:path';
import type { Decision, RuleSource } from '../core/vocabulary.ts';
import { alwaysAsked } from './always-asked.ts';
import { builtinAsk, builtinDenial } from './builtin.ts';
import { allowanceOf } from './command-allow.ts';
import { hitByCommandRule } from './command-hit.ts';
import { mayHitCommand } from './command-rule.ts';
import { byBuiltin, byHook, byMode, bypassed, byRule, type Context, quoted } from './context.ts';
import { reachesHookd } from './hookd-guard.ts';
import {
  bareRule,
  commandRule,
  type PathUse,
  parameterRule,
  type RuleList,
  restrictingPathRule,
} from './rule-set.ts';
import { type Analysis, analyseCommand, type ShellStart } from './shell/commands.ts';
import { fileUses } from './shell/file-use.ts';
import { hasTooManyMatches, pathsNamed } from './shell/paths.ts';
import { type Reach, type Reading, reachOf } from './shell/reach.ts';

interface Understood extends Context {
  readonly command: string;
  readonly analysis: Analysis;
  readonly reach: Reach;
}

export function commandDenial(context: Context, command: string): Decision | undefined {
  return denialOf(understand(context, command));
}

export function decideCommand(context: Context, command: string): Decision {
  const understood = understand(context, command);
  return (
    denialOf(understood) ??
    byHook(context, 'ask') ??
    restriction(understood, context.permissions.rules.ask) ??
    doubt(understood) ??
    alwaysAsked(understood) ??
    allowance(understood)
  );
}

function understand(context: Context, command: string): Understood {
  const { cwd, home } = context.permissions.workplace;
  const start: ShellStart = { cwd, home };
  const analysis = analyseCommand(command, start);
  return { ...context, command, analysis, reach: reachOf(analysis, start) };
}

function denialOf(understood: Understood): Decision | undefined {
  const { permissions, place, reach, command } = understood;
  const rule = restriction(understood, permissions.rules.deny);
  if (rule !== undefined) return rule;
  const hookd = reachesHookd(command, reach, place);
  if (hookd !== undefined) {
    return byBuiltin(
      'deny',
      'hookd-home',
      `${quoted(hookd)} reaches for hookd itself; the agent's commands have no access to it.`,
    );
  }
  const builtin = builtinDenial(reach, place, permissions.disabledBuiltins);
  if (builtin === undefined) return undefined;
  return byBuiltin(
    'deny',
    builtin.name,
    `${quoted(builtin.part)} is on the built-in deny list (${builtin.name}).`,
  );
}

/** The first rule of the list, deny or ask, that anything in the command hits. */
function restriction(understood: Understood, list: RuleList): Decision | undefined {
  const { call, command, reach } = understood;
  const whole = bareRule(list, call.tool.name) ?? parameterRule(list, call);
  if (whole !== undefined) return byRule(whole);
  const hit = hitByCommandRule(list, call.tool.name, command, reach);
  return hit === undefined ? pathRestriction(understood, list) : byRule(hit.rule, hit.part);
}

function pathRestriction(understood: Understood, list: RuleList): Decision | undefined {
  const { reach } = understood;
  // A rule about the whole Read tool is meant for the contents of files, whoever reads them.
  const wholeRead = list.bare.find((rule) => rule.tool === 'Read')?.source;
  if (list.paths.length === 0 && wholeRead === undefined) return undefined;
  for (const { words, cwds } of reach.readings) {
    const makes = basename(words[0] ?? '') === 'mkdir';
    for (const { access, word } of fileUses(words).uses) {
      // What mkdir names is a directory, though it is not there yet.
      const named = makes ? `${word}/` : word;
      const rule =
        (access === 'read' ? wholeRead : undefined) ?? ruleForWord(understood, list, access, named, cwds);
      if (rule !== undefined) return byRule(rule, words.join(' '));
    }
  }
  for (const { writes, targets, text, cwds } of reach.redirects) {
    const access = writes ? 'write' : 'read';
    for (const target of targets) {
      const rule = (writes ? undefined : wholeRead) ?? ruleForWord(understood, list, access, target, cwds);
      if (rule !== undefined) return byRule(rule, `${writes ? '>' : '<'} ${text}`);
    }
  }
  return undefined;
}

function ruleForWord(
  { permissions, place }: Understood,
  list: RuleList,
  access: PathUse['access'],
  word: string,
  cwds: readonly string[],
): RuleSource | undefined {
  for (const path of pathsNamed(word, cwds, place).flatMap((one) => place.bothPaths(one))) {
    const directory = word.endsWith('/') || place.isDirectory(path);
    const rule = restrictingPathRule(
      list,
      { access, tool: undefined, path, directory },
      permissions.workplace,
    );
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** With deny or ask rules in force, what cannot be resolved may be what they mean: it asks, whatever is allowed. */
function doubt(understood: Understood): Decision | undefined {
  const { permissions, reach } = understood;
  const lists = [permissions.rules.deny, permissions.rules.ask];
  const paths = lists.some(
    (list) => list.paths.length > 0 || list.bare.some((rule) => /^(?:Read|Edit|Write)$/.test(rule.tool)),
  );
  const commands = lists.some((list) => list.commands.length > 0);
  if (!paths && !commands) return undefined;
  const [unresolved] = reach.unresolved;
  const ask = (why: string): Decision =>
    byBuiltin('ask', 'unresolved-command', `The deny and ask rules cannot be checked: ${why}.`);
  if (unresolved !== undefined) return ask(unresolved);
  const open = commands ? reach.readings.find((reading) => mayBeMeant(understood, reading)) : undefined;
  if (open !== undefined)
    return ask(`${quoted(open.words.join(' '))} has words that are known only when it runs`);
  return paths ? pathDoubt(understood, ask) : undefined;
}

/** What comes before the first unknown word leaves room for a rule to fit. */
function mayBeMeant({ permissions, call }: Understood, { words, sure }: Reading): boolean {
  if (sure === undefined) return false;
  const [name = '', ...rest] = words.slice(0, Math.max(sure, 0));
  const begins = [[name, ...rest].join(' '), [basename(name), ...rest].join(' ')];
  return [permissions.rules.deny, permissions.rules.ask].some(
    (list) =>
      commandRule(list, call.tool.name, (pattern) =>
        begins.some((begin) => mayHitCommand(pattern, begin)),
      ) !== undefined,
  );
}

function pathDoubt(understood: Understood, ask: (why: string) => Decision): Decision | undefined {
  const { permissions, reach, place } = understood;
  const lists = [permissions.rules.deny, permissions.rules.ask];
  const readRules = lists.some((list) => list.paths.some((rule) => rule.access === 'read'));
  const writesDenied = lists.some((list) => list.bare.some((rule) => /^(?:Edit|Write)$/.test(rule.tool)));
  for (const { words, cwds, openEnded } of reach.readings) {
    const { known, uses, recursive, mentions } = fileUses(words);
    const part = quoted(words.join(' '));
    const many = uses.find(({ word }) => hasTooManyMatches(word, cwds, place));
    if (many !== undefined) return ask(`${quoted(many.word)} names too many files`);
    if (known && openEnded) return ask(`the files of ${part} are known only when it runs`);
    if (recursive && readRules) return ask(`${part} reads whatever is below a directory`);
    if (writesDenied && uses.some((use) => use.access === 'write'))
      return ask(`${part} writes, and a tool that writes is restricted`);
    const mentioned = [...new Set(mentions)].find((word) =>
      lists.some((list) => ruleForWord(understood, list, 'write', word, cwds) !== undefined),
    );
    if (mentioned !== undefined) return ask(`${part} names ${quoted(mentioned)}, which a rule is about`);
  }
  for (const { writes, resolved, text } of reach.redirects) {
    if (text === '/dev/null') continue;
    if (!resolved) return ask(`the target ${quoted(text)} is known only when it runs`);
    if (writes && writesDenied) return ask(`"> ${text}" writes, and a tool that writes is restricted`);
  }
  return undefined;
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
