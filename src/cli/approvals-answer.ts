/** `hookd approvals allow|deny ID`: an answer from anywhere, for exactly the input that is printed with it. */
import { EXIT, HookdError } from '../core/errors.ts';
import type { ApprovalReply, PendingApproval } from '../core/protocol.ts';
import { approvalQuestion } from './approval-question.ts';
import { byPrefix } from './by-prefix.ts';
import { COLUMNS } from './columns.ts';
import { type Connection, connect } from './connection.ts';
import { refuseInsideAgent } from './inside-agent.ts';
import { type Output, oneLine } from './output.ts';

export interface AnswerOptions {
  readonly answer: 'allow' | 'deny';
  /** Of the question, or how it begins. */
  readonly id: string;
  readonly reason: string | undefined;
  /** With `allow`: also write the rule that the question offers. */
  readonly always: boolean;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** Throws APPROVAL_GONE, APPROVAL_MISMATCH, DAEMON_UNREACHABLE, and USAGE where there is no rule to write. */
export async function answerCommand(options: AnswerOptions, output: Output): Promise<number> {
  const { answer, env } = options;
  refuseInsideAgent(env, `approvals ${answer}`);
  const connection = await connect(env, 'hookd approvals');
  return answerWaiting(connection, options, output);
}

type Answering = Pick<Connection, 'approvals' | 'answer'>;

export async function answerWaiting(
  connection: Answering,
  { answer, id, reason, always, json }: AnswerOptions,
  output: Output,
): Promise<number> {
  const approval = byPrefix(id, await connection.approvals(), 'question', 'APPROVAL_GONE');
  const { alwaysRule, inputDigest } = approval;
  if (always && alwaysRule === undefined)
    throw new HookdError(
      'USAGE',
      'There is no rule as narrow as this call: it can be allowed once, without --always.',
    );
  const reply: ApprovalReply = {
    answer,
    inputDigest,
    ...(reason === undefined ? {} : { reason }),
    ...(always && alwaysRule !== undefined ? { alwaysRule } : {}),
  };
  if (!json) for (const line of shown(approval, output)) output.result(line);
  const refusal = await connection.answer(approval.id, reply);
  const remembered = always && refusal === undefined ? { remembered: alwaysRule } : {};
  if (json) output.result(JSON.stringify({ ...approval, answer, ...remembered, refusal }));
  else if (refusal === undefined) output.result(outcome(reply));
  else output.result(`Allowed, but it does not run: ${oneLine(refusal.reason, 2000)}`);
  return refusal === undefined ? EXIT.done : EXIT.denied;
}

function shown(approval: PendingApproval, output: Output): readonly string[] {
  const { text } = approvalQuestion(approval, output.columns ?? COLUMNS);
  return [`question ${approval.id} of session ${approval.session}`, ...text.trim().split('\n')];
}

function outcome({ answer, alwaysRule, reason }: ApprovalReply): string {
  if (answer === 'deny') return reason === undefined ? 'Denied.' : `Denied: ${oneLine(reason, 400)}`;
  return alwaysRule === undefined
    ? 'Allowed, once.'
    : `Allowed, and from now on by the rule ${oneLine(alwaysRule, 2000)}`;
}
