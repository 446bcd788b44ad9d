/**
 * Reads what a run said. Pure. Whatever tightens counts, however the hook ended; what loosens counts at exit 0 only; a
 * guard that could not answer has not said yes.
 */
import { eventRow, type HookEvent } from './events.ts';
import type { HookOutcome, HookRun, OnFailure } from './hook.ts';
import { type Answer, present, stricter, tightening, tightens } from './read-answer.ts';
import { afterColon, framedReason, hookName } from './reason.ts';
import { readStdout, type Said } from './said.ts';

/** `subject` is what the matcher was compared with; it is named in the reasons. */
export function readOutcome(event: HookEvent, run: HookRun, subject?: string): HookOutcome {
  const said = readStdout(event, run.stdout, wanted(event, run) === 'block');
  const outcome = judge(event, run, said);
  const { exit2 } = eventRow(event);
  const stops = outcome.verdict === 'block' && exit2 === 'stop';
  // A hook cannot both end the turn and send the model on.
  const verdict = exit2 === 'goOn' && outcome.stop !== undefined ? 'none' : outcome.verdict;
  const { reason: _reason, ...rest } = outcome;
  return {
    ...rest,
    verdict,
    ...present('reason', framedReason(event, run.hook, { ...outcome, verdict }, subject)),
    ...(stops ? { stop: outcome.stop ?? present('reason', outcome.reason) } : {}),
    warnings: outcome.warnings.map((warning) => `${event} hook [${hookName(run.hook)}]: ${warning}`),
  };
}

function judge(event: HookEvent, run: HookRun, said: Said): HookOutcome {
  const code = run.end.kind === 'exited' && !run.truncated ? run.end.code : undefined;
  const whole = said.kind === 'answer' ? said.answer : undefined;
  const strict = whole ?? ('found' in said ? said.found : undefined);

  if (run.end.kind === 'exited' && run.end.code === 2 && eventRow(event).exit2 !== 'nothing')
    return refusedByExit2(run, whole, strict);

  const failure = failureOf(event, run, said);
  const base = failure === undefined ? undefined : failed(event, run, failure);
  if (code === 0 && whole !== undefined && base === undefined) return withoutLooseningStop(whole);
  const kept = { ...harmless(whole), ...(strict === undefined ? {} : tightening(strict)) };
  const isSilent = base === undefined && (strict === undefined || !tightens(strict));
  const warnings = [
    ...(base?.warnings ?? []),
    ...(whole?.warnings ?? []),
    ...oddities(run, said, code),
    ...(isSilent && code !== 0 ? [exitWithoutEffect(event, run, code)] : []),
  ];
  const context =
    code === 0 && said.kind === 'text' && eventRow(event).stdoutIsContext && !isHttp(run)
      ? { additionalContext: said.text }
      : {};
  return { verdict: 'none', ...context, ...combined(base, kept), warnings };
}

/** Exit 2 refuses whatever stdout holds; its words are stderr, then the JSON's reason. */
function refusedByExit2(run: HookRun, whole: Answer | undefined, strict: Answer | undefined): HookOutcome {
  const stderr = run.stderr.trimEnd();
  const said = strict !== undefined && tightens(strict) ? strict.reason : undefined;
  const words = [
    ...(stderr === '' ? [] : [`[${hookName(run.hook)}]: ${stderr}`]),
    ...(said === undefined ? [] : [said]),
  ];
  return {
    ...harmless(whole),
    ...present('stop', strict?.stop),
    ...present('interrupt', strict?.interrupt),
    ...present('updatedToolOutput', strict?.updatedToolOutput),
    verdict: 'block',
    reason: words.length > 0 ? words.join('\n') : `[${hookName(run.hook)}]: No stderr output`,
    warnings: whole?.warnings ?? [],
  };
}

/** A turn that ends grants nothing on its way out; and a refused input needs no other. */
function withoutLooseningStop(answer: Answer): HookOutcome {
  const { updatedInput, ...rest } = answer;
  if (answer.stop !== undefined && answer.verdict === 'allow') return { ...rest, verdict: 'none' };
  return answer.stop !== undefined || answer.verdict === 'block' ? rest : answer;
}

/** What neither grants nor refuses. */
function harmless(answer: Answer | undefined): Partial<HookOutcome> {
  return {
    ...present('additionalContext', answer?.additionalContext),
    ...present('systemMessage', answer?.systemMessage),
  };
}

/** What was said strictly, unless what became of the failure is stricter still. */
function combined(failed: HookOutcome | undefined, said: Partial<HookOutcome>): Partial<HookOutcome> {
  const { verdict = 'none', reason, ...rest } = said;
  if (failed === undefined) return { ...rest, verdict, ...present('reason', reason) };
  const isStricter = verdict !== failed.verdict && stricter(verdict, failed.verdict) === verdict;
  const stands = isStricter || (verdict === failed.verdict && reason !== undefined);
  if (!stands) return { ...failed, ...rest };
  return { ...rest, verdict, ...present('reason', reason), ...present('failure', failed.failure) };
}

/** Why a run could not answer; undefined when it did, or when it need not have. */
function failureOf(event: HookEvent, run: HookRun, said: Said): string | undefined {
  if (run.truncated) return 'it wrote more than a hook may';
  switch (run.end.kind) {
    case 'timedOut':
      return 'timed out';
    case 'interrupted':
      return 'it was interrupted';
    case 'signalled':
      return `it was ended by ${run.end.signal}`;
    case 'notStarted':
      return run.end.message;
    case 'exited':
      break;
  }
  const { code } = run.end;
  if (code === 126) return 'exit code 126: it may not be executed';
  if (code === 127) return `exit code 127: something was not found${quotingHint(run)}`;
  if (said.kind === 'unreadable') return said.problem;
  const isStrict = wantsNoFailure(event, run);
  if (code !== 0 && code !== 2 && isStrict) return `exit code ${code}`;
  if (code === 0 && said.kind === 'text' && isHttp(run) && isStrict) return 'the body is not a JSON object';
  return undefined;
}

function wanted(event: HookEvent, { hook }: HookRun): OnFailure {
  const { onFailure, failureCan } = eventRow(event);
  const asked = hook.onFailure ?? onFailure;
  return failureCan.includes(asked) ? asked : 'continue';
}

/** Who writes `block` or `ask` means every failure; unless it is written, exit 1 is no opinion, as in Claude Code. */
function wantsNoFailure(event: HookEvent, run: HookRun): boolean {
  const became = wanted(event, run);
  return became === 'block' || (became === 'ask' && run.hook.onFailure === 'ask');
}

function failed(event: HookEvent, run: HookRun, what: string): HookOutcome {
  const became = wanted(event, run);
  const failure = { what, became };
  const how = what === 'timed out' ? what : 'failed';
  const detail = what === 'timed out' ? '' : ` (${what})`;
  if (became === 'continue') {
    return {
      verdict: 'none',
      failure,
      warnings: [`${how}${detail}; it has no say${afterColon(run.stderr)}`],
    };
  }
  const doing = became === 'ask' ? 'asking' : 'blocking';
  const stderr = run.stderr.trimEnd();
  const reason = `[${hookName(run.hook)}]: ${how}; ${doing} because onFailure is "${became}"${detail}\n${stderr || 'No stderr output'}`;
  return { verdict: became, reason, failure, warnings: [] };
}

function oddities(run: HookRun, said: Said, code: number | undefined): string[] {
  if (said.kind === 'text' && said.found !== undefined)
    return ['its answer stood among other text; only what it forbids was counted'];
  if (said.kind === 'text' && said.isLost)
    return [
      'its answer stood among other text, and what it allowed, rewrote or added was ignored; print the JSON alone, all else to stderr',
    ];
  if (said.kind === 'text' && isHttp(run) && code === 0)
    return ['its answer is not a JSON object; it says nothing'];
  if (said.kind !== 'answer' || code === 0) return [];
  const { verdict, updatedInput } = said.answer;
  const grants = verdict === 'allow' || updatedInput !== undefined;
  return grants ? ['what it allowed or rewrote was ignored: that needs exit 0'] : [];
}

function exitWithoutEffect(event: HookEvent, run: HookRun, code: number | undefined): string {
  const { exit2 } = eventRow(event);
  const why = exit2 === 'nothing' ? `has no effect on ${event}` : 'has no effect; exit 2 has';
  return `exit code ${code} ${why}${afterColon(run.stderr)}`;
}

function quotingHint({ hook: { handler } }: HookRun): string {
  const isUnquoted =
    handler.type === 'command' &&
    handler.args === undefined &&
    /(?:^|[\s;&|(])\$\{?(?:CLAUDE|HOOKD)_PROJECT_DIR/.test(handler.command);
  return isUnquoted ? '; "$CLAUDE_PROJECT_DIR" needs quotes where the path holds blanks' : '';
}

function isHttp({ hook }: HookRun): boolean {
  return hook.handler.type === 'http';
}
