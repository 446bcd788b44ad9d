/** `hookd policy test FILE…`: a policy's own tests, row by row through the gate, and the rules that no row touches. */
import { readFileSync } from 'node:fs';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import type { Decision, PermissionMode } from '../core/vocabulary.ts';
import { ruleFits, rulesThatFit } from '../permissions/coverage.ts';
import { decide, type Question } from '../permissions/decide.ts';
import { realFiles } from '../permissions/files-view.ts';
import type { Rule } from '../permissions/rule.ts';
import type { CommandLine } from '../settings/command-line.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';
import { describeProblem } from '../settings/problem.ts';
import type { WrittenMode } from '../settings/schema.ts';
import { counted, wrapped } from './columns.ts';
import { shortPath } from './hooks-settings.ts';
import { type Output, oneLine, printable } from './output.ts';
import { callText } from './policy-explain-lines.ts';
import { ruleObject } from './policy-explain-object.ts';
import { openPolicy } from './policy-question.ts';
import { type PolicyRow, readRows } from './policy-test-rows.ts';
import { givenPath } from './start-directory.ts';

export interface TestOptions {
  readonly files: readonly string[];
  readonly flags: CommandLine;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

interface JudgedRow {
  readonly row: PolicyRow;
  readonly mode: PermissionMode;
  readonly decision: Decision;
  readonly question: Question;
}

/** Each rule that is left over is tried alone on each row; beyond this many decisions that is left out. */
const MOST_TRIED_ALONE = 20_000;

/** Returns 1 when a row is not as expected, 2 when a file is malformed. Throws SETTINGS_INVALID. */
export function testCommand({ files, flags, json, env }: TestOptions, output: Output): number {
  const policies = policiesByMode(flags, env);
  const { workplace } = policies(undefined).permissions;
  for (const warning of policies(undefined).warnings) output.note(`hookd: warning: ${warning}`);
  const read = files.map((file) => readRows(file, bytesOf(file), workplace));
  const problems = read.flatMap((one) => one.problems);
  if (problems.length > 0) {
    if (json) output.result(JSON.stringify({ problems }));
    for (const problem of problems) output.note(printable(describeProblem(problem)));
    output.note(`${counted(problems.length, 'error')}: no row was judged.`);
    return EXIT.usage;
  }
  const judged = read.flatMap((one) => one.rows).map((row) => judge(row, policies(row.mode)));
  const coverage = coverageOf(judged, policies(undefined).rules);
  const missed = judged.filter(({ row, decision }) => decision.behavior !== row.expect);
  if (json) output.result(JSON.stringify(resultObject(judged, missed, coverage)));
  else
    for (const line of resultLines(judged, missed, coverage, policies(undefined)))
      output.result(printable(line));
  return missed.length > 0 ? EXIT.failed : EXIT.done;
}

/** A mode counts as if it had been given to the session: what forbids it forbids it here, too. */
function policiesByMode(flags: CommandLine, env: NodeJS.ProcessEnv) {
  const opened = new Map<WrittenMode | undefined, SettingsSnapshot>();
  return (mode: WrittenMode | undefined): SettingsSnapshot => {
    const known = opened.get(mode);
    if (known !== undefined) return known;
    const snapshot = openPolicy(mode === undefined ? flags : { ...flags, permissionMode: mode }, env);
    opened.set(mode, snapshot);
    return snapshot;
  };
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(givenPath(file));
  } catch (error) {
    throw new HookdError('USAGE', `${file} cannot be read: ${messageOf(error)}.`);
  }
}

function judge(row: PolicyRow, { permissions }: SettingsSnapshot): JudgedRow {
  const question = { permissions, call: row.call, files: realFiles };
  return { row, mode: permissions.mode, decision: decide(question), question };
}

interface Coverage {
  readonly rules: number;
  readonly unmatched: readonly Rule[];
}

/** A rule that can match nothing was warned of by the loader. */
function coverageOf(judged: readonly JudgedRow[], all: readonly Rule[]): Coverage {
  const rules = all.filter(({ parts }) => parts.some(({ kind }) => kind !== 'inert'));
  // The snapshots of different modes have rules of their own, at the same places.
  const place = ({ source }: Pick<Rule, 'source'>): string =>
    JSON.stringify([source.file, source.line, source.column, source.list, source.text]);
  const touched = new Set(
    judged.flatMap(({ question }) => [...rulesThatFit(question)].map((source) => place({ source }))),
  );
  const left = rules.filter((rule) => !touched.has(place(rule)));
  const isTried = left.length * judged.length <= MOST_TRIED_ALONE;
  const unmatched = isTried
    ? left.filter((rule) => !judged.some(({ question }) => ruleFits(question, rule)))
    : left;
  return { rules: rules.length, unmatched };
}

function resultObject(judged: readonly JudgedRow[], missed: readonly JudgedRow[], coverage: Coverage) {
  return {
    rows: judged.length,
    passed: judged.length - missed.length,
    failed: missed.length,
    results: judged.map(({ row, mode, decision }) => ({
      file: row.file,
      line: row.line,
      name: row.name ?? null,
      tool: row.call.tool.name,
      input: row.call.input,
      mode,
      expect: row.expect,
      decision: decision.behavior,
      reason: decision.reason,
      cause: decision.cause,
      ok: decision.behavior === row.expect,
    })),
    coverage: {
      rules: coverage.rules,
      unmatched: coverage.unmatched.map(({ source }) => ruleObject(source)),
    },
  };
}

function resultLines(
  judged: readonly JudgedRow[],
  missed: readonly JudgedRow[],
  { rules, unmatched }: Coverage,
  { permissions }: SettingsSnapshot,
): readonly string[] {
  const { workplace } = permissions;
  const summary = `${judged.length - missed.length} of ${counted(judged.length, 'row')} as expected.`;
  const title = `No row matches ${unmatched.length} of ${counted(rules, 'rule')}:`;
  return [
    ...missed.flatMap(missLines),
    summary,
    ...(unmatched.length === 0 ? [] : [title]),
    ...unmatched.flatMap(({ source }) =>
      wrapped(
        `${oneLine(source.text, 400)} at ${shortPath(source.file, workplace)}:${source.line}`,
        ' '.repeat(9),
        `  ${source.list.padEnd(7)}`,
      ),
    ),
  ];
}

function missLines({ row, mode, decision }: JudgedRow): readonly string[] {
  const { file, line, name, call, expect } = row;
  const named = name === undefined ? '' : `: ${oneLine(name, 200)}`;
  const inMode = mode === 'default' ? '' : ` (mode ${mode})`;
  return [
    ...wrapped(`${file}:${line}${named}`, '    ', ''),
    ...wrapped(oneLine(callText(call), 400) + inMode, '    '),
    ...wrapped(`expected ${expect}, got ${decision.behavior}: ${oneLine(decision.reason, 400)}`, '    '),
    '',
  ];
}
