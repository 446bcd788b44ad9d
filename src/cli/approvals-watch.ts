/** `hookd approvals watch`: the questions of all sessions as they come up, and who answers them. */
import { EXIT } from '../core/errors.ts';
import type { ApprovalNotice } from '../daemon/approval-desk.ts';
import { approvalQuestion } from './approval-question.ts';
import { COLUMNS } from './columns.ts';
import { connect } from './connection.ts';
import type { Output } from './output.ts';
import { answerLine } from './render.ts';
import { interruptSignal } from './signals.ts';

export interface WatchOptions {
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** Until it is interrupted, or the daemon ends. */
export async function watchCommand({ json, env }: WatchOptions, output: Output): Promise<number> {
  const signal = interruptSignal();
  const connection = await connect(env, 'hookd approvals watch');
  for await (const notice of connection.watchApprovals(signal)) {
    if (json) output.result(JSON.stringify(notice));
    else for (const line of noticeLines(notice, output)) output.result(line);
    if (output.isClosed()) break;
  }
  return signal.aborted ? EXIT.interrupted : EXIT.done;
}

export function noticeLines(
  notice: ApprovalNotice,
  { columns = COLUMNS, colours }: Pick<Output, 'columns' | 'colours'>,
): readonly string[] {
  if (notice.kind === 'approval_resolved') {
    const { id, answer } = notice;
    return [`${id.slice(0, 8)} ${answerLine(answer, { colours, columns: columns - 9 }).trimStart()}`];
  }
  const { approval } = notice;
  const { text } = approvalQuestion(approval, columns);
  const id = approval.id.slice(0, 8);
  const next = approval.needsResume
    ? ['its session does not run; it asks again after:', `hookd --resume ${approval.session}`]
    : [`hookd approvals allow ${id} · deny ${id} --reason "…"`];
  return [
    '',
    colours.bold(`${approval.id} of session ${approval.session.slice(0, 8)}`),
    ...text.trim().split('\n'),
    ...next.map(colours.dim),
  ];
}
