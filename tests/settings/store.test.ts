import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differenceBetween } from '../../src/settings/difference.ts';
import { firstLook, lookAgain } from '../../src/settings/layer.ts';
import { atOneMoment } from '../../src/settings/one-moment.ts';
import { isError } from '../../src/settings/problem.ts';
import { settledAt } from '../../src/settings/read-file.ts';
import type { SettingsEvent } from '../../src/settings/settings-event.ts';
import { rulesOf, save, type TestSession, testSession } from './session.ts';

const denying = (...deny: readonly string[]): string => JSON.stringify({ permissions: { deny } });
const kinds = (session: TestSession): readonly string[] => session.events.map(({ kind }) => kind);

describe('the very next call sees a deny rule that was saved', () => {
  test.each<[string, (path: string, content: string) => void]>([
    ['in place', (path, content) => writeFileSync(path, content)],
    [
      'by atomic rename',
      (path, content) => {
        writeFileSync(`${path}.tmp`, content);
        renameSync(`${path}.tmp`, path);
      },
    ],
    [
      'by backup and rename, as vim does',
      (path, content) => {
        renameSync(path, `${path}~`);
        writeFileSync(path, content);
        rmSync(`${path}~`);
      },
    ],
    [
      'by a link that is swapped',
      (path, content) => {
        writeFileSync(`${path}.target`, content);
        symlinkSync(`${path}.target`, `${path}.link`);
        renameSync(`${path}.link`, path);
      },
    ],
    [
      'under the old time and size',
      (path, content) => {
        writeFileSync(path, content);
        utimesSync(path, new Date(0), new Date(0));
      },
    ],
    [
      'last in a burst of 200',
      (path, content) => {
        for (let index = 0; index < 199; index++) writeFileSync(path, denying(`Bash(n${index})`));
        writeFileSync(path, content);
      },
    ],
  ])('%s', (_, saveAs) => {
    for (const file of ['userFile', 'projectFile'] as const) {
      const session = testSession();
      save(session[file], denying('Bash(aa)'));
      utimesSync(session[file], new Date(0), new Date(0));
      const store = session.start();
      const before = store.current();
      saveAs(session[file], denying('Bash(bb)'));
      const after = store.current();
      expect(rulesOf(before)).toEqual(['deny Bash(aa)']);
      expect(rulesOf(after)).toEqual(['deny Bash(bb)']);
      expect(store.current()).toBe(after);
      expect(session.events).toEqual([
        { kind: 'loaded', snapshot: before },
        { kind: 'changed', snapshot: after, before, waiting: [] },
      ]);
    }
  });

  test.each(['userFile', 'projectFile'] as const)('into a file that did not exist: %s', (file) => {
    const session = testSession();
    rmSync(join(session.project, '.hookd'), { recursive: true });
    rmSync(session.hookdHome, { recursive: true });
    const store = session.start();
    expect(rulesOf(store.current())).toEqual([]);
    save(session[file], denying('Read'));
    expect(rulesOf(store.current())).toEqual(['deny Read']);
    expect(kinds(session)).toEqual(['loaded', 'changed']);
  });

  test('into a directory that was replaced', () => {
    const session = testSession();
    save(session.projectFile, denying('Read'));
    const store = session.start();
    renameSync(join(session.project, '.hookd'), join(session.project, '.hookd-old'));
    save(session.projectFile, denying('Write'));
    expect(rulesOf(store.current())).toEqual(['deny Write']);
  });
});

test('stat alone is trusted only when the file was 50 ms old as it was read: file times are coarse', () => {
  const session = testSession();
  save(session.userFile, denying('Read'));
  const origin = {
    scope: 'user',
    dialect: 'hookd',
    isTrusted: true,
    file: session.userFile,
    root: session.hookdHome,
  } as const;
  const place = { kind: 'file', origin, isNamed: false } as const;
  const written = Math.floor(statSync(session.userFile).ctimeMs);
  const young = firstLook(place, written + 49).layer;
  expect(young.known).toBe(undefined);
  const old = lookAgain(young, written + 50).layer;
  expect(old.known).not.toBe(undefined);
  expect(old.inForce).toBe(young.inForce);
  expect(lookAgain(old, written + 51).layer).toBe(old);
  expect(firstLook(place, written - 5000).layer.known).toBe(undefined);
});

test.each([
  ['of milliseconds', 1_800_000_000_123_000_000n, 1_800_000_000_173],
  ['of whole seconds, or of two', 1_800_000_000_000_000_000n, 1_800_000_002_050],
])(
  'where file times come in steps %s, content counts as known when a step is over',
  (_, changed, settled) => {
    expect(settledAt(changed)).toBe(settled);
  },
);

test('writing the same bytes again changes nothing', () => {
  const session = testSession();
  save(session.userFile, denying('Read'));
  const store = session.start();
  const before = store.current();
  save(session.userFile, denying('Read'));
  expect(store.current()).toBe(before);
  expect(kinds(session)).toEqual(['loaded']);
});

describe('a broken save while running', () => {
  test.each([
    ['cut off', '{"permissions": {"deny": ["Re'],
    ['of a wrong type', '{"permissions": {"deny": "Read"}}'],
    ['with a malformed deny rule', '{"permissions": {"deny": ["read"]}}'],
    ['with comments', '{} // none'],
    ['with a near miss', '{"permissions": {"dney": ["Read"]}}'],
    ['that is empty', ''],
    ['that is blank', ' \n'],
    ['that is null', 'null'],
    ['that is an empty list', '[]'],
    ['that is a number', '5'],
    ['with a mode that is not supported', '{"permissions": {"defaultMode": "auto"}}'],
    [
      'with a hook on a gate event that does not fit',
      '{"hooks": {"PreToolUse": [{"hooks": [{"type": 1}]}]}}',
    ],
    ['with an event that is nearly a known one', '{"hooks": {"PreTooluse": []}}'],
  ])('%s leaves the last good one in force and is told once', (_, broken) => {
    const session = testSession();
    save(session.userFile, denying('Read'));
    const store = session.start();
    const good = store.current();
    save(session.userFile, broken);
    expect(store.current()).toBe(good);
    expect(store.current()).toBe(good);
    expect(kinds(session)).toEqual(['loaded', 'rejected']);
    const told = session.events.at(-1);
    expect(told?.kind === 'rejected' && told.problems.some(isError)).toBe(true);
    expect(told?.kind === 'rejected' && told.problems.every(({ file }) => file === session.userFile)).toBe(
      true,
    );

    // The same broken content, saved again, is no news; once the file is whole, it counts.
    save(session.userFile, broken);
    store.current();
    save(session.userFile, denying('Read', 'Write'));
    expect(rulesOf(store.current())).toEqual(['deny Read', 'deny Write']);
    expect(kinds(session)).toEqual(['loaded', 'rejected', 'changed']);
  });

  test('is told with all its problems, again for each other content', () => {
    const session = testSession();
    const store = session.start();
    save(session.userFile, '{"permissions": {"deny": 1, "ask": 2}}');
    store.current();
    save(session.userFile, '{"permissions": {"deny": 1}}');
    store.current();
    const keys = session.events.flatMap((event) =>
      event.kind === 'rejected' ? [event.problems.map(({ key }) => key)] : [],
    );
    expect(keys).toEqual([['permissions.deny', 'permissions.ask'], ['permissions.deny']]);
  });

  test('of one file does not keep a deny rule of another file from counting', () => {
    const session = testSession();
    save(session.userFile, denying('Read'));
    const store = session.start();
    save(session.userFile, '{');
    save(session.projectFile, denying('Write'));
    expect(rulesOf(store.current())).toEqual(['deny Write', 'deny Read']);
    expect(kinds(session)).toEqual(['loaded', 'rejected', 'changed']);
  });

  test('{} takes the rules away', () => {
    const session = testSession();
    save(session.userFile, denying('Read'));
    const store = session.start();
    save(session.userFile, '{}');
    expect(rulesOf(store.current())).toEqual([]);
  });

  test('a directory in place of the file keeps the last good one', () => {
    const session = testSession();
    save(session.userFile, denying('Read'));
    const store = session.start();
    rmSync(session.userFile);
    mkdirSync(session.userFile);
    expect(rulesOf(store.current())).toEqual(['deny Read']);
    expect(rulesOf(store.current())).toEqual(['deny Read']);
    expect(kinds(session)).toEqual(['loaded', 'rejected']);
  });
});

test.each(['userFile', 'projectFile'] as const)(
  'a save that is cut at any byte never loosens: %s',
  (file) => {
    const session = testSession();
    const guard = { type: 'command', command: './guard "ü"', timeout: 1.5, onFailure: 'block' };
    const whole = JSON.stringify(
      {
        permissions: { deny: ['Read(./.env)', 'Bash(rm "ü" *)'], ask: ['Bash(git push:*)'] },
        hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [guard] }], Stop: [{ hooks: [guard] }] },
        env: { GUARD: 1 },
      },
      null,
      2,
    );
    save(session[file], whole);
    const store = session.start({ trustProject: true });
    const good = store.current();
    expect(good.hooks.hooks).toHaveLength(2);
    const length = Buffer.byteLength(whole);
    let refusals = 0;
    for (let offset = 0; offset < length; offset++) {
      save(session[file], whole);
      truncateSync(session[file], offset);
      session.events.length = 0;
      expect(store.current(), `cut at ${offset}`).toBe(good);
      refusals += session.events.filter(({ kind }) => kind === 'rejected').length;
    }
    expect(refusals).toBe(length);
  },
);

/** While a program, which is started and runs to its end, changes the files. */
async function keepsDenying(
  store: ReturnType<ReturnType<typeof testSession>['start']>,
  script: string,
  args: readonly string[],
): Promise<void> {
  const program = spawn(process.execPath, ['-e', script, ...args]);
  let isDone = false;
  const ended = once(program, 'exit').then(([code]) => {
    isDone = true;
    return code;
  });
  while (!isDone) {
    expect(rulesOf(store.current())).toContain('deny Read');
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await ended).toBe(0);
}

test('while another process writes without pause, no look finds less than every version says', async () => {
  const session = testSession();
  const versions = [denying('Read', ...Array(300).fill('Bash(aa)')), denying('Read', 'Bash(bb)')];
  save(session.userFile, versions[0]);
  session.clock.aheadMs = 0;
  const store = session.start();
  const script = `
    const { writeFileSync } = require('node:fs');
    const [path, ...versions] = process.argv.slice(1);
    for (let index = 0; index < 3000; index++) writeFileSync(path, versions[index % 2]);
  `;
  await keepsDenying(store, script, [session.userFile, ...versions]);
  expect(rulesOf(store.current())).toEqual(['deny Read', 'deny Bash(bb)']);
  expect(kinds(session)).toContain('changed');
});

test('a rule that is moved from file to file is in force all the while', async () => {
  const session = testSession();
  const [rule, none] = [denying('Read'), '{}'];
  save(session.userFile, rule);
  save(session.projectFile, none);
  session.clock.aheadMs = 0;
  const store = session.start();
  // First into the one, then out of the other; each save is whole.
  const script = `
    const { renameSync, writeFileSync } = require('node:fs');
    const [user, project, rule, none] = process.argv.slice(1);
    const save = (path, text) => {
      writeFileSync(path + '.new', text);
      renameSync(path + '.new', path);
    };
    const paused = new Int32Array(new SharedArrayBuffer(4));
    for (let index = 0; index < 600; index++) {
      save(project, rule);
      save(user, none);
      Atomics.wait(paused, 0, 0, 1);
      save(user, rule);
      save(project, none);
      Atomics.wait(paused, 0, 0, 1);
    }
  `;
  await keepsDenying(store, script, [session.userFile, session.projectFile, rule, none]);
  expect(kinds(session)).toContain('changed');
});

test('what was seen while something changed is looked at again, but not for ever', () => {
  let state = 0;
  let changes = 3;
  const stateNow = (): string => String(state);
  const see = (): number => {
    if (changes-- > 0) state += 1;
    return state;
  };
  expect(atOneMoment(stateNow, see)).toBe(3);
  expect(changes).toBe(-1);
  changes = Number.POSITIVE_INFINITY;
  expect(atOneMoment(stateNow, see)).toBe(103);
});

describe('a file that is gone', () => {
  test('counts for two seconds more, then no longer', () => {
    const session = testSession();
    save(session.userFile, denying('Read'));
    const store = session.start();
    rmSync(session.userFile);
    expect(rulesOf(store.current())).toEqual(['deny Read']);
    session.clock.aheadMs += 1900;
    expect(rulesOf(store.current())).toEqual(['deny Read']);
    expect(kinds(session)).toEqual(['loaded']);
    session.clock.aheadMs += 200;
    expect(rulesOf(store.current())).toEqual([]);
    expect(kinds(session)).toEqual(['loaded', 'changed']);
    save(session.userFile, denying('Read'));
    expect(rulesOf(store.current())).toEqual(['deny Read']);
  });

  test('and comes back in time was never gone', () => {
    const session = testSession();
    save(session.userFile, denying('Read'));
    const store = session.start();
    const good = store.current();
    for (let round = 0; round < 3; round++) {
      rmSync(session.userFile);
      expect(store.current()).toBe(good);
      session.clock.aheadMs += 1500;
      save(session.userFile, denying('Read'));
      expect(store.current()).toBe(good);
    }
    expect(kinds(session)).toEqual(['loaded']);
  });

  test('and was named by a flag stays in force', () => {
    const session = testSession();
    const file = join(session.base, 'more.json');
    save(file, denying('Read'));
    const store = session.start({ settings: [file] });
    rmSync(file);
    store.current();
    session.clock.aheadMs += 5000;
    expect(rulesOf(store.current())).toEqual(['deny Read']);
    expect(rulesOf(store.current())).toEqual(['deny Read']);
    expect(kinds(session)).toEqual(['loaded', 'rejected']);
  });

  test('behind a link that leads nowhere stays in force', () => {
    const session = testSession();
    save(`${session.userFile}.target`, denying('Read'));
    symlinkSync(`${session.userFile}.target`, session.userFile);
    const store = session.start();
    rmSync(`${session.userFile}.target`);
    store.current();
    session.clock.aheadMs += 5000;
    expect(rulesOf(store.current())).toEqual(['deny Read']);
    expect(kinds(session)).toEqual(['loaded', 'rejected']);
  });
});

describe('what cannot be recorded does not count', () => {
  const failingOn = (kind: SettingsEvent['kind']) => {
    const failing = { isOn: true };
    const session = testSession((event) => {
      if (failing.isOn && event.kind === kind) throw new Error('the disk is full');
    });
    return { session, failing };
  };

  test('a start', () => {
    const { session } = failingOn('loaded');
    expect(() => session.open()).toThrow('the disk is full');
  });

  test('a change: the error reaches the caller until it can be recorded', () => {
    const { session, failing } = failingOn('changed');
    save(session.userFile, denying('Read'));
    const store = session.start();
    save(session.userFile, denying('Write'));
    save(session.projectFile, '{');
    expect(() => store.current()).toThrow('the disk is full');
    expect(() => store.current()).toThrow('the disk is full');
    failing.isOn = false;
    expect(rulesOf(store.current())).toEqual(['deny Write']);
    expect(kinds(session)).toEqual(['loaded', 'rejected', 'changed', 'changed', 'changed']);
  });

  test('a refusal: it is told again', () => {
    const { session, failing } = failingOn('rejected');
    const store = session.start();
    save(session.userFile, '{');
    expect(() => store.current()).toThrow('the disk is full');
    failing.isOn = false;
    store.current();
    expect(kinds(session)).toEqual(['loaded', 'rejected', 'rejected']);
  });
});

test('a snapshot is frozen, and its digest and sources are those of the bytes', () => {
  const session = testSession();
  save(session.userFile, `\uFEFF${denying('Read')}`);
  save(session.projectFile, '{}');
  const store = session.start();
  const snapshot = store.current();
  expect(snapshot.sources.map(({ scope, path, text }) => ({ scope, path, text }))).toEqual([
    { scope: 'project', path: session.projectFile, text: '{}' },
    { scope: 'user', path: session.userFile, text: readFileSync(session.userFile, 'utf8') },
  ]);
  for (const part of [
    ...[snapshot, snapshot.rules, snapshot.permissions, snapshot.permissions.workplace],
    ...[snapshot.hooks, snapshot.hooks.hooks, snapshot.env],
  ]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
  save(session.projectFile, '{ }');
  const other = store.current();
  expect(other.digest).not.toBe(snapshot.digest);
  save(session.projectFile, '{}');
  expect(store.current().digest).toBe(snapshot.digest);
  expect(snapshot.digest).toMatch(/^[0-9a-f]{64}$/);
});

test('the difference between two snapshots names what came and what went, not what moved', () => {
  const session = testSession();
  save(session.userFile, denying('Read', 'Write'));
  const store = session.start();
  const before = store.current();
  const hook = { type: 'command', command: './guard', args: ['-x'], timeout: 2, async: true };
  save(session.userFile, {
    model: 'm',
    permissions: {
      deny: ['Write'],
      ask: ['Read'],
      additionalDirectories: ['.'],
      defaultMode: 'plan',
    },
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }], Stop: [{ hooks: [{ ...hook, args: [] }] }] },
    env: { TOKEN: 'secret' },
    maxStopBlocks: 3,
  });
  const after = store.current();
  expect(differenceBetween(before, after)).toEqual({
    added: [
      'ask Read',
      'hook PreToolUse(Bash) ./guard -x (user, timeoutMs 2000, isAsync true)',
      'hook Stop ./guard (user, timeoutMs 2000, isAsync true)',
      `directory ${session.project}`,
      'mode plan',
      'env TOKEN (user, 2bb80d53)',
      'model m',
      'maxStopBlocks 3',
    ],
    removed: ['deny Read', 'mode default'],
  });
  expect(differenceBetween(before, before)).toEqual({ added: [], removed: [] });
});
