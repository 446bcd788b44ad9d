import { Stream } from '@anthropic-ai/sdk/core/streaming';
import { expect, test } from 'vitest';
import type { StreamEvent } from '../../src/model/message-stream.ts';
import { boundedEvents } from '../../src/model/stream-events.ts';

/** What comes out of a stream whose events have at most 1000 bytes; the last is what went wrong, where something did. */
async function eventsIn(chunks: readonly string[]): Promise<readonly string[]> {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const parse = (body: AsyncIterable<Uint8Array>): AsyncIterator<StreamEvent, void> =>
    Stream.rawEvents({ body } as unknown as Response);
  const events = boundedEvents(bytes(), parse, 1000);
  const found: string[] = [];
  try {
    for (let next = await events.next(); next.done !== true; next = await events.next())
      found.push(next.value.data);
  } catch (error) {
    found.push(String(error));
  }
  return found;
}

const x = (count: number) => 'x'.repeat(count);
const LONGER = 'Error: one event of its answer is longer than 1000 bytes';

test.each([
  ['a line', Array(20).fill(x(100))],
  ['a line that comes at once', [`data: ${x(2000)}\n\n`]],
  ['many lines', Array(20).fill(`data: ${x(100)}\n`)],
  ['comments', Array(20).fill(`: ${x(100)}\n\n`)],
  ['blank lines', Array(20).fill('\n'.repeat(100))],
])('%s without an end are not gathered without an end', async (_name, chunks) => {
  expect(await eventsIn(['data: first\n\n', ...chunks])).toEqual(['first', LONGER]);
});

test('a stream may be as long as it likes, in events of any length up to the limit', async () => {
  const chunks = Array.from({ length: 500 }, (_, n) => `data: ${x(n)}\n\n`);
  expect(await eventsIn(chunks)).toEqual(Array.from({ length: 500 }, (_, n) => x(n)));
  expect(await eventsIn(Array(50).fill(`data: ${x(450)}\n\ndata: ${x(450)}\n\n`))).toHaveLength(100);
});
