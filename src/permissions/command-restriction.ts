/** Where a command meets the rules of a list that denies or asks: whole, in anything that it runs, in any file that it uses. */
import { dirname } from 'node:path';
import type { Decision, RuleSource } from '../core/vocabulary.ts';
import { coveredBelow } from './below-directory.ts';
import { commandHits } from './command-hit.ts';
import { byRule, type Context } from './context.ts';
import type { FileUse } from './programs/file-uses.ts';
import type { Reach } from './reach.ts';
import {
  bareRule,
  mayRestrictPath,
  type PathUse,
  parameterRule,
  type RuleList,
  restrictingPathRule,
} from './rule-set.ts';
import type { Analysis } from './shell/commands.ts';
import { isGlob } from './shell/glob.ts';
import { pathsNamed } from './shell/paths.ts';
import type { RuleHit } from './trace.ts';

export interface Understood extends Context {
  readonly command: string;
  readonly analysis: Analysis;
  readonly reach: Reach;
  /** What launchers start, for what is forbidden or asked about without a rule; rules cannot be checked for it. */
  readonly launched?: readonly Reach[];
}

/** The first rule of the list, deny or ask, that anything in the command hits. */
export function restriction(understood: Understood, list: RuleList): Decision | undefined {
  const [hit] = restrictions(understood, list, 1);
  return hit === undefined ? undefined : byRule(hit.rule, hit.part);
}

/** What of the list is hit, in the order in which it is looked for; nothing is looked for beyond `most`. */
export function restrictions(
  understood: Understood,
  list: RuleList,
  most = Number.POSITIVE_INFINITY,
): readonly RuleHit[] {
  const { call, command, reach, permissions } = understood;
  const whole = bareRule(list, call.tool.name) ?? parameterRule(list, call);
  const hits: RuleHit[] = whole === undefined ? [] : [{ rule: whole }];
  if (hits.length < most && list.commands.length > 0)
    hits.push(
      ...commandHits(
        {
          list,
          tool: call.tool.name,
          command,
          reach,
          workplace: permissions.workplace,
          // Whoever asks about one exact command is content with that one; a denial must not be lost to an option.
          exactAnyOptions: list === permissions.rules.deny,
        },
        most,
      ),
    );
  if (hits.length < most) addPathHits(understood, list, hits, most);
  return hits;
}

function addPathHits(understood: Understood, list: RuleList, hits: RuleHit[], most: number): void {
  const { reach, place } = understood;
  // A rule about the whole Read tool is meant for the contents of files, whoever reads them.
  const wholeRead = list.bare.find((rule) => rule.tool === 'Read')?.source;
  if (list.paths.length === 0 && wholeRead === undefined) return;
  for (const reading of reach.readings) {
    const { words, cwds, name, restricted: uses } = reading;
    if (uses.length === 0) continue;
    const isDirectory = name === 'mkdir' || name === 'rmdir';
    for (const use of uses) {
      if (hits.length >= most) return;
      if (use.onlyAsks) continue;
      const { access, word, below } = use;
      const rule = standsForNames(use, understood)
        ? ruleForNames(understood, list, use, cwds)
        : ((access === 'read' && use.onlyNames === undefined ? wholeRead : undefined) ??
          // What mkdir names is a directory, though it is not there yet.
          ruleForWord(understood, list, access, isDirectory ? `${word}/` : word, cwds));
      if (rule !== undefined) hits.push({ rule, part: words.join(' '), path: word });
      if (below !== 'existing' || hits.length >= most) continue;
      for (const directory of pathsNamed(word, cwds, place)) {
        // That asks in every mode, whatever is below.
        if (/^(?:rm|mv)$/.test(name) && place.isCritical(directory)) continue;
        const found = coveredBelow(understood, list, access, directory);
        if (found.kind === 'covered')
          hits.push({ rule: found.rule, part: words.join(' '), path: found.path });
        if (hits.length >= most) return;
      }
    }
  }
  for (const { writes, targets, text, cwds } of reach.redirects) {
    const access = writes ? 'write' : 'read';
    for (const target of targets) {
      if (hits.length >= most) return;
      const rule = (writes ? undefined : wholeRead) ?? ruleForWord(understood, list, access, target, cwds);
      if (rule !== undefined) hits.push({ rule, part: `${writes ? '>' : '<'} ${text}`, path: target });
    }
  }
}

/** A pattern, or a whole directory: it stands for many files, and none of their contents are shown. */
const standsForNames = ({ onlyNames, word }: FileUse, { place }: Understood): boolean =>
  onlyNames === true && (word === './' || (isGlob(word) && !place.isLiteral(word)));

/** A rule about reading one of many files says nothing about its name; one about a directory says that nobody lists it. */
function ruleForNames(
  { permissions, place }: Understood,
  list: RuleList,
  { access, word }: FileUse,
  cwds: readonly string[],
): RuleSource | undefined {
  if (list.paths.length === 0) return undefined;
  for (const path of pathsNamed(word, cwds, place).flatMap((one) => place.bothPaths(one))) {
    const directory = word === './' || place.isDirectory(path);
    const listed = directory ? path : dirname(path);
    const uses: readonly PathUse[] = [
      { access, tool: undefined, path: listed, directory: true },
      ...(access === 'write'
        ? [{ access, tool: undefined, path, directory, onlyWrites: true as const }]
        : []),
    ];
    for (const use of uses) {
      const rule = restrictingPathRule(list, use, permissions.workplace);
      if (rule !== undefined) return rule;
    }
  }
  return undefined;
}

export function ruleForWord(
  { permissions, place }: Understood,
  list: RuleList,
  access: PathUse['access'],
  word: string,
  cwds: readonly string[],
): RuleSource | undefined {
  if (list.paths.length === 0) return undefined;
  for (const named of pathsNamed(word, cwds, place)) {
    for (const path of place.bothPaths(named)) {
      if (!mayRestrictPath(list, path)) continue;
      const directory = word.endsWith('/') || place.isDirectory(path);
      const use: PathUse = { access, tool: undefined, path, directory };
      const rule = restrictingPathRule(list, use, permissions.workplace);
      if (rule !== undefined) return rule;
    }
  }
  return undefined;
}
