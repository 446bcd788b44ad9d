/** The settings that are flags: rules, directories and values that somebody typed for this one session. */
import type { Behavior, PermissionMode } from '../core/vocabulary.ts';
import type { Rule } from '../permissions/rule.ts';
import { modeProblem } from './check-values.ts';
import { modeNamed } from './mode.ts';
import { describeValue, type SettingsProblem } from './problem.ts';
import { readRule } from './read-rules.ts';
import { SUPPORTED_MODES } from './schema.ts';

/** As the flags were given; all optional, lists in order. */
export interface CommandLine {
  /** `--settings`: each the path of a file, or a JSON object. */
  readonly settings?: readonly string[] | undefined;
  /** `--allowedTools`, `--disallowedTools`: each may hold several rules, separated by blanks or commas. */
  readonly allowedTools?: readonly string[] | undefined;
  readonly disallowedTools?: readonly string[] | undefined;
  /** `--add-dir`, relative to the start directory. */
  readonly addDirs?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly maxTurns?: number | undefined;
  /** `--permission-mode`; `--dangerously-skip-permissions` is the mode bypassPermissions. */
  readonly permissionMode?: string | undefined;
  /** `--trust-project`: what the project's and the local file loosen counts, too, in this run. */
  readonly trustProject?: boolean | undefined;
  /** `--setting-sources`: which of user, project and local are read, separated by commas; empty: none. */
  readonly settingSources?: string | undefined;
  /** `--claude-settings`: Claude Code's files are read besides ours. */
  readonly claudeSettings?: boolean | undefined;
}

export interface FlagSettings {
  readonly rules: readonly Rule[];
  readonly mode: PermissionMode | undefined;
  readonly problems: readonly SettingsProblem[];
}

/** `root` anchors `/p` rules: the start directory. */
export function readFlags(flags: CommandLine, root: string): FlagSettings {
  const lists = [
    ...readRuleFlag('--allowedTools', 'allow', flags.allowedTools ?? [], root),
    ...readRuleFlag('--disallowedTools', 'deny', flags.disallowedTools ?? [], root),
  ];
  const mode = SUPPORTED_MODES.find((known) => known === flags.permissionMode);
  return {
    mode: mode === undefined ? undefined : modeNamed(mode),
    rules: lists.flatMap(({ rule }) => (rule === undefined ? [] : [rule])),
    problems: [
      ...lists.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
      ...valueProblems(flags),
    ],
  };
}

function readRuleFlag(flag: string, list: Behavior, values: readonly string[], root: string) {
  return values.flatMap((value) =>
    splitRules(value).map(({ text, offset }) => {
      const place = { line: 1, column: offset + 1 };
      const read = readRule({ text, list, origin: { file: flag, root }, place, path: [] });
      if (read.rule !== undefined || read.problem === undefined) return read;
      // Of a file a malformed allow rule only warns; somebody who has just typed one can type it again.
      const message = read.problem.message.replace(/; ignored$/, '');
      return { problem: { ...read.problem, severity: 'error' as const, message } };
    }),
  );
}

interface WrittenRule {
  readonly text: string;
  readonly offset: number;
}

/** `Bash(git log *) Read,Edit` → three rules: blanks and commas separate outside parentheses. */
export function splitRules(value: string): readonly WrittenRule[] {
  const rules: WrittenRule[] = [];
  let start: number | undefined;
  let depth = 0;
  for (let index = 0; index <= value.length; index++) {
    const character = value[index];
    const separates = character === undefined || (depth === 0 && /[\s,]/.test(character));
    if (separates) {
      if (start !== undefined) rules.push({ text: value.slice(start, index), offset: start });
      start = undefined;
      continue;
    }
    start ??= index;
    if (value[index - 1] === '\\') continue;
    if (character === '(') depth += 1;
    if (character === ')') depth = Math.max(0, depth - 1);
  }
  return rules;
}

function valueProblems({ maxTurns, model, permissionMode }: CommandLine): readonly SettingsProblem[] {
  const problems: SettingsProblem[] = [];
  const refuse = (flag: string, facts: Pick<SettingsProblem, 'message'> & Partial<SettingsProblem>): void => {
    problems.push({ severity: 'error', file: flag, line: 1, column: 1, key: '', ...facts });
  };
  if (maxTurns !== undefined && !(Number.isSafeInteger(maxTurns) && maxTurns >= 1)) {
    refuse('--max-turns', {
      message: 'wrong value',
      expected: 'a whole number from 1',
      found: describeValue(maxTurns),
    });
  }
  if (model === '')
    refuse('--model', { message: 'wrong value', expected: 'the name of a model', found: 'nothing' });
  if (permissionMode !== undefined && !SUPPORTED_MODES.some((mode) => mode === permissionMode)) {
    refuse('--permission-mode', modeProblem(permissionMode));
  }
  return problems;
}
