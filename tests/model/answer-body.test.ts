import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chunksOf, textOf } from '../../src/model/answer-body.ts';

/** An answer that has nothing but headers and a body. */
function answer(coding?: string): { incoming: IncomingMessage; body: PassThrough } {
  const body = new PassThrough();
  const headers = coding === undefined ? {} : { 'content-encoding': coding };
  return { incoming: Object.assign(body, { headers }) as unknown as IncomingMessage, body };
}

const TEXT = 'one € two 😀 '.repeat(500);

async function textIn(bytes: Uint8Array, coding?: string): Promise<string> {
  const { incoming, body } = answer(coding);
  body.end(bytes);
  const chunks = chunksOf(incoming);
  return textOf(() => chunks.next(), 1_000_000);
}

describe('a body is decoded', () => {
  it.each([
    ['as it is', undefined, Buffer.from(TEXT)],
    ['from identity', 'identity', Buffer.from(TEXT)],
    ['from gzip', 'gzip', gzipSync(TEXT)],
    ['from gzip by its other names', ' X-GZIP', gzipSync(TEXT)],
    ['from deflate', 'deflate', deflateSync(TEXT)],
    ['from brotli', 'br', brotliCompressSync(TEXT)],
  ])('%s', async (_, coding, bytes) => {
    expect(await textIn(bytes, coding)).toBe(TEXT);
  });

  it('part by part, as the parts come', async () => {
    const { incoming, body } = answer('gzip');
    const gzip = createGzip();
    gzip.pipe(body);
    const chunks = chunksOf(incoming);
    for (const part of ['first', 'second']) {
      gzip.write(part);
      gzip.flush();
      const { value } = await chunks.next();
      expect(Buffer.from(value ?? []).toString()).toBe(part);
    }
    gzip.destroy();
  });
});

it.each([
  ['cut off', 'gzip', gzipSync(TEXT).subarray(0, -9), /unexpected end of file/],
  ['of another coding than it says', 'br', gzipSync(TEXT), /Decompression failed/],
  ['of a coding that nobody knows', 'zip', Buffer.from(TEXT), /encoded as "zip", which cannot be read/],
  ['of several codings', 'gzip, br', Buffer.from(TEXT), /encoded as "gzip, br"/],
])('a body %s fails', async (_, coding, bytes, message) => {
  await expect(textIn(bytes, coding)).rejects.toThrow(message);
});

it.each([undefined, 'gzip'])(
  'a body that is destroyed before it is read fails (coding: %s)',
  async (coding) => {
    const { incoming } = answer(coding);
    incoming.on('error', () => undefined).destroy(new Error('gone'));
    await expect(chunksOf(incoming).next()).rejects.toThrow();
  },
);

it('a mark of the byte order is no part of a text, and a character cut in two is whole', async () => {
  const pieces = [...Buffer.from('\ufeff€😀')].map((byte) => Uint8Array.of(byte));
  const next = async () => {
    const value = pieces.shift();
    return value === undefined ? { done: true as const, value } : { done: false as const, value };
  };
  expect(await textOf(next, 100)).toBe('€😀');
});

it('of a body without end only so much is read as asked for, and no more than a message can have', async () => {
  let sent = 0;
  const endless = () => {
    const { incoming, body } = answer();
    body._read = () => {
      sent += 1000;
      body.push(Buffer.alloc(1000, 'x'));
    };
    return incoming;
  };
  const chunks = chunksOf(endless());
  expect((await textOf(() => chunks.next(), 50_000)).length).toBeLessThan(100_000);
  expect(sent).toBeLessThan(1_000_000);
  const reading = (async () => {
    for await (const _ of chunksOf(endless(), 50_000));
  })();
  await expect(reading).rejects.toThrow('longer than 50000 bytes');
});

it('a slow reader holds the sender back', async () => {
  const { incoming, body } = answer();
  const chunks = chunksOf(incoming);
  const first = chunks.next();
  let full = false;
  for (let sent = 0; sent < 1000 && !full; sent += 1) full = !body.write(Buffer.alloc(1000));
  await first;
  expect(full).toBe(true);
  expect(body.readableLength + body.writableLength).toBeLessThan(100_000);
});
