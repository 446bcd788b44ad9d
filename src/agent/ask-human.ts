/** A question to a person, and its answer, each on record; the answer counts for exactly the input that was shown. */
import { createHash, randomUUID } from 'node:crypto';
import type { Recorded, Trail } from '../audit/trail.ts';
import { isAuditFailure, messageOf } from '../core/errors.ts';
import type {
  ApprovalAnswer,
  ApprovalRequest,
  Decision,
  HookRef,
  JsonObject,
  ToolUseId,
} from '../core/vocabulary.ts';
import { fire } from '../hooks/fire.ts';
import type { HookHost } from '../hooks/host.ts';

/** Puts one question to a human. Never throws for a missing human: that is the answer `unanswered`. */
export interface Approvals {
  ask(request: Recorded<ApprovalRequest>, signal: AbortSignal): Promise<ApprovalAnswer>;
  /** The id that this very question had before its session was interrupted by a crash; undefined: a new one. */
  idOf?(question: Question, inputDigest: string): string | undefined;
  /** The answer is on record, or (undefined) could not be recorded and does not count. */
  settled?(
    request: ApprovalRequest,
    answer: ApprovalAnswer | undefined,
    /** What refuses the call though it was allowed: saved while the question stood. */
    refusal: Decision | undefined,
  ): void;
}

export interface Question {
  /** A tool's name, or what else wants to go on. */
  readonly subject: string;
  /** What Notification hooks are told of it. */
  readonly notice: string;
  readonly toolUseId?: ToolUseId;
  readonly input: JsonObject;
  readonly rewrittenBy?: HookRef;
  readonly decision: Decision;
  readonly alwaysRule?: string | undefined;
  /** What refuses it by now, whatever is answered: for those who are told what becomes of a yes. */
  readonly deniedBy?: () => Decision | undefined;
}

/** Notification hooks are told; nobody waits for them. */
export async function askHuman(
  trail: Trail,
  { approvals, hooks }: { readonly approvals: Approvals; readonly hooks: HookHost },
  question: Question,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  const { alwaysRule, notice, deniedBy, ...about } = question;
  notify(trail, hooks, notice);
  const { subject, input } = about;
  const inputDigest = createHash('sha256')
    .update(JSON.stringify([subject, input]))
    .digest('hex');
  const always = alwaysRule === undefined ? {} : { alwaysRule };
  const id = approvals.idOf?.(question, inputDigest) ?? randomUUID();
  // It may wait for days: whoever goes on with the session later finds what is asked about in the transcript.
  hooks.catchUp();
  const request = trail.record('approval_requested', { id, ...about, ...always, inputDigest });
  const asked = performance.now();
  const record = (answer: ApprovalAnswer) => {
    const waitedMs = Math.round(performance.now() - asked);
    trail.record('approval_resolved', { request: request.value, answer, waitedMs });
  };
  let recorded: ApprovalAnswer | undefined;
  try {
    const answer = await approvals.ask(request, signal);
    record(answer);
    recorded = answer;
    return answer;
  } catch (error) {
    if (isAuditFailure(error)) throw error;
    recorded = { answer: 'unanswered', why: `the question could not be put (${messageOf(error)})` };
    record(recorded);
    throw error;
  } finally {
    approvals.settled?.(request.value, recorded, refusalOfYes(recorded, deniedBy));
  }
}

/** Display only: the gate looks again, and what breaks here breaks there. */
function refusalOfYes(
  answer: ApprovalAnswer | undefined,
  deniedBy: Question['deniedBy'],
): Decision | undefined {
  if (answer?.answer !== 'allow') return undefined;
  try {
    return deniedBy?.();
  } catch {
    return undefined;
  }
}

function notify(trail: Trail, hooks: HookHost, message: string): void {
  const { background } = hooks;
  const subject = 'permission_prompt';
  const fields = { notification_type: subject, message };
  const told = fire(trail, hooks, { event: 'Notification', subject, fields }, undefined, background.signal);
  background.add(told.then(() => undefined));
}

/** The decision that a no, or no answer, makes of a question. */
export function refusalOf(ruling: Decision, answer: Exclude<ApprovalAnswer, { answer: 'allow' }>): Decision {
  const asked = { ...ruling, behavior: 'deny', askedBy: ruling.cause } as const;
  if (answer.answer === 'deny') {
    const said = answer.reason === undefined ? '' : ` They said: ${answer.reason}`;
    const reason = `A person was asked and refused this call.${said} (It was put to them because: ${ruling.reason})`;
    return { ...asked, reason, cause: { kind: 'human', client: answer.client } };
  }
  const reason = `This call needs the approval of a person, and ${answer.why}. ${ruling.reason}`;
  return { ...asked, reason, cause: { kind: 'unanswered', why: answer.why } };
}
