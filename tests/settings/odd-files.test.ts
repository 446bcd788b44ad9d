/** Whatever stands in the place of a settings file has a clear outcome: none crashes, none hangs, none loosens. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { firstLook } from '../../src/settings/layer.ts';
import { rulesOf, save, testSession } from './session.ts';

const good = { permissions: { deny: ['Read(.env)'] } };
const text = JSON.stringify(good, null, 2);
const utf16 = (bytes: readonly number[]) => Buffer.concat([Buffer.from(bytes), Buffer.from(text, 'utf16le')]);

function hugeFile(file: string): void {
  save(file, text);
  truncateSync(file, 10_000_000_000);
}

/** How it is put there; what a start says of it, and what is then in force: `refused` is neither. */
const ODD: readonly (readonly [string, (file: string) => void, string])[] = [
  [
    'wrong types',
    (file) => save(file, '{"permissions":{"deny":"Read"}}'),
    'refused: expected a list of strings',
  ],
  [
    'an unknown mode',
    (file) => save(file, '{"permissions":{"defaultMode":"x"}}'),
    'refused: unknown permission mode',
  ],
  [
    'a key twice',
    (file) => save(file, '{"permissions":{"deny":["Read"],"deny":[]}}'),
    'refused: already at line 1',
  ],
  ['comments', (file) => save(file, `// rules\n${text}`), 'refused: comments are not allowed'],
  [
    'a trailing comma',
    (file) => save(file, '{"permissions":{"deny":["Read",]}}'),
    'refused: a comma with nothing after it',
  ],
  ['UTF-16', (file) => save(file, utf16([0xff, 0xfe])), 'refused: the file is UTF-16'],
  ['UTF-16 without a mark', (file) => save(file, utf16([])), 'refused: the file is UTF-16'],
  [
    'Latin-1',
    (file) => save(file, Buffer.from('{"env":{"A":"\u00fc"}}', 'latin1')),
    'refused: byte 0xfc is not valid UTF-8',
  ],
  ['10 MB', (file) => save(file, `${text}${' '.repeat(10_000_000)}`), 'refused: larger than'],
  ['10 GB of nothing', hugeFile, 'refused: larger than'],
  ['a directory', (file) => mkdirSync(file), 'refused: it is a directory'],
  [
    'a FIFO that nobody writes to',
    (file) => void execFileSync('mkfifo', [file]),
    'refused: it is not a regular file',
  ],
  ['a device', (file) => symlinkSync('/dev/zero', file), 'refused: it is not a regular file'],
  ['links in a circle', (file) => symlinkSync(file, file), 'refused: its links lead in a circle'],
  [
    'a link to nowhere',
    (file) => symlinkSync(`${file}.absent`, file),
    'refused: a link to a file that does not exist',
  ],
  ['a text', (file) => save(file, '"deny"'), 'refused: no settings'],
  ['a list with rules', (file) => save(file, '["Read"]'), 'refused: no settings'],
  ['nesting without end', (file) => save(file, '['.repeat(200_000)), 'refused: nested too deeply'],
  ['a byte order mark', (file) => save(file, `\ufeff${text}`), 'deny Read(.env)'],
  ['CRLF', (file) => save(file, text.replaceAll('\n', '\r\n')), 'deny Read(.env)'],
  ['an empty file', (file) => save(file, ''), 'nothing'],
  ['blanks', (file) => save(file, ' \n\t\n'), 'nothing'],
  ['null', (file) => save(file, 'null'), 'nothing'],
  ['[]', (file) => save(file, '[]'), 'nothing'],
  ['a number', (file) => save(file, '5'), 'nothing'],
];

describe.each(ODD)('%s', (_, put, outcome) => {
  test('at a start', () => {
    const session = testSession();
    put(session.userFile);
    const opened = session.open();
    if (!opened.ok) {
      const [problem] = opened.problems;
      expect(`${problem?.message}, expected ${problem?.expected}`).toContain(
        outcome.replace('refused: ', ''),
      );
      expect(outcome).toMatch(/^refused: /);
      expect(problem).toMatchObject({ severity: 'error', file: session.userFile, line: expect.any(Number) });
      return;
    }
    expect(rulesOf(opened.store.current()).join() || 'nothing').toBe(outcome);
  });

  test('in the place of a good file while a session runs', () => {
    const session = testSession();
    save(session.userFile, { permissions: { deny: ['Read(.env)'], ask: ['Bash(rm *)'] } });
    const store = session.start();
    const before = store.current();
    rmSync(session.userFile);
    put(session.userFile);
    const isTaken = outcome === 'deny Read(.env)';
    const after = store.current();
    if (isTaken) expect(rulesOf(after)).toEqual(['deny Read(.env)']);
    else expect(after).toBe(before);
    const kinds = session.events.map(({ kind }) => kind);
    // A link to nowhere may be a save in progress: that is told when it stays.
    const isPatient = outcome.includes('does not exist');
    expect(kinds).toEqual(['loaded', ...(isTaken ? ['changed'] : isPatient ? [] : ['rejected'])]);
    session.clock.aheadMs += 5000;
    expect(rulesOf(store.current())).toContain('deny Read(.env)');
  });
});

/** Root may read everything: then as nobody. */
function asNobody<Result>(work: () => Result): Result {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.('nobody');
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

test('a file that may not be read refuses a start, and leaves the last good one in force', () => {
  const session = testSession();
  save(session.userFile, good);
  const store = session.start();
  const before = store.current();
  writeFileSync(session.userFile, '{}');
  chmodSync(session.userFile, 0);
  if (process.geteuid?.() !== 0) expect(store.current()).toBe(before);
  const origin = { scope: 'user', dialect: 'hookd', isTrusted: true, root: session.hookdHome } as const;
  const place = { kind: 'file', origin: { ...origin, file: session.userFile }, isNamed: false } as const;
  const { problems } = asNobody(() => firstLook(place, Date.now()));
  const message = expect.stringContaining('there is no permission to read it');
  expect(problems).toMatchObject([{ severity: 'error', message }]);
});
