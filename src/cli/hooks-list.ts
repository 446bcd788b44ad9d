/** `hookd hooks list`: every hook in force, where it was written, and what keeps it from doing what it should. */
import { EXIT, HookdError } from '../core/errors.ts';
import { hookTimeoutMs } from '../hooks/command.ts';
import { eventRow } from '../hooks/events.ts';
import { type Hook, hookRef } from '../hooks/hook.ts';
import { addressProblem } from '../hooks/http-address.ts';
import { deadMatcher } from '../hooks/match.ts';
import { type ProgramPlace, programOf } from '../hooks/program.ts';
import { conditionProblem } from '../permissions/condition.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { type ConfiguredFile, configuredHooks, hooksOff } from '../settings/configured-hooks.ts';
import { describeProblem, isError } from '../settings/problem.ts';
import { SettingsStore } from '../settings/store.ts';
import { TOOLS } from '../tools/registry.ts';
import { COLUMNS, cell, wrapped } from './columns.ts';
import { settingsInReach, shortPath, whereaboutsOf, withPathsOf } from './hooks-settings.ts';
import { type Output, oneLine, printable } from './output.ts';

export interface ListOptions {
  readonly flags: CommandLine;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Instead of the directory that hookd was started in. */
  readonly cwd?: string;
}

const KNOWN_TOOLS: ReadonlySet<string> = new Set(TOOLS.map(({ name }) => name));

/** Throws SETTINGS_INVALID: a session would not start either. */
export function listCommand({ flags, json, env, cwd }: ListOptions, output: Output): number {
  const { places, program: found } = settingsInReach(flags, env, cwd);
  const opened = SettingsStore.open({ ...whereaboutsOf(env, cwd), flags, onEvent: () => undefined });
  if (!opened.ok) throw new HookdError('SETTINGS_INVALID', opened.problems.map(describeProblem).join('\n'));
  const files = configuredHooks(places);
  const program = withPathsOf(files, found);
  const { store } = opened;
  const { hooks } = store.current().hooks;
  const inForce = hooks.map((hook) => entryOf(hook, program));
  const off = [
    ...hooksOff(files, hooks, store.waiting).map(({ hook, why }) => ({ ...shortEntry(hook), why })),
    ...files.flatMap(brokenEntry),
    ...files.flatMap(({ silent }) => silent.map((one) => ({ ...one, why: 'this event never fires here' }))),
  ];
  if (json) {
    output.result(JSON.stringify({ project: program.project, hooks: inForce, notInForce: off }));
    return EXIT.done;
  }
  const say = (line: string) => output.result(printable(line));
  for (const line of table(inForce, program)) say(line);
  if (inForce.length === 0) say('no hooks are in force');
  for (const line of notInForce(off, program)) say(line);
  return EXIT.done;
}

/** Of a project that is not trusted: elsewhere no session would start. */
function brokenEntry({ origin, problems }: ConfiguredFile) {
  const first = problems.find(isError);
  if (first === undefined) return [];
  return [
    {
      event: '(all)',
      file: origin.file,
      line: first.line,
      why: 'the file has errors; see "hookd hooks lint"',
    },
  ];
}

function shortEntry(hook: Hook) {
  const { event, name, file, line } = hookRef(hook);
  return { event, name, file, line, scope: hook.source.scope };
}

export type ListedHook = ReturnType<typeof entryOf>;

function entryOf(hook: Hook, place: ProgramPlace) {
  const { event, matcher, condition, isAsync, handler } = hook;
  const program = programOf(handler, place);
  const row = eventRow(event);
  const asked = hook.onFailure ?? row.onFailure;
  return {
    ...shortEntry(hook),
    type: handler.type === 'unsupported' ? handler.name : handler.type,
    matcher: row.subject === undefined ? null : (matcher ?? ''),
    if: condition ?? null,
    timeout: hookTimeoutMs(hook) / 1000,
    async: isAsync,
    onFailure: row.failureCan.includes(asked) ? asked : 'continue',
    onFailureIsDefault: hook.onFailure === undefined,
    program: program.file ?? null,
    problems: problemsOf(hook, program.problem?.text),
  };
}

function problemsOf(hook: Hook, ofProgram: string | undefined): readonly string[] {
  const { event, matcher, condition, handler } = hook;
  const row = eventRow(event);
  const dead = deadMatcher(event, matcher);
  const address = handler.type === 'http' ? addressProblem(handler) : undefined;
  const misfit = condition === undefined ? undefined : conditionProblem(condition, KNOWN_TOOLS);
  return [
    ...(dead === undefined ? [] : [`matcher: ${dead}`]),
    ...(condition !== undefined && !row.hasCondition
      ? [`if: on ${event} there is no call to judge, so it never runs`]
      : []),
    ...(misfit === undefined || !row.hasCondition ? [] : [`if: it never runs: ${misfit}`]),
    ...(handler.type === 'unsupported'
      ? [
          `hooks of type "${handler.name}" are not supported${row.isGate ? ': each run counts as failed' : ''}`,
        ]
      : []),
    ...(address === undefined ? [] : [address]),
    ...(ofProgram === undefined ? [] : [ofProgram]),
  ];
}

const WIDTHS = { event: 18, matcher: 16, timeout: 9, onFailure: 10 };
const FROM_WIDTH = COLUMNS - Object.values(WIDTHS).reduce((sum, width) => sum + width, 0);
const MARGIN = '  ';
const LONGEST_COMMAND = 400;

function table(hooks: readonly ListedHook[], place: ProgramPlace): readonly string[] {
  if (hooks.length === 0) return [];
  const { event, matcher, timeout, onFailure } = WIDTHS;
  const head = `${cell('EVENT', event)}${cell('MATCHER', matcher)}${cell('TIMEOUT', timeout)}${cell('FAILURE', onFailure)}FROM`;
  const legend = hooks.some((hook) => hook.onFailureIsDefault) ? ['', '* as the event has it'] : [];
  return [head, ...hooks.flatMap((hook) => rowOf(hook, place)), ...legend];
}

function rowOf(hook: ListedHook, place: ProgramPlace): readonly string[] {
  const { event, matcher, timeout, onFailure } = WIDTHS;
  const isOfDefault = hook.onFailureIsDefault ? '*' : '';
  const columns = [
    cell(hook.event, event - 1),
    cell(hook.matcher === null ? '-' : hook.matcher || '*', matcher - 1),
    cell(`${hook.timeout} s`, timeout - 1),
    cell(hook.onFailure + isOfDefault, onFailure - 1),
    cell(`${shortPath(hook.file, place)}:${hook.line}`, FROM_WIDTH, 'start').trimEnd(),
  ];
  const conditions = [
    ...(hook.if === null ? [] : [`if ${hook.if}`]),
    ...(hook.async ? ['async'] : []),
    ...(hook.type === 'command' ? [] : [hook.type]),
  ].join(' · ');
  return [
    columns.map((column) => oneLine(column, COLUMNS)).join(' '),
    ...(conditions === '' ? [] : wrapped(conditions, MARGIN)),
    ...wrapped(oneLine(hook.name, LONGEST_COMMAND), MARGIN),
    ...hook.problems.flatMap((problem) => wrapped(oneLine(problem, 1000), '           ', '  PROBLEM  ')),
  ];
}

interface ListedOff {
  readonly event: string;
  readonly file: string;
  readonly line: number;
  readonly why: string;
  readonly name?: string;
}

/** Each reason once, with its hooks. */
function notInForce(off: readonly ListedOff[], place: ProgramPlace): readonly string[] {
  return [...new Set(off.map(({ why }) => why))].flatMap((why) => [
    '',
    ...wrapped(`Not in force: ${why}`, MARGIN, ''),
    ...off
      .filter((one) => one.why === why)
      .flatMap(({ event, file, line, name = '' }) => [
        `${MARGIN}${cell(event, WIDTHS.event)}${shortPath(file, place)}:${line}`,
        ...(name === '' ? [] : wrapped(oneLine(name, LONGEST_COMMAND), '    ')),
      ]),
  ]);
}
