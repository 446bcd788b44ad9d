/** `hookd policy replay`: recorded calls judged again under other settings; which answers would change, and by which rule. */
import { isAbsolute, resolve } from 'node:path';
import { type RecordedCall, type RecordedCalls, recordedCalls } from '../audit/recorded-calls.ts';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import type { Behavior, Decision } from '../core/vocabulary.ts';
import { auditDirectoryOf, homeOf, hookdHomeOf } from '../daemon/hookd-home.ts';
import { firstLook } from '../settings/layer.ts';
import { describeProblem, isError } from '../settings/problem.ts';
import { ReadingFaults } from './audit-tail.ts';
import { counted, wrapped } from './columns.ts';
import { type Output, oneLine, printable } from './output.ts';
import { decisionObject } from './policy-explain-object.ts';
import { makeJudge } from './replay-judge.ts';
import { parseSince } from './since.ts';
import { startDirectory } from './start-directory.ts';

export interface ReplayOptions {
  /** A file in place of the user's settings; without it the settings of today. */
  readonly against: string | undefined;
  readonly since: string | undefined;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

interface Changed {
  readonly call: RecordedCall;
  readonly after: Decision;
}

interface Outcome {
  readonly against: string | undefined;
  readonly calls: number;
  readonly same: number;
  readonly changed: readonly Changed[];
  readonly notReplayable: readonly { readonly call: RecordedCall; readonly why: string }[];
  readonly unjudged: number;
}

const RANK: Readonly<Record<Behavior, number>> = { allow: 0, ask: 1, deny: 2 };

const FILES_OF_TODAY =
  'What depends on files (links, directories, what a pattern expands to) was judged by the files of today.';

const HOOKS_OF_THEN = 'What hooks and flags said counts as it did then.';

/** Returns 0, with changes or without. Throws USAGE, SETTINGS_INVALID where FILE is broken, AUDIT_UNAVAILABLE. */
export function replayCommand({ against, since, json, env }: ReplayOptions, output: Output): number {
  const file =
    against === undefined ? undefined : resolve(isAbsolute(against) ? '/' : startDirectory(), against);
  const from = since === undefined ? undefined : parseSince(since);
  if (file !== undefined) refuseBroken(file, hookdHomeOf(env), output);
  const { calls, unjudged } = read(auditDirectoryOf(hookdHomeOf(env)), from, output);
  const judge = makeJudge(env, file);
  const judged = calls.map(judge);
  const decided = judged.flatMap((one) => ('after' in one ? [one] : []));
  const changed = decided.filter(({ call, after }) => call.ruling.behavior !== after.behavior);
  const outcome: Outcome = {
    ...{ against: file, calls: calls.length, same: decided.length - changed.length, changed, unjudged },
    notReplayable: judged.flatMap((one) => ('why' in one ? [one] : [])),
  };
  if (json) output.result(JSON.stringify(outcomeObject(outcome)));
  else for (const line of outcomeLines(outcome, homeOf(env))) output.result(printable(line));
  return EXIT.done;
}

function refuseBroken(file: string, root: string, output: Output): void {
  const origin = { scope: 'user', dialect: 'hookd', isTrusted: true, file, root } as const;
  const { problems } = firstLook({ kind: 'file', origin, isNamed: true }, Date.now());
  if (problems.some(isError))
    throw new HookdError('SETTINGS_INVALID', problems.map(describeProblem).join('\n'));
  for (const problem of problems) output.note(`hookd: warning: ${describeProblem(problem)}`);
}

function read(auditDirectory: string, since: number | undefined, output: Output): RecordedCalls {
  const faults = new ReadingFaults(output.note);
  try {
    const found = recordedCalls(auditDirectory, since, faults.callbacks);
    faults.tell();
    return found;
  } catch (error) {
    throw new HookdError('AUDIT_UNAVAILABLE', `${auditDirectory} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

const turnOf = ({ call, after }: Changed): string => `${call.ruling.behavior} → ${after.behavior}`;

function outcomeObject({ against, calls, same, changed, notReplayable, unjudged }: Outcome) {
  const counts: Record<string, number> = {};
  for (const one of changed) counts[turnOf(one)] = (counts[turnOf(one)] ?? 0) + 1;
  return {
    against: against ?? null,
    calls,
    same,
    changes: counts,
    changed: changed.map(({ call, after }) => ({
      ...callObject(call),
      before: decisionObject(call.ruling),
      after: decisionObject(after),
    })),
    notReplayable: notReplayable.map(({ call, why }) => ({ ...callObject(call), why })),
    unjudged,
    note: `${FILES_OF_TODAY} ${HOOKS_OF_THEN}`,
  };
}

function callObject({ session, id, time, tool, input }: RecordedCall) {
  return { session, tool_use_id: id, time, tool, input };
}

function outcomeLines(outcome: Outcome, home: string): readonly string[] {
  const { against, calls, same, changed, notReplayable, unjudged } = outcome;
  const short = (path: string): string =>
    path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  const settings =
    against === undefined
      ? 'the settings of today'
      : `${short(against)}, in place of the user's own, and what else is in force today`;
  // What would be let through comes first.
  const loosens = ({ call, after }: Changed): number => RANK[after.behavior] - RANK[call.ruling.behavior];
  const turns = [...new Set(changed.toSorted((a, b) => loosens(a) - loosens(b)).map(turnOf))];
  const more = unjudged === 0 ? '' : `; ${counted(unjudged, 'more call')} never reached the rules`;
  const summary = `${same} as before, ${changed.length} changed, ${notReplayable.length} not replayable${more}.`;
  return [
    ...wrapped(`${counted(calls, 'call')} of the log, judged again under ${settings}.`, '', ''),
    ...turns.flatMap((turn) => {
      const ofTurn = changed.filter((one) => turnOf(one) === turn);
      return [
        '',
        `${turn}: ${counted(ofTurn.length, 'call')}`,
        ...ofTurn.flatMap((one) => changedLines(one, short)),
      ];
    }),
    ...(notReplayable.length === 0 ? [] : ['', `not replayable: ${counted(notReplayable.length, 'call')}`]),
    ...notReplayable.flatMap(({ call, why }) => [...callLines(call), ...wrapped(oneLine(why, 400), MARGIN)]),
    '',
    ...wrapped(summary, ''),
    ...(calls === 0 ? [] : wrapped(`${FILES_OF_TODAY} ${HOOKS_OF_THEN}`, '')),
  ];
}

const MARGIN = '    ';

function callLines({ time, tool, input, id }: RecordedCall): readonly string[] {
  const at = time.slice(0, 19).replace('T', ' ');
  return wrapped(`${at}  ${oneLine(`${tool}(${mainText(input)})`, 300)}  ${oneLine(id, 40)}`, MARGIN, '  ');
}

function mainText(input: unknown): string {
  const fields =
    typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  for (const name of ['command', 'file_path', 'pattern'])
    if (typeof fields[name] === 'string') return fields[name];
  return JSON.stringify(input);
}

function changedLines({ call, after }: Changed, short: (path: string) => string): readonly string[] {
  const told = (reason: string): string =>
    oneLine(reason, 240).replace(
      /\((\/[^():]+):(\d+)\)/g,
      (_, file: string, line: string) => `(${short(file)}:${line})`,
    );
  return [
    ...callLines(call),
    ...wrapped(`then: ${told(call.ruling.reason)}`, `${MARGIN}      `, MARGIN),
    ...wrapped(`now:  ${told(after.reason)}`, `${MARGIN}      `, MARGIN),
  ];
}
