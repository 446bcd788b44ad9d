/** When a conversation is shortened by itself: before it fills the context window, and when the model says that it does. */
import type { Recorded } from '../audit/trail.ts';
import { messageOf } from '../core/errors.ts';
import type { ModelResponse, TurnEnd } from '../core/vocabulary.ts';
import { ModelFailure } from '../model/failure.ts';
import { askModel, codeOf } from './ask-model.ts';
import { compact } from './compact.ts';
import { mayAskModel } from './turn-gates.ts';
import { endOf, type Turn } from './turn-state.ts';

const EXCEEDED = 'model_context_window_exceeded';
const GO_ON =
  'Your last answer was cut, because the conversation filled your context window. It is shorter now: go on from where you were cut.';
const ADVICE =
  'Start a new session, or raise "contextWindow" in the settings where the model takes more (docs/settings.md).';

/** Before a request: shortens what is nearly too long. What was not possible is told; whether it matters the model says. */
export async function makeRoom(turn: Turn): Promise<TurnEnd | undefined> {
  const { session } = turn;
  if (!session.gauge.isFull(session.size)) return undefined;
  await compactNow(turn);
  return turn.notes.stop === undefined ? undefined : endOf(turn, 'hook_stopped', turn.notes.stop.reason);
}

/** What the model said, or why the turn ends without it. */
export type Answer = { readonly response: Recorded<ModelResponse> } | { readonly end: TurnEnd };

/** A request that proves too long leaves a second time, shortened, where hooks let it; once. */
export async function askWithRoom(turn: Turn): Promise<Answer> {
  const { session, trail, notes } = turn;
  try {
    return { response: await askModel(turn, session.nextRequest()) };
  } catch (error) {
    if (!(error instanceof ModelFailure) || error.overflow === undefined) throw error;
    turn.stopReason = EXCEEDED;
    trail.record('model_failed', { code: codeOf(error), message: messageOf(error), retryInMs: 0 });
    const smaller = session.gauge.refused(error.overflow, session.size);
    if (smaller !== undefined) {
      const text = `The model takes ${smaller} tokens, fewer than "contextWindow" says; this session keeps to that.`;
      session.tell({ kind: 'warning', text });
    }
    const whyNot = await shrink(turn);
    if (notes.stop !== undefined) return { end: endOf(turn, 'hook_stopped', notes.stop.reason) };
    if (whyNot !== undefined) throw tooLong(messageOf(error), whyNot);
    const end = await mayAskModel(turn, turn.requests);
    if (end !== undefined) return { end };
    const response = await askModel(turn, session.nextRequest()).catch((again: unknown) => {
      const isTooLong = again instanceof ModelFailure && again.overflow !== undefined;
      throw isTooLong ? tooLong(messageOf(again), 'it was compacted already') : again;
    });
    return { response };
  }
}

/**
 * An answer that was cut because the window is full: true when the model has the word again, on a shorter conversation.
 * Once in a row.
 */
export async function shortenedAfterCut(
  turn: Turn,
  { stopReason, content }: ModelResponse,
): Promise<boolean> {
  const { session, notes } = turn;
  if (stopReason !== EXCEEDED) {
    turn.cuts = 0;
    return false;
  }
  turn.cuts += 1;
  session.gauge.refused({}, session.size);
  if (turn.cuts > 1 || (await shrink(turn)) !== undefined) return false;
  if (!content.some((block) => block.type === 'tool_use')) notes.addContext('ContextWindow', GO_ON);
  session.transcript.addContext(notes.takeContext());
  return true;
}

/** Why the conversation is not shorter now; undefined when it is. */
async function shrink(turn: Turn): Promise<string | undefined> {
  const { session } = turn;
  if (session.gauge.isOff) return 'compaction is switched off ("compactAt": 0)';
  const size = session.size;
  const whyNot = await compactNow(turn);
  return session.size < size ? undefined : (whyNot ?? 'nothing could be left out');
}

async function compactNow(turn: Turn): Promise<string | undefined> {
  const { session, notes } = turn;
  const whyNot = await compact(turn, { trigger: 'auto', instructions: '' });
  session.gauge.tried(session.size);
  session.transcript.addContext(notes.takeContext());
  return whyNot;
}

function tooLong(said: string, whyNot: string): ModelFailure {
  return new ModelFailure(
    `The conversation does not fit into the context window of the model, and was not made shorter: ${whyNot}. ${said} ${ADVICE}`,
  );
}
