/** `hookd hooks lint [FILE…]`: what is probably wrong with hooks, found without running any. */
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import type { Hook } from '../hooks/hook.ts';
import { type Finding, lintHook } from '../hooks/lint.ts';
import { lintScript, type ScriptInHand } from '../hooks/lint-script.ts';
import { isExecutable, isOnPath, type Program, type ProgramPlace, programOf } from '../hooks/program.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { type ConfiguredFile, configuredHooks } from '../settings/configured-hooks.ts';
import { counted, wrapped } from './columns.ts';
import { isAboutHooks, ofProblem } from './hooks-lint-settings.ts';
import { placeOfFile, settingsInReach, shortPath, withPathsOf } from './hooks-settings.ts';
import { type Output, oneLine, printable } from './output.ts';
import { startDirectory } from './start-directory.ts';

export interface LintOptions {
  /** Settings files (`.json`), or programs; none: all settings files of a session here. */
  readonly files: readonly string[];
  readonly flags: CommandLine;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** Nobody writes a hook as long as this. */
const LONGEST_SCRIPT = 1024 * 1024;

/** Returns the exit code: 1 when there are findings. */
export function lintCommand({ files, flags, json, env }: LintOptions, output: Output): number {
  const { places, program } = settingsInReach(flags, env);
  const given = files.map((file) => resolve(isAbsolute(file) ? '/' : startDirectory(), file));
  for (const file of given) mustBeFile(file);
  const settings = given.filter((file) => file.endsWith('.json'));
  const scripts = given.filter((file) => !file.endsWith('.json'));
  const looked =
    given.length === 0
      ? [{ files: configuredHooks(places), place: program }]
      : settings.map((file) => {
          const place = placeOfFile(file, hookdHomeOf(env), program.project);
          return {
            files: configuredHooks([place], places),
            place: { ...program, project: place.origin.root },
          };
        });
  const findings = inOrder([
    ...looked.flatMap(({ files, place }) => findingsOf(files, place)),
    ...scripts.flatMap((file) => ofGivenScript(file, program)),
  ]);
  const read = [...looked.flatMap(({ files }) => files.map(({ origin }) => origin.file)), ...scripts];
  const hooks = looked.flatMap(({ files }) => files.flatMap((file) => file.hooks)).length;
  if (json) output.result(JSON.stringify({ files: read, hooks, findings }));
  else print(findings, read, hooks, program, output);
  return findings.length === 0 ? EXIT.done : EXIT.failed;
}

/** Of all settings files of a session that would start here. */
export function lintHere(flags: CommandLine, env: NodeJS.ProcessEnv) {
  const { places, program } = settingsInReach(flags, env);
  const files = configuredHooks(places);
  const hooks = files.flatMap((file) => file.hooks).length;
  return { hooks, findings: inOrder(findingsOf(files, program)) };
}

function mustBeFile(file: string): void {
  try {
    if (statSync(file).isFile()) return;
  } catch (error) {
    throw new HookdError('USAGE', `${file} cannot be read: ${messageOf(error)}.`);
  }
  throw new HookdError('USAGE', `${file} is not a file.`);
}

function findingsOf(files: readonly ConfiguredFile[], around: ProgramPlace): readonly Finding[] {
  const place = withPathsOf(files, around);
  const hooks = files.flatMap((file) => file.hooks);
  const programs = hooks.map((hook) => ({ hook, program: programOf(hook.handler, place) }));
  const byFile = new Map<string, { readonly hook: Hook; readonly program: Program }[]>();
  for (const one of programs) {
    const { file, problem } = one.program;
    if (file !== undefined && problem?.kind !== 'missing')
      byFile.set(file, [...(byFile.get(file) ?? []), one]);
  }
  return [
    ...files.flatMap(({ problems }) => problems.filter(isAboutHooks).map(ofProblem)),
    ...programs.flatMap(lintHook),
    ...programs.flatMap((one) => ofCommandText(one.hook, one.program, place)),
    ...[...byFile].flatMap(([file, uses]) =>
      ofScript(
        file,
        uses.map(({ hook: { event, onFailure } }) => ({ event, onFailure })),
        uses.some(({ program }) => program.isStartedItself),
        place,
      ),
    ),
  ];
}

/** A command that names no file may be the program itself: `test -f x || exit 1`. */
function ofCommandText(hook: Hook, program: Program, place: ProgramPlace): readonly Finding[] {
  const { handler, event, onFailure, source } = hook;
  if (handler.type !== 'command' || program.file !== undefined) return [];
  return lintScript({
    file: source.file,
    text: [handler.command, ...(handler.args ?? [])].join('\n'),
    firstLine: source.line,
    isInSettings: true,
    isStartedItself: false,
    uses: [{ event, onFailure }],
    canStart: (name) => canStart(name, place),
  });
}

function ofScript(
  file: string,
  uses: ScriptInHand['uses'],
  isStartedItself: boolean,
  place: ProgramPlace,
): readonly Finding[] {
  const text = scriptText(file);
  if (text === undefined) return [];
  return lintScript({
    ...{ file, text, uses, isStartedItself },
    firstLine: 1,
    isInSettings: false,
    canStart: (name) => canStart(name, place),
  });
}

/** What nobody may start and names no interpreter is a part of another program. */
function ofGivenScript(file: string, place: ProgramPlace): readonly Finding[] {
  const isProgram = isExecutable(file);
  const found = ofScript(file, [], isProgram, place);
  if (isProgram || scriptText(file)?.startsWith('#!') !== true) return found;
  return [notExecutable(file), ...found];
}

function notExecutable(file: string): Finding {
  return {
    ...{ rule: 'not-executable', file, line: 1 },
    what: 'it may not be executed',
    why: 'a hook that names it as its command ends with code 126, as failed',
    fix: `chmod +x ${JSON.stringify(file)}`,
  };
}

function canStart(program: string, { path }: ProgramPlace): boolean {
  return program.includes('/') ? isExecutable(program) : isOnPath(program, path);
}

/** undefined: not a text, or none that can be read; whether it can be started is said elsewhere. */
function scriptText(file: string): string | undefined {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > LONGEST_SCRIPT) return undefined;
    const text = readFileSync(file, 'utf8');
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** By file and line; what is found twice is told once. */
function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const byKey = new Map(
    findings.map((one) => [JSON.stringify([one.file, one.line, one.rule, one.what]), one]),
  );
  return [...byKey.values()].sort((one, other) =>
    one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1,
  );
}

function print(
  findings: readonly Finding[],
  read: readonly string[],
  hooks: number,
  place: ProgramPlace,
  output: Output,
): void {
  for (const { rule, file, line, what, why, fix } of findings) {
    output.result(printable(`${shortPath(file, place)}:${line}: ${oneLine(what, 1000)} [${rule}]`));
    for (const text of [
      ...wrapped(oneLine(`Why: ${why}.`, 1000), '  '),
      ...wrapped(oneLine(`Do: ${fix}`, 1000), '  '),
    ])
      output.result(text);
  }
  const looked = `${counted(hooks, 'hook')} in ${counted(read.length, 'file')}`;
  output.result(
    findings.length === 0
      ? `ok: ${looked}, nothing found`
      : `${counted(findings.length, 'finding')}: ${looked}`,
  );
}
