/** All hooks of one occasion: chosen, started at once, all awaited, each on record; outcomes in configured order. */
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { HookEnd, OutputDigest } from '../audit/record-values.ts';
import { beginningOf } from '../audit/redact.ts';
import type { Trail } from '../audit/trail.ts';
import type { HookEnded } from '../core/protocol.ts';
import type { JsonObject, ToolCall, Workplace } from '../core/vocabulary.ts';
import { conditionFits } from '../permissions/condition.ts';
import { type CommandOptions, notStarted, runCommandHook } from './command.ts';
import type { HookEvent } from './events.ts';
import { type Hook, type HookOutcome, type HookRun, type HookScope, hookRef } from './hook.ts';
import type { HookHost } from './host.ts';
import { runHttpHook } from './http.ts';
import { limitedMessage, limitedStream } from './length.ts';
import { selectHooks } from './match.ts';
import { readOutcome } from './output.ts';
import { payloadText } from './payload.ts';

const HEAD_CHARACTERS = 2000;

export interface Occasion {
  readonly event: HookEvent;
  /** What matchers compare with. */
  readonly subject?: string | undefined;
  /** The payload beyond the common fields. */
  readonly fields: JsonObject;
  /** The call that it is about, for `if` and for the record. */
  readonly call?: ToolCall;
}

export interface Judged {
  readonly hook: Hook;
  readonly outcome: HookOutcome;
}

/** The hooks in force that this occasion concerns, in configured order. */
export function chooseHooks(host: HookHost, occasion: Occasion): readonly Hook[] {
  return hooksConcerned(host.current().hooks.hooks, occasion, host.workplace);
}

/** Of these hooks, those that the occasion concerns. */
export function hooksConcerned(
  hooks: readonly Hook[],
  { event, subject, call }: Omit<Occasion, 'fields'>,
  workplace: Workplace,
): readonly Hook[] {
  return selectHooks(hooks, event, subject).filter((hook) => concerns(hook, call, workplace));
}

/** A condition is about a tool call: elsewhere a hook with one never runs. */
function concerns({ condition }: Hook, call: ToolCall | undefined, workplace: Workplace): boolean {
  if (condition === undefined || condition === '') return true;
  return call !== undefined && conditionFits(condition, call, workplace);
}

/** Runs the given hooks side by side. Throws only when the audit fails; then every hook is ended first. */
export async function runHooks(
  trail: Trail,
  host: HookHost,
  occasion: Occasion,
  hooks: readonly Hook[],
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  if (hooks.length === 0) return [];
  const began = performance.now();
  const payload = payloadText(host, occasion);
  const sameForAll = { ...host, environmentOf: madeOnce(host.environmentOf) };
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  // Every hook listens: Node would take so many for a leak.
  setMaxListeners(0, stop);
  const ended = await Promise.allSettled(
    hooks.map(async (hook) => {
      try {
        return await runHook(trail, sameForAll, occasion, hook, payload, stop);
      } catch (error) {
        failed.abort();
        throw error;
      }
    }),
  );
  if (hooks.some((hook) => !hook.isAsync)) host.waited?.(performance.now() - began);
  return ended.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Hooks of one scope that start at once get one environment. */
function madeOnce(environmentOf: HookHost['environmentOf']): HookHost['environmentOf'] {
  const made = new Map<HookScope, Readonly<Record<string, string>>>();
  return (scope) => {
    const environment = made.get(scope) ?? environmentOf(scope);
    made.set(scope, environment);
    return environment;
  };
}

async function runHook(
  trail: Trail,
  host: HookHost,
  { event, subject, call }: Occasion,
  hook: Hook,
  payload: string,
  signal: AbortSignal,
): Promise<Judged> {
  const about = { hook: hookRef(hook), ...(call === undefined ? {} : { id: call.id }) };
  trail.record('hook_started', about);
  host.watch({ kind: 'hook_started', hook: about.hook });
  const run = await runHandler(hook, payload, host, signal, {
    ...(event === 'SessionStart' ? { envFile: host.envFile } : {}),
    onStarted: (process) => trail.record('process_started', { ...about, process }),
  });
  const outcome = readOutcome(event, run, subject);
  trail.record('hook_run', { ...about, ...endOf(run, outcome) });
  host.onRun?.(run, outcome);
  host.watch({ kind: 'hook_ended', hook: about.hook, ended: shownEnd(run, outcome) });
  for (const warning of outcome.warnings) host.tell(limitedMessage(warning));
  if (outcome.systemMessage !== undefined)
    host.watch({ kind: 'hook_message', hook: about.hook, text: limitedMessage(outcome.systemMessage) });
  return { hook, outcome };
}

function runHandler(
  hook: Hook,
  payload: string,
  host: HookHost,
  signal: AbortSignal,
  options: CommandOptions,
): Promise<HookRun> {
  switch (hook.handler.type) {
    case 'command':
      return runCommandHook(hook, payload, host, signal, options);
    case 'http':
      return runHttpHook(hook, payload, host, signal);
    case 'unsupported':
      return Promise.resolve(notStarted(hook, `handlers of type "${hook.handler.name}" are not supported`));
  }
}

function endOf(run: HookRun, outcome: HookOutcome): Omit<HookEnd, 'hook' | 'id'> {
  return {
    end: run.end,
    duration_ms: Math.round(run.durationMs),
    is_async: run.hook.isAsync,
    verdict: outcome.verdict,
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
    ...(outcome.failure === undefined ? {} : { failure: outcome.failure }),
    warnings: outcome.warnings,
    stdout: digestOf(run.stdout),
    stderr: digestOf(run.stderr),
    survivors: run.survivors,
  };
}

function shownEnd({ end, stdout, stderr }: HookRun, { failure }: HookOutcome): HookEnded {
  const exitCode = end.kind === 'exited' ? end.code : 1;
  const outcome =
    end.kind === 'timedOut' || end.kind === 'interrupted'
      ? 'cancelled'
      : exitCode === 0
        ? 'success'
        : 'error';
  const streams = { stdout: limitedStream(stdout), stderr: limitedStream(stderr) };
  return { exitCode, ...streams, outcome, hasNoVerdict: failure !== undefined };
}

const NOTHING = createHash('sha256').digest('hex');

/** Most hooks say nothing, at least on one of their streams. */
function digestOf(text: string): OutputDigest {
  if (text === '') return { characters: 0, sha256: NOTHING, head: '' };
  return {
    characters: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    head: beginningOf(text, HEAD_CHARACTERS),
  };
}
