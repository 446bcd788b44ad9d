/** `hookd approvals list`: the questions that wait for a person, over all sessions of the daemon. */
import { EXIT, HookdError } from '../core/errors.ts';
import type { PendingApproval } from '../core/protocol.ts';
import { hookdHomeOf } from '../daemon/hookd-home.ts';
import { isHeld, readAllStored, readLeftApprovals } from '../daemon/session-files.ts';
import { connect } from './connection.ts';
import { oneLine } from './output.ts';
import { hookWords } from './record-words.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface ListOutput {
  readonly result: (line: string) => void;
  readonly note: (line: string) => void;
}

export async function approvalsListCommand(
  { env, json }: { readonly env: Environment; readonly json: boolean },
  output: ListOutput,
): Promise<number> {
  const approvals = await waiting(env, output.note);
  if (json) output.result(JSON.stringify(approvals));
  else if (approvals.length === 0) output.result('Nothing waits for an answer.');
  else for (const line of approvals.flatMap(lines)) output.result(line);
  return EXIT.done;
}

/** Without a daemon: what waited when the process of its session ended. */
async function waiting(env: Environment, note: ListOutput['note']): Promise<readonly PendingApproval[]> {
  try {
    return await (await connect(env, 'hookd approvals list')).approvals();
  } catch (error) {
    if (!(error instanceof HookdError && error.code === 'DAEMON_UNREACHABLE')) throw error;
    const hookdHome = hookdHomeOf(env);
    const left = readAllStored(hookdHome)
      .filter((one) => one.ended === undefined && !isHeld(one))
      .flatMap(({ id }) => readLeftApprovals(hookdHome, id));
    if (left.length > 0) note('hookd: no daemon runs: these are of sessions that were left.');
    return left;
  }
}

function lines(approval: PendingApproval): readonly string[] {
  const {
    id,
    session,
    subject,
    input,
    rewrittenBy,
    decision,
    requestedAt,
    expiresAt,
    alwaysRule,
    needsResume,
  } = approval;
  const { command, file_path: file } = input;
  const what =
    typeof command === 'string' ? command : typeof file === 'string' ? file : JSON.stringify(input);
  const until = expiresAt === undefined ? '' : `, until ${expiresAt}`;
  return [
    `${id}  ${oneLine(subject, 40)}  session ${session}  since ${requestedAt}${until}`,
    `  │ ${oneLine(what, 2_000)}`,
    ...(rewrittenBy === undefined ? [] : [`  rewritten by ${oneLine(hookWords(rewrittenBy), 400)}`]),
    `  why: ${oneLine(decision.reason, 400)}`,
    ...(needsResume ? [`  cannot be answered yet; it asks again after: hookd --resume ${session}`] : []),
    ...(alwaysRule === undefined ? [] : [`  always would add: ${oneLine(alwaysRule, 400)}`]),
  ];
}
