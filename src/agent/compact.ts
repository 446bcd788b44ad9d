/**
 * Shortens a conversation: old outputs of tools are cut where that is enough, else a summary by the model stands for all
 * but the last turns. Everything is on record before the model is shown it.
 */
import type { Compacted, CompactionLeftOut } from '../audit/record-values.ts';
import { isAuditFailure, messageOf } from '../core/errors.ts';
import type { Compaction, ModelResponse, Shortening, ToolUseId, Usage } from '../core/vocabulary.ts';
import { fire } from '../hooks/fire.ts';
import { hookRef } from '../hooks/hook.ts';
import { limitedContext, limitedMessage } from '../hooks/length.ts';
import { reasonsOf } from '../hooks/merge-outcomes.ts';
import { askModel, codeOf } from './ask-model.ts';
import {
  keepFrom,
  outputsToCut,
  type Room,
  savedBy,
  summaryMessage,
  summaryRequest,
} from './compaction-plan.ts';
import { shortened } from './shorten.ts';
import { digestOf } from './transcript.ts';
import { afterResponse, requestRefusal, textOf } from './turn-gates.ts';
import { budgetSpent } from './turn-guards.ts';
import type { Turn } from './turn-state.ts';

export interface CompactionWish {
  readonly trigger: Compaction['trigger'];
  /** What the user wants kept. */
  readonly instructions: string;
}

const NO_REASON = 'it gave no reason';

/** Why the conversation is as it was, or shorter than before but without a summary; undefined: all went well. */
export type WhyNot = string | undefined;

/** Throws when the audit fails, and the signal's reason on an interrupt. */
export async function compact(turn: Turn, wish: CompactionWish): Promise<WhyNot> {
  const { trigger } = wish;
  const from = keepFrom(measured(turn), roomFor(turn, trigger));
  if (from === undefined) {
    // Whether a conversation that is too long from its beginning matters, the model says.
    const reason = 'there is nothing to leave out yet';
    return trigger === 'auto' ? reason : leaveOut(turn, { trigger, reason });
  }
  const asked = await askHooks(turn, wish);
  turn.signal.throwIfAborted();
  if ('reason' in asked) return leaveOut(turn, { trigger, ...asked });
  if (trigger === 'auto' && cuttingIsEnough(turn, from)) return cutOutputs(turn, trigger, from);
  return summarise(turn, trigger, from, asked.wishes);
}

/** Of what calls for a compaction, half for the last turn, a quarter for whole turns; who asks for one wants one turn kept. */
function roomFor({ session: { gauge, limits } }: Turn, trigger: Compaction['trigger']): Room {
  const bytes = gauge.bytesOf(gauge.isOff ? limits.contextWindow : gauge.threshold);
  return trigger === 'manual' ? { turns: 0, lastTurn: bytes / 4 } : { turns: bytes / 4, lastTurn: bytes / 2 };
}

function measured({ session: { transcript } }: Turn) {
  return { messages: transcript.messages(), sizes: transcript.sizes, starts: transcript.starts };
}

/** PreCompact: hooks may refuse, or say what else is to be kept. */
async function askHooks(
  { gate, trail, notes, signal }: Turn,
  { trigger, instructions }: CompactionWish,
): Promise<{ readonly wishes: readonly string[] } | Omit<CompactionLeftOut, 'trigger'>> {
  const fields = { trigger, custom_instructions: instructions };
  const occasion = { event: 'PreCompact', subject: trigger, fields } as const;
  const judged = await fire(trail, gate.hooks, occasion, undefined, signal);
  const refusal = judged.find(({ outcome }) => outcome.verdict === 'block' || outcome.stop !== undefined);
  if (refusal === undefined) {
    const said = judged.map(({ outcome }) => limitedContext(outcome.additionalContext ?? ''));
    const wishes = [instructions, ...said];
    return { wishes: wishes.filter((wish) => wish.trim() !== '') };
  }
  const by = hookRef(refusal.hook);
  const reason = reasonsOf(judged, 'block') ?? refusal.outcome.stop?.reason ?? NO_REASON;
  for (const { hook, outcome } of judged)
    if (outcome.stop !== undefined) notes.requestStop(hookRef(hook), outcome.stop.reason);
  return { reason: `a PreCompact hook refused: ${reason}`, by };
}

function leaveOut({ trail, session }: Turn, leftOut: CompactionLeftOut): string {
  trail.record('compaction_left_out', leftOut);
  const text = limitedMessage(`The conversation was not compacted: ${leftOut.reason}.`);
  if (leftOut.trigger === 'auto') session.tell({ kind: 'warning', text });
  return leftOut.reason;
}

function cuttingIsEnough({ session }: Turn, from: number): boolean {
  const saved = savedBy(outputsToCut(session.transcript.messages(), from));
  return session.gauge.use(session.size - saved).tokens <= session.gauge.goal;
}

/** Outputs in front of message `from`. */
function cutOutputs(turn: Turn, trigger: Compaction['trigger'], from: number): WhyNot {
  const outputs = outputsToCut(turn.session.transcript.messages(), from);
  if (outputs.length === 0) return 'there are no old outputs to cut';
  begin(turn, trigger, 'outputs');
  apply(turn, trigger, { how: 'outputs', outputs });
  return undefined;
}

async function summarise(
  turn: Turn,
  trigger: Compaction['trigger'],
  from: number,
  wishes: readonly string[],
): Promise<WhyNot> {
  const { session, trail } = turn;
  const instructions = summaryRequest(wishes);
  const sizeOfRequest = (): number =>
    session.size - sum(session.transcript.sizes.slice(from)) + Buffer.byteLength(instructions);
  // The model can only sum up what it can read.
  if (!session.gauge.fits(sizeOfRequest())) cutOutputs(turn, trigger, from);
  const spent = budgetSpent(turn);
  if (spent !== undefined) return noSummary(turn, trigger, from, { reason: spent.replace(/\.$/, '') });
  const announced = { purpose: 'summary', index: turn.requests + 1, count: from + 1 } as const;
  const refusal = await requestRefusal(turn, announced);
  turn.signal.throwIfAborted();
  if (refusal !== undefined) {
    const reason = `a PreModelRequest hook refused the request for a summary: ${refusal.reason ?? NO_REASON}`;
    return noSummary(turn, trigger, from, { reason, by: refusal.by });
  }
  begin(turn, trigger, 'summary', instructions);
  let told: string;
  try {
    const { summary, usage } = await askForSummary(turn, from, instructions);
    // A turn that is not kept from its beginning goes on: its prompt must not be lost in the summary.
    const isMidTurn = !session.transcript.starts.includes(from);
    const prompt = isMidTurn ? session.transcript.lastPrompt : undefined;
    const change = { how: 'summary', replaced: from, summary: summaryMessage(summary, prompt) } as const;
    if (
      trigger === 'auto' &&
      Buffer.byteLength(change.summary) >= sum(session.transcript.sizes.slice(0, from))
    )
      throw new Error('the summary is no shorter than what it is to stand for.');
    apply(turn, trigger, change, usage);
    told = summary;
  } catch (error) {
    if (isAuditFailure(error)) throw error;
    if (turn.signal.aborted) {
      trail.record('compaction_left_out', { trigger, reason: 'it was interrupted' });
      throw error;
    }
    trail.record('model_failed', { code: codeOf(error), message: messageOf(error) });
    const reason = `there is no summary: ${messageOf(error).replace(/\.$/, '')}`;
    return noSummary(turn, trigger, from, { reason });
  }
  await tellHooks(turn, trigger, told);
  return undefined;
}

/** Old outputs are cut instead, unless somebody has asked for a summary. */
function noSummary(
  turn: Turn,
  trigger: Compaction['trigger'],
  from: number,
  why: Omit<CompactionLeftOut, 'trigger'>,
): string {
  leaveOut(turn, { trigger, ...why });
  if (trigger === 'auto') cutOutputs(turn, trigger, from);
  return why.reason;
}

async function askForSummary(
  turn: Turn,
  from: number,
  instructions: string,
): Promise<{ readonly summary: string; readonly usage: Usage }> {
  const { session } = turn;
  const next = session.nextRequest();
  const messages = [...next.messages.slice(0, from), { role: 'user', content: instructions } as const];
  // The tools stay in it: the API takes no conversation with tool uses without them, and knows the bytes already.
  const asked = performance.now();
  const response = await askModel(turn, { ...next, messages, purpose: 'summary' });
  await afterResponse(turn, response.value, 'summary', performance.now() - asked);
  refuseCalls(turn, response.value);
  const summary = textOf(response.value).trim();
  if (summary === '') throw new Error(`the model answered without a text (${response.value.stopReason}).`);
  return { summary, usage: response.value.usage };
}

/** A summary was asked for and nothing else: its calls are on record and do not run. */
function refuseCalls({ trail }: Turn, { content }: ModelResponse): void {
  for (const block of content) {
    if (block.type !== 'tool_use') continue;
    const id = block.id as ToolUseId;
    trail.record('tool_use', { id, name: block.name, input: block.input });
    const text = 'Not run: the model was asked for a summary.';
    trail.record('tool_result', { id, outcome: 'not_run', text });
  }
}

function begin(
  { session, trail }: Turn,
  trigger: Compaction['trigger'],
  how: Compaction['how'],
  instructions?: string,
): void {
  const messages = session.transcript.messages().length;
  const said = instructions === undefined ? {} : { instructions };
  trail.record('compaction_started', { trigger, how, messages, ...session.context, ...said });
  session.tell({ kind: 'compaction_started', trigger });
}

/** On record first, then in the transcript, then told. */
function apply(turn: Turn, trigger: Compaction['trigger'], change: Shortening, usage?: Usage): void {
  const { session, trail } = turn;
  const { transcript, gauge } = session;
  const messages = transcript.messages();
  const after = shortened(messages, change);
  const bytes = session.size - transcript.size + Buffer.byteLength(JSON.stringify(after));
  const before = { messages: messages.length, tokens: session.context.tokens };
  gauge.shortened();
  const left = gauge.use(bytes).tokens;
  const compaction: Compaction = {
    ...{ trigger, how: change.how, before, after: { messages: after.length, tokens: left } },
    ...(usage === undefined ? {} : { usage }),
  };
  const sha256 = { before: digestOf(messages), after: digestOf(after) };
  transcript.shorten(trail.record('compacted', { ...compaction, change, sha256 } satisfies Compacted));
  turn.tally.compacted();
  session.tell({ kind: 'compacted', compaction });
  session.tell({ kind: 'context', context: session.context });
}

/** PostCompact, and SessionStart with source `compact`: what hooks told at the start may be gone. */
async function tellHooks(turn: Turn, trigger: Compaction['trigger'], summary: string): Promise<void> {
  const { session, trail, notes, signal } = turn;
  const { hooks } = turn.gate;
  const done = {
    event: 'PostCompact',
    subject: trigger,
    fields: { trigger, compact_summary: summary },
  } as const;
  await fire(trail, hooks, done, undefined, signal);
  const fields = { source: 'compact', model: session.modelName };
  await fire(trail, hooks, { event: 'SessionStart', subject: 'compact', fields }, notes, signal);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
