/** STAGE 4: rules on the final input, then a human where they say ask → a recorded permit, or a recorded refusal. */
import { createHash, randomUUID } from 'node:crypto';
import { assertRecorded, type Recorded, type Trail } from '../audit/trail.ts';
import { Rejected } from '../core/errors.ts';
import type { ApprovalAnswer, ApprovalRequest, Decision, ToolCall } from '../core/vocabulary.ts';
import { decide, type FilesView, newestDenial, type Permissions } from '../permissions/decide.ts';
import { mintPermit, type Permit } from '../permissions/permit.ts';

/** The settings' slice for the gate. `current` looks at the files first: a saved rule governs the very next call. */
export interface PermissionSource {
  current(): { readonly digest: string; readonly permissions: Permissions };
  readonly files: FilesView;
}

/** Puts one question to a human. Never throws for a missing human: that is the answer `unanswered`. */
export interface Approvals {
  ask(request: Recorded<ApprovalRequest>, signal: AbortSignal): Promise<ApprovalAnswer>;
}

export async function authorize(
  trail: Trail,
  call: Recorded<ToolCall>,
  source: PermissionSource,
  approvals: Approvals,
  signal: AbortSignal,
): Promise<Recorded<Permit>> {
  assertRecorded(call, 'tool_call');
  const { digest, permissions } = source.current();
  const ruling = decide({ permissions, call: call.value, files: source.files });
  const decision =
    ruling.behavior === 'ask' ? await askHuman(trail, call.value, ruling, source, approvals, signal) : ruling;
  if (decision.behavior !== 'allow') {
    trail.record('permission', { call: call.value, decision, policy: digest });
    throw new Rejected('denied', decision.reason);
  }
  return trail.record('permission', mintPermit(call, decision, digest, permissions.workplace));
}

async function askHuman(
  trail: Trail,
  call: ToolCall,
  ruling: Decision,
  source: PermissionSource,
  approvals: Approvals,
  signal: AbortSignal,
): Promise<Decision> {
  const inputDigest = createHash('sha256')
    .update(JSON.stringify([call.tool.name, call.input]))
    .digest('hex');
  const request = trail.record('approval_requested', {
    id: randomUUID(),
    call,
    decision: ruling,
    inputDigest,
  });
  const asked = performance.now();
  const answer = await approvals.ask(request, signal);
  const waitedMs = Math.round(performance.now() - asked);
  trail.record('approval_resolved', { request: request.value, answer, waitedMs });
  if (answer.answer !== 'allow') return refusal(ruling, answer);
  // A deny that was saved while someone thought about it bites; a loosening does not reach this call.
  const newest = newestDenial({ permissions: source.current().permissions, call, files: source.files });
  return (
    newest ?? {
      ...ruling,
      behavior: 'allow',
      reason: 'A person allowed this call.',
      cause: { kind: 'human', client: answer.client },
    }
  );
}

function refusal(ruling: Decision, answer: Exclude<ApprovalAnswer, { answer: 'allow' }>): Decision {
  if (answer.answer === 'deny') {
    const said = answer.reason === undefined ? '' : ` They said: ${answer.reason}`;
    const reason = `A person was asked and refused this call.${said} (It was put to them because: ${ruling.reason})`;
    return { ...ruling, behavior: 'deny', reason, cause: { kind: 'human', client: answer.client } };
  }
  const reason = `This call needs the approval of a person, and ${answer.why}. ${ruling.reason}`;
  return { ...ruling, behavior: 'deny', reason, cause: { kind: 'unanswered', why: answer.why } };
}
