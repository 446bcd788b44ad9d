/** `hookd approvals list`: the questions that wait for a person, over all sessions of the daemon. */
import { EXIT, HookdError } from '../core/errors.ts';
import type { PendingApproval } from '../core/protocol.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import { isHeld, readAllStored, readApprovals } from '../daemon/session-files.ts';
import { connect } from './connection.ts';
import { oneLine } from './output.ts';
import { hookWords } from './record-words.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function approvalsListCommand(
  { env, json }: { readonly env: Environment; readonly json: boolean },
  output: { readonly result: (line: string) => void },
): Promise<number> {
  const approvals = await waiting(env);
  if (json) output.result(JSON.stringify(approvals));
  else if (approvals.length === 0) output.result('Nothing waits for an answer.');
  else for (const line of approvals.flatMap(lines)) output.result(line);
  return EXIT.done;
}

/** Without a daemon: what waited when the process of its session ended. */
async function waiting(env: Environment): Promise<readonly PendingApproval[]> {
  try {
    return await (await connect(env, 'hookd approvals list')).approvals();
  } catch (error) {
    if (!(error instanceof HookdError && error.code === 'DAEMON_UNREACHABLE')) throw error;
    const hookdHome = hookdHomeOf(env);
    const left = readAllStored(hookdHome).filter((one) => one.ended === undefined && !isHeld(one));
    return left.flatMap(({ id }) => readApprovals(hookdHome, id));
  }
}

function lines(approval: PendingApproval): readonly string[] {
  const { id, session, subject, input, rewrittenBy, decision, requestedAt, expiresAt, alwaysRule } = approval;
  const { command, file_path: file } = input;
  const what =
    typeof command === 'string' ? command : typeof file === 'string' ? file : JSON.stringify(input);
  const until = expiresAt === undefined ? '' : `, until ${expiresAt}`;
  return [
    `${id}  ${oneLine(subject, 40)}  session ${session}  since ${requestedAt}${until}`,
    `  │ ${oneLine(what, 2_000)}`,
    ...(rewrittenBy === undefined ? [] : [`  rewritten by ${oneLine(hookWords(rewrittenBy), 400)}`]),
    `  why: ${oneLine(decision.reason, 400)}`,
    ...(alwaysRule === undefined ? [] : [`  always would add: ${oneLine(alwaysRule, 400)}`]),
  ];
}
