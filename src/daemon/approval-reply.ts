/** What a client says to a question, as an answer that counts. */
import { HookdError } from '../core/errors.ts';
import type { ApprovalReply, PendingApproval } from '../core/protocol.ts';
import type { ApprovalAnswer } from '../core/vocabulary.ts';

/** A reply may come from anywhere: what it says counts only where it is said exactly. Throws APPROVAL_MISMATCH or USAGE. */
export function answerIn(reply: ApprovalReply, approval: PendingApproval, client: string): ApprovalAnswer {
  const { answer, inputDigest, reason, alwaysRule } = reply;
  if (inputDigest !== approval.inputDigest) {
    throw new HookdError(
      'APPROVAL_MISMATCH',
      `The answer is about another input than that of question ${approval.id}.`,
    );
  }
  if (answer === 'deny') return { answer, client, ...(typeof reason === 'string' ? { reason } : {}) };
  if (answer !== 'allow') throw new HookdError('USAGE', 'An answer is "allow" or "deny".');
  if (alwaysRule === undefined) return { answer, client };
  if (alwaysRule !== approval.alwaysRule) {
    const offered = approval.alwaysRule;
    const only = offered === undefined ? 'No rule goes' : `Only the rule ${offered} goes`;
    throw new HookdError('USAGE', `${only} with question ${approval.id}, not ${JSON.stringify(alwaysRule)}.`);
  }
  return { answer, client, alwaysRule };
}
