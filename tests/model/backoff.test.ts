import { expect, it } from 'vitest';
import { readRetryAfter, retryDelayMs } from '../../src/model/backoff.ts';
import { lost, modelFailed, notReached, refused } from '../../src/model/failure.ts';

const said = (status?: number, type?: string) => refused('E', 'm', { status, type, message: 'no' });

const system = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

it.each<readonly [string, unknown]>([
  ...[408, 429, 500, 502, 503, 504, 529].map((status) => [`status ${status}`, said(status)] as const),
  ['an error inside of a stream', said(undefined, 'overloaded_error')],
  ['a broken connection', notReached('E', system('ECONNRESET'))],
  ['nobody listening', notReached('E', system('ECONNREFUSED'))],
  ['no way to the network', notReached('E', system('ENETUNREACH'))],
  [
    'none of several addresses',
    notReached('E', new AggregateError([system('EHOSTUNREACH'), system('ENETUNREACH')])),
  ],
  ['a connection that takes too long', notReached('E', system('ETIMEDOUT'))],
  ['a stream that broke off', lost('x')],
])('%s is worth another try', (_name, failure) => {
  expect(retryDelayMs(failure, 1, 1)).toBe(500);
});

it.each<readonly [string, unknown]>([
  ...[400, 401, 403, 404, 413, 422].map((status) => [`status ${status}`, said(status)] as const),
  ['a refusal inside of a stream', said(undefined, 'invalid_request_error')],
  ['an answer that is no message', modelFailed('x')],
  ['a certificate', notReached('E', system('CERT_HAS_EXPIRED'))],
  ['a fault of our own', new Error('x')],
])('%s would come again', (_name, failure) => {
  expect(retryDelayMs(failure, 1, 1)).toBeUndefined();
});

it('waits twice as long each time, to a limit, and never all at the same moment', () => {
  const delays = (random: number) => [1, 2, 3, 7, 20].map((tries) => retryDelayMs(lost('x'), tries, random));
  expect(delays(1)).toEqual([500, 1000, 2000, 32_000, 32_000]);
  expect(delays(0)).toEqual([375, 750, 1500, 24_000, 24_000]);
});

it('waits as long as the endpoint asks, unless that is more than a person would', () => {
  const asked = (retryAfterMs: number) => refused('E', 'm', { status: 429, message: '', retryAfterMs });
  expect([0, 7000, 120_000, 120_001].map((ms) => retryDelayMs(asked(ms), 3, 0))).toEqual([
    0,
    7000,
    120_000,
    undefined,
  ]);
});

it.each([
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' }, 8000],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  [{ 'retry-after': '-4' }, 0],
  [{ 'retry-after-ms': '40', 'retry-after': '3' }, 40],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('reads %o', (headers, ms) => {
  expect(readRetryAfter(new Headers(headers as Record<string, string>), 1000)).toBe(ms);
});
