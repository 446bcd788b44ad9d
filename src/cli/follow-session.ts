/** A session's events without a gap: who was dropped for reading too slowly comes back where they were. */
import type { Delivery, SessionClient } from '../core/protocol.ts';

/** Events that somebody is shown who comes to a session that has a past. */
const SHOWN_AGAIN = 60;

/** After which event to begin, so that the end of what was said is seen again. */
export function shortlyBefore(lastEventId: number): number {
  return Math.max(0, lastEventId - SHOWN_AGAIN);
}

/** From the event after `after` on, until `signal` or the session's end. */
export async function* followSession(
  client: Pick<SessionClient, 'events'>,
  after: number,
  signal: AbortSignal,
): AsyncIterable<Delivery> {
  let last = after;
  for (let isDropped = true; isDropped && !signal.aborted; ) {
    isDropped = false;
    for await (const delivery of client.events(last, signal)) {
      if (delivery.kind === 'event') last = delivery.id ?? last;
      if (delivery.kind === 'reset') last = delivery.info.lastEventId;
      if (delivery.kind === 'dropped') isDropped = true;
      else yield delivery;
    }
  }
}
