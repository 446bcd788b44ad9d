/** `hookd sessions show|interrupt|end ID`: one session of the daemon, looked at and ended from anywhere. */
import { EXIT } from '../core/errors.ts';
import type { SessionClient } from '../core/protocol.ts';
import { auditDirectoryOf, hookdHomeOf } from '../daemon/hookd-home.ts';
import { byPrefix } from './by-prefix.ts';
import { statusLines } from './chat-commands.ts';
import { COLUMNS } from './columns.ts';
import { type Connection, connect } from './connection.ts';
import { inputSummary } from './input-summary.ts';
import { refuseInsideAgent } from './inside-agent.ts';
import { type Output, oneLine } from './output.ts';
import { endedTurns, turnLines } from './turn-lines.ts';
import { shortened } from './width.ts';

const SHOWN_TURNS = 10;

export interface SessionOptions {
  /** Of the session, or how it begins. */
  readonly id: string;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** Throws SESSION_UNKNOWN, DAEMON_UNREACHABLE. */
export async function sessionNamed(connection: Connection, id: string): Promise<SessionClient> {
  const found = byPrefix(id, await connection.listSessions(), 'session', 'SESSION_UNKNOWN');
  return connection.openSession(found.id);
}

export async function showSessionCommand({ id, json, env }: SessionOptions, output: Output): Promise<number> {
  const connection = await connect(env, 'hookd sessions');
  const { info } = await sessionNamed(connection, id);
  const approvals = (await connection.approvals()).filter(({ session }) => session === info.id);
  const audit = auditDirectoryOf(hookdHomeOf(env));
  if (json) {
    const ended = endedTurns(audit, info.id, SHOWN_TURNS);
    const lastTurns = ended.map(({ turn, time, reason, summary }) => ({ turn, time, reason, summary }));
    output.result(JSON.stringify({ ...info, waiting: approvals, lastTurns }));
    return EXIT.done;
  }
  const columns = output.columns ?? COLUMNS;
  const lines = [
    ...statusLines(info, true),
    `started   ${info.startedAt}, last active ${info.lastActiveAt}`,
    ...(info.title === undefined ? [] : [`prompt    ${oneLine(info.title, 300)}`]),
    ...approvals.map(
      (one) =>
        `waits     ${one.id.slice(0, 8)} ${oneLine(one.subject, 40)} ${oneLine(inputSummary(one.input), 300)}`,
    ),
    ...turnLines(audit, info.id, SHOWN_TURNS),
  ];
  for (const line of lines) output.result(shortened(line, columns));
  return EXIT.done;
}

export async function interruptSessionCommand(options: SessionOptions, output: Output): Promise<number> {
  return change(options, output, 'interrupt', async (session) => {
    await session.interrupt();
    return 'Interrupted: its turn has ended, and the prompts that waited are dropped.';
  });
}

export async function endSessionCommand(options: SessionOptions, output: Output): Promise<number> {
  return change(options, output, 'end', async (session) => {
    await session.end('ended by hookd sessions end');
    return `Ended. Its conversation is kept: hookd --resume ${session.info.id}`;
  });
}

async function change(
  { id, json, env }: SessionOptions,
  output: Output,
  what: string,
  act: (session: SessionClient) => Promise<string>,
): Promise<number> {
  refuseInsideAgent(env, `sessions ${what}`);
  const session = await sessionNamed(await connect(env, 'hookd sessions'), id);
  const said = await act(session);
  output.result(json ? JSON.stringify(await session.refresh()) : said);
  return EXIT.done;
}
