/** Numbered events: kept within bounds, the same for everybody, and nobody slows a session down. */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Delivery, SessionInfo } from '../../src/core/protocol.ts';
import { EventLog, type EventLogOptions } from '../../src/daemon/event-log.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hookd-events-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const path = () => join(directory, 'sessions', 'events.jsonl');

function openLog(options: Partial<EventLogOptions> = {}): EventLog {
  const log: EventLog = new EventLog({
    path: path(),
    reset: () => ({ kind: 'reset', info: { lastEventId: log.lastId } as SessionInfo, approvals: [] }),
    ...options,
  });
  return log;
}

const say = (log: EventLog, text: string) => log.add({ kind: 'warning', text });
const never = new AbortController().signal;

/** All that waits for a client of a log that is closed. */
async function read(events: AsyncIterable<Delivery>): Promise<readonly Delivery[]> {
  const all: Delivery[] = [];
  for await (const one of events) all.push(one);
  return all;
}

function short(one: Delivery): string {
  if (one.kind !== 'event') return one.kind;
  return `${one.id ?? '-'} ${'text' in one.event ? one.event.text : one.event.kind}`;
}

it('what is streamed has no number and is not repeated', async () => {
  const log = openLog();
  const live = log.follow(0, never);
  say(log, 'a');
  log.add({ kind: 'text', text: 'piece' });
  say(log, 'b');
  const late = log.follow(0, never);
  log.close();
  expect((await read(live)).map(short)).toEqual(['1 a', '- piece', '2 b']);
  expect((await read(late)).map(short)).toEqual(['1 a', '2 b']);
});

it('what is told in one go is on the disk, all of it, before anybody sees the first of it', async () => {
  const log = openLog();
  const live = log.follow(0, never)[Symbol.asyncIterator]();
  for (const text of ['a', 'b', 'c']) say(log, text);
  expect(existsSync(path())).toBe(false);
  expect((await live.next()).value).toMatchObject({ id: 1 });
  expect(readFileSync(path(), 'utf8').split('\n').slice(0, -1)).toHaveLength(3);
  log.close();
});

it.each<[string, (log: EventLog) => unknown]>([
  ['of its number', (log) => log.lastId],
  ['of what it follows', (log) => log.follow(1, never)],
  ['of the state that it is put back to', (log) => log.follow(7, never)],
])('whoever is told %s finds it on the disk', (_name, ask) => {
  const log = openLog();
  say(log, 'a');
  ask(log);
  expect(readFileSync(path(), 'utf8')).toMatch(/^\{"id":1,.*\}\n$/);
  log.close();
});

it.each([
  [undefined, []],
  [0, ['3 c', '4 d', '5 e']],
  [2, ['3 c', '4 d', '5 e']],
  [4, ['5 e']],
  [5, []],
  [1, ['reset']],
  [6, ['reset']],
  [-1, ['reset']],
  [Number.NaN, ['reset']],
  [2.5, ['reset']],
])('after %s of five events, of which three are kept, comes %j', async (after, expected) => {
  const log = openLog({ keep: { events: 3, bytes: 1e6 } });
  for (const text of ['a', 'b', 'c', 'd', 'e']) say(log, text);
  const events = log.follow(after, never);
  say(log, 'next');
  log.close();
  expect((await read(events)).map(short)).toEqual([...expected, '6 next']);
});

it('whoever has missed too much gets the state, and what follows it', async () => {
  const log = openLog({ keep: { events: 1, bytes: 1e6 } });
  for (const text of ['a', 'b', 'c']) say(log, text);
  const events = log.follow(1, never);
  log.close();
  expect(await read(events)).toEqual([{ kind: 'reset', info: { lastEventId: 3 }, approvals: [] }]);
});

it('a client that reads too slowly is let go and told so; the others get everything', async () => {
  const log = openLog({ stream: { events: 10, bytes: 1e6 } });
  const slow = log.follow(0, never);
  const quick = log.follow(0, never)[Symbol.asyncIterator]();
  for (let count = 1; count <= 50; count++) {
    say(log, `${count}`);
    expect((await quick.next()).value).toMatchObject({ id: count });
  }
  expect((await read(slow)).map(short)).toEqual(['dropped']);
  expect((await read(log.follow(48, AbortSignal.abort()))).map(short)).toEqual([]);
  log.close();
});

it('bytes count too, and so do events without any', async () => {
  const log = openLog({ stream: { events: 10, bytes: 1000 } });
  const [large, empty] = [log.follow(0, never), log.follow(0, never)[Symbol.asyncIterator]()];
  for (let count = 0; count < 30; count++) {
    log.add({ kind: 'text', text: '' });
    await empty.next();
  }
  for (let count = 0; count < 3; count++) say(log, 'x'.repeat(600));
  log.close();
  expect((await read(large)).map(short)).toEqual(['dropped']);
  expect((await empty.next()).value).toMatchObject({ kind: 'dropped' });
});

it('one event of any size is no slow reading', async () => {
  const log = openLog({ stream: { events: 10, bytes: 1000 } });
  const client = log.follow(0, never)[Symbol.asyncIterator]();
  for (const text of ['a', 'x'.repeat(5000), 'b']) say(log, text);
  for (const text of ['a', 'x'.repeat(5000), 'b'])
    expect((await client.next()).value).toMatchObject({ event: { text } });
  for (const text of ['x'.repeat(5000), 'y'.repeat(5000)]) say(log, text);
  expect((await client.next()).value).toMatchObject({ kind: 'dropped' });
  log.close();
});

it('a long repetition is no slow reading', async () => {
  const log = openLog({ stream: { events: 10, bytes: 1000 } });
  for (let count = 0; count < 100; count++) say(log, `${count}`);
  const events = log.follow(0, never);
  for (let count = 0; count < 10; count++) say(log, 'live');
  log.close();
  expect(await read(events)).toHaveLength(110);
});

it('a client that leaves gets nothing more, and is forgotten', async () => {
  const log = openLog();
  const leave = new AbortController();
  const events = log.follow(0, leave.signal);
  say(log, 'a');
  leave.abort();
  say(log, 'b');
  expect(await read(events)).toEqual([]);
});

it('numbers go on after a restart, also after half a line and lines that are not ours', async () => {
  const first = openLog();
  for (const text of ['a', 'b']) say(first, text);
  first.close();
  appendFileSync(
    path(),
    'null\n[]\n{"id":9007199254740991,"event":{"kind":"warning","text":"last"}}\n{"id":1,"event":{"kind":"warning","text":"again"}}\n{"id":3,"ev',
  );
  const second = openLog();
  expect(second.lastId).toBe(2);
  say(second, 'c');
  second.close();
  const third = openLog();
  const events = third.follow(0, never);
  third.close();
  expect((await read(events)).map(short)).toEqual(['1 a', '2 b', '3 c']);
});

it('the file stays within its bounds and private, and a restart knows the same events', async () => {
  const keep = { events: 100, bytes: 10_000 };
  const log = openLog({ keep });
  for (let count = 0; count < 500; count++) say(log, 'x'.repeat(200));
  expect(statSync(path()).size).toBeLessThanOrEqual(2 * keep.bytes + 300);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  const now = log.follow(0, never);
  log.close();
  const again = openLog({ keep });
  const then = again.follow(0, never);
  again.close();
  expect(again.lastId).toBe(500);
  expect((await read(then)).map(short)).toEqual((await read(now)).map(short));
});

it('one event that is larger than all that is kept is kept alone', async () => {
  const log = openLog({ keep: { events: 10, bytes: 1000 } });
  say(log, 'small');
  say(log, 'x'.repeat(5000));
  const events = log.follow(1, never);
  log.close();
  expect((await read(events)).map((one) => one.kind === 'event' && one.id)).toEqual([2]);
});

it('a disk that fails is told once, and events go on', async () => {
  writeFileSync(join(directory, 'sessions'), 'no directory');
  const log = openLog();
  for (const text of ['a', 'b', 'c']) say(log, text);
  await Promise.resolve();
  const events = log.follow(0, never);
  log.close();
  const [a, b, c, told, ...more] = (await read(events)).map(short);
  expect([a, b, c, more]).toEqual(['1 a', '2 b', '3 c', []]);
  expect(told).toMatch(/^4 The events of this session cannot be kept in .*ENOTDIR|EEXIST/);
  expect(readFileSync(join(directory, 'sessions'), 'utf8')).toBe('no directory');
});
