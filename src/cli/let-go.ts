/** What becomes of a session that its person leaves, and how they come back to it. */
import type { SessionInfo } from '../core/protocol.ts';
import type { OpenedSession, SessionHost } from './session-host.ts';

/** Ends a session of the daemon that nothing goes on in, unless it was there before. Returns what the person is told. */
export async function letGo(
  { client, isJoined }: OpenedSession,
  { isDaemon }: Pick<SessionHost, 'isDaemon'>,
): Promise<readonly string[]> {
  const info = await client.refresh();
  const isBusy = isDaemon && isGoingOn(info);
  if (isDaemon && !isBusy && !isJoined) await client.end('left');
  if (info.turns === 0 && !isBusy) return [];
  const what = isBusy ? ['The turn goes on in the daemon; "hookd sessions" shows and ends it.'] : [];
  return [...what, `Come back with: hookd --resume ${info.id}`];
}

function isGoingOn({ state }: SessionInfo): boolean {
  return state === 'running' || state === 'waiting';
}
