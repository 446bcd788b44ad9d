/** Who watches a session cannot disturb it: what is told is display only. */
import type { SessionEvent } from '../core/protocol.ts';

export function harmless(
  onEvent: (event: SessionEvent) => void,
  reportFault: (error: unknown) => Promise<void>,
): (event: SessionEvent) => void {
  return (event) => {
    try {
      onEvent(event);
    } catch (error) {
      void reportFault(error);
    }
  };
}
