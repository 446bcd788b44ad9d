/** Decisions about a shell command. Whatever denies or asks is looked for everywhere; what allows must cover every part. */
import { basename } from 'node:path';
import type { Decision, RuleSource } from '../core/vocabulary.ts';
import { builtinAsk, builtinDenial, criticalRemoval, reachesHookd } from './builtin.ts';
import { allowanceOf } from './command-allow.ts';
import { collapseBlanks, hitsCommand } from './command-rule.ts';
import { byBuiltin, byMode, byRule, type Context, quoted } from './context.ts';
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
import { type Reach, reachOf, textsOf } from './shell/reach.ts';

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
  if (list.commands.length > 0) {
    const full = [collapseBlanks(command), spacedOperators(command)];
    const fullRule = commandRule(list, call.tool.name, (pattern) => hitsCommand(pattern, full));
    if (fullRule !== undefined) return byRule(fullRule);
    for (const reading of reach.readings) {
      const texts = textsOf(reading);
      const rule = commandRule(list, call.tool.name, (pattern) => hitsCommand(pattern, texts));
      if (rule !== undefined) return byRule(rule, reading.words.join(' '));
    }
  }
  return pathRestriction(understood, list);
}

function spacedOperators(text: string): string {
  return collapseBlanks(text.replace(/[ \t]*(&&|\|\||[;|])[ \t]*/g, ' $1 '));
}

function pathRestriction(understood: Understood, list: RuleList): Decision | undefined {
  const { reach } = understood;
  // A deny of the whole Read tool is meant for the contents of files, whoever reads them.
  const wholeRead = list.bare.find((rule) => rule.source.list === 'deny' && rule.tool === 'Read')?.source;
  if (list.paths.length === 0 && wholeRead === undefined) return undefined;
  for (const { words, cwds } of reach.readings) {
    for (const { access, word } of fileUses(words).uses) {
      const rule =
        (access === 'read' ? wholeRead : undefined) ?? ruleForWord(understood, list, access, word, cwds);
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
  return paths ? pathDoubt(understood, ask) : undefined;
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
    const mentioned = mentions.find((word) =>
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

/** Writes to protected paths and critical removals ask even when they are allowed. */
function alwaysAsked({ reach, place }: Understood): Decision | undefined {
  if (reach.exhausted)
    return byBuiltin('ask', 'unresolved-command', 'The command is too intricate to be looked through.');
  const removal = criticalRemoval(reach, place);
  if (removal !== undefined)
    return byBuiltin(
      'ask',
      'critical-removal',
      `${quoted(removal)} removes a directory that much depends on.`,
    );
  const isProtected = (word: string, cwds: readonly string[]): boolean =>
    pathsNamed(word, cwds, place).some((path) => place.isProtected(path));
  for (const { words, cwds } of reach.readings) {
    const written = fileUses(words).uses.find(
      ({ access, word }) => access === 'write' && isProtected(word, cwds),
    );
    if (written !== undefined) {
      return byBuiltin(
        'ask',
        'protected-path',
        `${quoted(words.join(' '))} may change ${quoted(written.word)}, which configures tools that run code.`,
      );
    }
  }
  const redirect = reach.redirects.find(
    ({ writes, targets, cwds }) => writes && targets.some((target) => isProtected(target, cwds)),
  );
  if (redirect === undefined) return undefined;
  return byBuiltin(
    'ask',
    'protected-path',
    `"> ${redirect.text}" changes a file that configures tools that run code.`,
  );
}

function allowance(understood: Understood): Decision {
  const { permissions, call, reach, place } = understood;
  const bare = bareRule(permissions.rules.allow, call.tool.name);
  if (bare !== undefined) return byRule(bare);
  const allowed = allowanceOf(understood);
  if (allowed.ok) {
    return allowed.rule === undefined
      ? byBuiltin('allow', 'read-only', `${quoted(understood.command)} only reads, in the workspace.`)
      : byRule(allowed.rule);
  }
  const builtin = builtinAsk(reach, place);
  if (builtin !== undefined)
    return byBuiltin(
      'ask',
      builtin.name,
      `${allowed.why} (${ASK_REASONS[builtin.name] ?? basename(builtin.name)}).`,
    );
  return byMode(understood, `${allowed.why}.`);
}

const ASK_REASONS: Readonly<Record<string, string>> = {
  rm: 'it removes files',
  'chmod-777': 'it lets everybody write',
  'write-outside': 'it writes outside the workspace',
  'write-etc': 'it writes to /etc',
};
