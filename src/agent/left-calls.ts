/** The calls that an earlier process has left without a result: what the model is told of each, on record first. */
import type { LeftCall } from '../audit/left-calls.ts';
import type { Trail } from '../audit/trail.ts';
import type { ToolResult, ToolUseId } from '../core/vocabulary.ts';
import type { Transcript } from './transcript.ts';

/**
 * `calls` are the transcript's open ones, in its order. Where the first of them waited for a person, none had begun: they
 * stay open, to be put through the gate, and this returns true. Otherwise, and in a fork, each gets its result, and none
 * runs: in the session that was forked it may, because that one may be going on.
 */
export function closeLeftCalls(
  trail: Trail,
  transcript: Transcript,
  calls: readonly LeftCall[],
  isFork: boolean,
): boolean {
  const [first] = calls;
  const hasBegun = calls.some(({ kind }) => kind !== 'not_started');
  if (!isFork && !hasBegun && first?.kind === 'not_started' && first.waiting !== undefined) return true;
  for (const [index, { id }] of transcript.open.entries()) {
    const answer = answerOf(
      calls[index] ?? { kind: 'unknown' },
      isFork ? 'the conversation was forked' : 'hookd was ended',
    );
    transcript.append([trail.record('tool_result', { id: id as ToolUseId, ...answer })]);
  }
  return false;
}

/** @param cut what happened meanwhile */
function answerOf(call: LeftCall, cut: string): Omit<ToolResult, 'id'> {
  switch (call.kind) {
    case 'not_started':
      return { outcome: 'not_run', text: `It did not run: ${cut} before this call began.` };
    case 'started':
      return {
        outcome: 'unknown',
        text: `Outcome unknown: ${cut} while this call ran. It may have taken effect, wholly or in part; check before repeating it.`,
      };
    case 'ended':
      if (call.text !== undefined) return { outcome: call.outcome, text: call.text };
      return {
        outcome: 'unknown',
        text: `The call ended (${call.outcome}), but ${cut} before its output could be passed on. Check what it did before repeating it.`,
      };
    case 'unknown':
      return {
        outcome: 'unknown',
        text: `Outcome unknown: ${cut}, and the audit log does not tell whether this call ran. Check before repeating it.`,
      };
  }
}
