/** `hookd sessions list`: the sessions of the daemon, the last active first. A line each, but on a terminal two that fit it. */
import { EXIT } from '../core/errors.ts';
import type { SessionInfo } from '../core/protocol.ts';
import { cell } from './columns.ts';
import { connect } from './connection.ts';
import { type Output, oneLine } from './output.ts';
import { shortened } from './width.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function sessionsListCommand(
  { env, json }: { readonly env: Environment; readonly json: boolean },
  { result, columns }: Pick<Output, 'result' | 'columns'>,
): Promise<number> {
  const sessions = await (await connect(env, 'hookd sessions list')).listSessions();
  if (json) result(JSON.stringify(sessions));
  else if (sessions.length === 0) result('There are no sessions.');
  else for (const line of sessions.flatMap((session) => sessionLines(session, columns))) result(line);
  return EXIT.done;
}

/** Of a directory that is too long the end says more. */
const DIRECTORY_WIDTH = 40;

/** `columns` of the terminal; undefined where there is none. */
export function sessionLines(session: SessionInfo, columns: number | undefined): readonly string[] {
  const { id, state, cwd, title, lastActiveAt, approvals } = session;
  const head = `${id}  ${state.padEnd(9)}  ${lastActiveAt.slice(0, 16)}Z`;
  const waits = approvals === 0 ? '' : `  ${approvals} waiting`;
  const words = title === undefined ? '' : `  ${oneLine(title, 60)}`;
  const directory = oneLine(cwd, 4096);
  if (columns === undefined) return [`${head}  ${directory}${waits}${words}`];
  const width = Math.min(directory.length, DIRECTORY_WIDTH);
  return [`${head}${waits}`, shortened(`  ${cell(directory, width, 'start')}${words}`, columns)];
}
