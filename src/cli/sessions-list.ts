/** `hookd sessions list`: the sessions of the daemon, the last active first. */
import { EXIT } from '../core/errors.ts';
import type { SessionInfo } from '../core/protocol.ts';
import { connect } from './connection.ts';
import { oneLine } from './output.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function sessionsListCommand(
  { env, json }: { readonly env: Environment; readonly json: boolean },
  output: { readonly result: (line: string) => void },
): Promise<number> {
  const sessions = await (await connect(env, 'hookd sessions list')).listSessions();
  if (json) output.result(JSON.stringify(sessions));
  else if (sessions.length === 0) output.result('There are no sessions.');
  else for (const session of sessions) output.result(line(session));
  return EXIT.done;
}

function line({ id, state, cwd, title, lastActiveAt, approvals }: SessionInfo): string {
  const waits = approvals === 0 ? '' : `  ${approvals} waiting`;
  const words = title === undefined ? '' : `  ${oneLine(title, 60)}`;
  return `${id}  ${state.padEnd(9)}  ${lastActiveAt.slice(0, 16)}Z  ${oneLine(cwd, 60)}${waits}${words}`;
}
