/** `hookd settings check [FILE…]`: everything that is wrong or doubtful in settings files, at once; nothing is put in force. */
import { isAbsolute, resolve } from 'node:path';
import { EXIT } from '../core/errors.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { refusedAddresses } from '../settings/http-addresses.ts';
import { firstLook } from '../settings/layer.ts';
import {
  describeProblem,
  factsOfProblem,
  isError,
  placeOfProblem,
  type SettingsProblem,
  toldTogether,
} from '../settings/problem.ts';
import { restrictHttp } from '../settings/restrictions.ts';
import { realPath, type SettingsPlace } from '../settings/scopes.ts';
import { SettingsStore } from '../settings/store.ts';
import { counted } from './columns.ts';
import { placeOfFile, settingsInReach, whereaboutsOf } from './hooks-settings.ts';
import { type Output, printable } from './output.ts';
import { startDirectory } from './start-directory.ts';

export interface CheckOptions {
  /** None: all files of a session that would start here. */
  readonly files: readonly string[];
  readonly flags: CommandLine;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

export interface CheckedFile {
  readonly file: string;
  /** Whose authority it was judged with. */
  readonly scope: string;
  readonly isTrusted: boolean;
  readonly rules: number;
  readonly hooks: number;
  readonly problems: readonly SettingsProblem[];
}

/** Returns 2 when there is an error: no session would start with these files. */
export function checkCommand({ files, flags, json, env }: CheckOptions, output: Output): number {
  const { places, program } = settingsInReach(flags, env);
  const given = files.map((file) => resolve(isAbsolute(file) ? '/' : startDirectory(), file));
  const looked =
    given.length === 0
      ? places
      : given.map((file) => {
          const known = places.find((place) => realPath(place.origin.file) === realPath(file));
          const place = known ?? placeOfFile(file, hookdHomeOf(env), program.project);
          return place.kind === 'file' ? { ...place, isNamed: true } : place;
        });
  const around = given.length === 0 ? [] : places;
  const checked = looked.flatMap((place) => checkPlace(place, around));
  const problems = checked.flatMap((file) => file.problems);
  const together = given.length === 0 ? takenTogether(flags, checked, env) : [];
  const errors = problems.filter(isError).length;
  const warnings = problems.length - errors + together.length;
  if (json) output.result(JSON.stringify({ errors, warnings, files: checked, together }));
  else {
    for (const problem of problems) output.result(printable(lineOf(problem)));
    for (const text of together) output.result(printable(`warning: ${text}`));
    output.result(summary(checked, errors, warnings));
  }
  return errors > 0 ? EXIT.usage : EXIT.done;
}

/**
 * Nothing for a file that need not be there and is not. With the files `around` it, it is told besides what it amounts to
 * together with them; without, that is for `takenTogether`.
 */
function checkPlace(place: SettingsPlace, around: readonly SettingsPlace[]): readonly CheckedFile[] {
  const { layer, problems } = firstLook(place, Date.now());
  const { file, scope, isTrusted } = place.origin;
  const { inForce } = layer;
  if (inForce === undefined && problems.length === 0) return [];
  const restricting = around.flatMap((one) => firstLook(one, Date.now()).layer.inForce ?? []);
  const restricted = restrictHttp({ hooks: inForce?.hooks ?? [] }, [
    ...restricting,
    ...(inForce === undefined ? [] : [inForce]),
  ]);
  return [
    {
      ...{ file, scope, isTrusted },
      rules: inForce?.rules.length ?? 0,
      hooks: inForce?.hooks.length ?? 0,
      problems: [
        ...problems,
        ...(inForce?.warnings ?? []),
        ...(around.length === 0 ? [] : refusedAddresses(restricted)),
      ],
    },
  ];
}

/** All files of a session that would start here. Throws SETTINGS_INVALID where it cannot be told which those are. */
export function checkHere(flags: CommandLine, env: NodeJS.ProcessEnv) {
  const checked = settingsInReach(flags, env).places.flatMap((place) => checkPlace(place, []));
  const problems = checked.flatMap((file) => toldTogether(file.problems));
  return { checked, problems, together: takenTogether(flags, checked, env) };
}

/** What is doubtful only when all files are taken together, and what is wrong with flags. */
function takenTogether(
  flags: CommandLine,
  checked: readonly CheckedFile[],
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const known = checked.flatMap(({ problems }) => [...problems, ...toldTogether(problems)]);
  if (known.some(isError)) return [];
  const opened = SettingsStore.open({ ...whereaboutsOf(env), flags, onEvent: () => undefined });
  const said = opened.ok ? opened.store.current().warnings : opened.problems.map(describeProblem);
  const told = new Set(known.map(describeProblem));
  return said.filter((text) => !told.has(text));
}

function lineOf(problem: SettingsProblem): string {
  return `${placeOfProblem(problem)}: ${problem.severity}: ${factsOfProblem(problem)}`;
}

function summary(checked: readonly CheckedFile[], errors: number, warnings: number): string {
  if (checked.length === 0)
    return 'No settings files here: only the built-in rules are in force. "hookd init" writes a first one.';
  const sum = (what: 'rules' | 'hooks') => checked.reduce((total, file) => total + file[what], 0);
  const files = counted(checked.length, 'file');
  if (errors > 0)
    return `${counted(errors, 'error')}, ${counted(warnings, 'warning')} in ${files}. No session starts with an error.`;
  const held = `${files}, ${counted(sum('rules'), 'rule')}, ${counted(sum('hooks'), 'hook')}`;
  return warnings > 0 ? `ok, with ${counted(warnings, 'warning')}: ${held}` : `ok: ${held}`;
}
