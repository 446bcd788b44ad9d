/** A body as the events that its stream holds, each of them bounded: one without an end would take all memory there is. */
import type { StreamEvent } from './message-stream.ts';

/** In bytes: several times the longest answer of a model, written as one event with every character escaped. */
const MOST_OF_AN_EVENT = 16 * 1024 * 1024;

/**
 * What is counted are the bytes from one event to the next, whether they are one line, many of them, or comments: it
 * costs an honest stream one addition a chunk. Throws for an event that is longer.
 * @param parse the parser of the stream
 */
export function boundedEvents(
  chunks: AsyncIterable<Uint8Array>,
  parse: (chunks: AsyncIterable<Uint8Array>) => AsyncIterator<StreamEvent, void>,
  most = MOST_OF_AN_EVENT,
): AsyncIterator<StreamEvent, void> {
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > most) throw new Error(`one event of its answer is longer than ${most} bytes`);
      yield chunk;
    }
  }
  const events = parse(counted());
  return {
    async next() {
      const result = await events.next();
      bytes = 0;
      return result;
    },
  };
}
