/** Holds what bash did against what the analysis said before: what ran and was not foreseen is a miss. */
import type { Workplace } from '../../../src/core/vocabulary.ts';
import { decide, type Permissions } from '../../../src/permissions/decide.ts';
import type { FilesView } from '../../../src/permissions/files-view.ts';
import { Place } from '../../../src/permissions/place.ts';
import { fileUses } from '../../../src/permissions/programs/file-use.ts';
import type { Reading } from '../../../src/permissions/programs/reading.ts';
import { type Reach, reachOf } from '../../../src/permissions/reach.ts';
import { analyseCommand } from '../../../src/permissions/shell/commands.ts';
import { pathsNamed } from '../../../src/permissions/shell/paths.ts';
import { unsetVariables } from '../../../src/permissions/shell/unset-variables.ts';
import { bash, filesOf, permissionsOf, type RuleTexts } from '../scene.ts';
import { filesBefore, type Observed } from './real-bash.ts';
import { NAMES } from './words.ts';

/** What the shell of a case is started with. */
const isSet = (name: string): boolean => /^(?:PATH|STAGE|SHLVL|LC_ALL|HOME|PWD|FUZZ\w*)$/.test(name);

export interface Comparison {
  /** What happened though the analysis had no place for it, or a rule was passed by. */
  readonly misses: readonly string[];
  /** The analysis said that it cannot tell, so that whatever happens is asked about. */
  readonly cannotTell: string | undefined;
  /** How many commands and files were found word for word. */
  readonly exact: number;
}

export function compare(observed: Observed): Comparison {
  const workplace = workplaceOf(observed);
  const unset = unsetVariables(observed.text, isSet);
  const start = { cwd: observed.cwd, home: observed.home, unset };
  const files = filesOf(filesBefore(observed.cwd));
  const reach = reachOf(analyseCommand(observed.text, start), start);
  const [pattern] = reach.patternCalls;
  const open = reach.unresolved[0] ?? (pattern === undefined ? undefined : 'a pattern is the command word');
  const cannotTell = reach.exhausted ? 'it is endless' : open;
  const misses: string[] = [];
  let exact = 0;
  for (const argv of observed.executed) {
    if (reach.readings.some((reading) => isExactly(reading, argv))) exact++;
    else if (cannotTell === undefined && !reach.readings.some((reading) => mayBecome(reading, argv)))
      misses.push(`ran ${JSON.stringify(argv)}`);
  }
  const place = new Place(workplace, files);
  for (const file of observed.written) {
    if (isWritten(file, reach, place)) exact++;
    else if (cannotTell === undefined && !reach.redirects.some(({ writes, resolved }) => writes && !resolved))
      misses.push(`wrote ${file}`);
  }
  return { misses: [...new Set(misses), ...rulesPassed(observed, workplace, files)], cannotTell, exact };
}

const isExactly = ({ words }: Reading, argv: readonly string[]): boolean =>
  words.length === argv.length && words.every((word, index) => word === argv[index]);

/** The reading says itself from where on its words are known only when it runs. */
const mayBecome = ({ words, sure, openEnded }: Reading, argv: readonly string[]): boolean =>
  (sure !== undefined || openEnded) && words.slice(0, sure).every((word, index) => word === argv[index]);

function isWritten(file: string, reach: Reach, place: Place): boolean {
  const names = (word: string, cwds: readonly string[]): boolean =>
    pathsNamed(word, cwds, place).includes(file);
  return (
    reach.redirects.some(
      ({ writes, targets, cwds }) => writes && targets.some((target) => names(target, cwds)),
    ) ||
    reach.readings.some(({ words, cwds }) =>
      fileUses(words).uses.some(({ access, word }) => access === 'write' && names(word, cwds)),
    )
  );
}

/** What a user of the rules sees: a denied command that would have been allowed, and an allow that covered more than it names. */
function rulesPassed(observed: Observed, workplace: Workplace, files: FilesView): readonly string[] {
  const allows = (rules: RuleTexts): boolean =>
    decide({ permissions: within(workplace, rules), call: bash(observed.text), files, isSet }).behavior ===
    'allow';
  const passed: string[] = [];
  const plain = observed.executed.filter(
    (argv) => argv.length > 0 && argv.every((word) => /^[\w.=/-]+$/.test(word)),
  );
  const rules = new Set(plain.flatMap((argv) => [argv.join(' '), `${argv[0]}:*`]));
  for (const rule of [...rules].slice(0, MOST_RULES)) {
    if (allows({ allow: ['Bash'], deny: [`Bash(${rule})`] }))
      passed.push(`allowed beside deny Bash(${rule})`);
  }
  for (const file of observed.written.filter((one) => /^[\w./-]+$/.test(one))) {
    if (allows({ allow: ['Bash'], deny: [`Edit(/${file})`] }))
      passed.push(`allowed beside deny Edit(/${file})`);
  }
  const ran = new Set(observed.executed.map(([name]) => name));
  const others = NAMES.filter((name) => !ran.has(name));
  const isCovered = others.length === NAMES.length && observed.written.length === 0;
  if (!isCovered && allows({ allow: [...others, ...BUILTINS].map((name) => `Bash(${name}:*)`) }))
    passed.push('allowed by rules that name nothing of what ran');
  return passed;
}

/** Of each case. Every rule is a decision of its own. */
const MOST_RULES = 6;

/** Builtins that a user may well allow: none of them may be a way to something else. */
const BUILTINS = [
  'echo',
  'printf',
  'true',
  ':',
  'cd',
  'test',
  '[',
  'set',
  'read',
  'export',
  'declare',
  'eval',
  'trap',
  'let',
  'mapfile',
  'shopt',
  'alias',
  'cat',
  'wait',
  'exit',
];

function within(workplace: Workplace, rules: RuleTexts): Permissions {
  return { ...permissionsOf(rules), workplace };
}

function workplaceOf({ cwd, home }: Observed): Workplace {
  return { project: cwd, cwd, home, hookdHome: `${home}/.hookd`, directories: [] };
}
