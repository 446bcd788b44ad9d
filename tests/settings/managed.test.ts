import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { variablesFor } from '../../src/settings/environment.ts';
import { SYSTEM_MANAGED, whyNotGuarded } from '../../src/settings/managed.ts';
import { hooked, hooksOf, rulesOf, save, type TestSession, testSession } from './session.ts';

const SRC = resolve(import.meta.dirname, '../../src');
const denying = (...deny: readonly string[]) => ({ permissions: { deny } });
const allowing = (...allow: readonly string[]) => ({ permissions: { allow } });
const pathsOf = (session: TestSession, flags = {}): readonly string[] =>
  session
    .start(flags)
    .current()
    .sources.map(({ path }) => path.replace(`${session.base}/`, ''));

describe('managed settings stand above all others:', () => {
  test('their files come first: drop-ins from the last name to the first, then the file, then Claude Code’s', () => {
    const session = testSession();
    const { managed } = session;
    for (const name of ['10-a.json', '20-b.json', '.hidden.json', 'README'])
      save(join(managed.dropIns, name), '{}');
    save(managed.file, '{}');
    save(managed.claude, '{}');
    save(join(managed.claudeDirectory, 'managed-settings.d', 'x.json'), '{}');
    save(session.userFile, '{}');
    const own = [
      'etc/hookd/managed-settings.d/20-b.json',
      'etc/hookd/managed-settings.d/10-a.json',
      'etc/hookd/managed-settings.json',
    ];
    expect(pathsOf(session)).toEqual([...own, 'home/.hookd/settings.json']);
    expect(pathsOf(session, { claudeSettings: true, settings: ['{}'] })).toEqual([
      'flags',
      ...own,
      'etc/claude-code/managed-settings.d/x.json',
      'etc/claude-code/managed-settings.json',
      '--settings',
      'home/.hookd/settings.json',
    ]);
  });

  test('of a single value theirs counts, before any flag, which is told', () => {
    const session = testSession();
    save(session.managed.file, { model: 'one', maxTurns: 5, maxTokens: 6, maxStopBlocks: 7 });
    save(join(session.managed.dropIns, 'a.json'), { model: 'two' });
    save(session.userFile, { model: 'mine', maxTokens: 1, maxStopBlocks: 2 });
    const { model, maxTurns, maxTokens, maxStopBlocks, warnings } = session
      .start({ model: 'typed', maxTurns: 100, settings: ['{"model": "also typed"}'] })
      .current();
    expect({ model, maxTurns, maxTokens, maxStopBlocks }).toEqual({
      ...{ model: 'two', maxTurns: 5, maxTokens: 6, maxStopBlocks: 7 },
    });
    expect(warnings).toEqual([
      '--model: managed settings say "two"; the flag does not count.',
      '--max-turns: managed settings say 5; the flag does not count.',
    ]);
  });

  test('their rules, hooks and variables count, hooks first', () => {
    const session = testSession();
    save(session.managed.file, hooked('theirs', { ...denying('Bash(rm *)'), env: { V: 'managed' } }));
    save(session.userFile, hooked('mine', { env: { V: 'user' } }));
    const settings = [JSON.stringify({ ...hooked('typed'), env: { V: 'typed' } })];
    const snapshot = session.start({ settings }).current();
    expect(rulesOf(snapshot)).toEqual(['deny Bash(rm *)']);
    expect(hooksOf(snapshot)).toEqual([
      'PreToolUse theirs (managed)',
      'PreToolUse typed (command-line)',
      'PreToolUse mine (user)',
    ]);
    expect(variablesFor('tools', snapshot.env)).toEqual({ V: 'managed' });
    expect(variablesFor('managed', snapshot.env)).toEqual({ V: 'managed' });
  });

  test('disableAllHooks of anybody else leaves their hooks on; theirs reaches all', () => {
    const session = testSession();
    save(session.managed.file, hooked('theirs'));
    save(session.userFile, hooked('mine', { disableAllHooks: true }));
    const settings = ['{"disableAllHooks": true}'];
    expect(hooksOf(session.start({ settings }).current())).toEqual(['PreToolUse theirs (managed)']);
    save(session.managed.file, hooked('theirs', { disableAllHooks: true }));
    expect(hooksOf(session.start().current())).toEqual([]);
  });

  test.each([
    ['plan', { permissionMode: 'acceptEdits' }, 'plan'],
    ['default', { permissionMode: 'bypassPermissions' }, 'default'],
    ['default', { settings: ['{"permissions": {"defaultMode": "acceptEdits"}}'] }, 'default'],
    ['default', { permissionMode: 'plan' }, 'plan'],
    ['acceptEdits', {}, 'acceptEdits'],
    ['acceptEdits', { permissionMode: 'default' }, 'default'],
  ])('with managed mode %s, %o gives %s', (defaultMode, flags, expected) => {
    const session = testSession();
    save(session.managed.file, { permissions: { defaultMode } });
    const { permissions, warnings } = session.start(flags).current();
    expect(permissions.mode).toBe(expected);
    const isRefused = Object.keys(flags).length > 0 && expected === defaultMode;
    expect(warnings.filter((line) => line.includes('would loosen the mode'))).toHaveLength(isRefused ? 1 : 0);
  });

  test('neither the user nor a trusted project loosens their mode', () => {
    const session = testSession();
    save(session.managed.file, { permissions: { defaultMode: 'dontAsk' } });
    save(session.userFile, { permissions: { defaultMode: 'bypassPermissions' } });
    save(session.projectFile, { permissions: { defaultMode: 'acceptEdits' } });
    expect(session.start({ trustProject: true }).current().permissions.mode).toBe('dontAsk');
  });

  test('disableBypassPermissionsMode holds against the flag', () => {
    const session = testSession();
    save(session.managed.file, { permissions: { disableBypassPermissionsMode: 'disable' } });
    expect(session.start({ permissionMode: 'bypassPermissions' }).current().permissions.mode).toBe('default');
  });
});

describe('pins:', () => {
  test.each(['allowManagedRulesOnly', 'allowManagedPermissionRulesOnly'])(
    '%s leaves the allow rules of managed settings alone, and everybody’s deny and ask rules',
    (pin) => {
      const session = testSession();
      save(session.managed.file, { [pin]: true, ...allowing('Bash(ls)') });
      save(session.userFile, {
        permissions: {
          allow: ['Bash(make)'],
          ask: ['Bash(a)'],
          deny: ['Bash(b)'],
          disableBuiltinRules: ['sudo'],
        },
      });
      save(session.projectFile, allowing('Bash(c)'));
      const settings = [JSON.stringify(allowing('Bash(d)'))];
      const snapshot = session
        .start({ settings, trustProject: true, allowedTools: ['Bash(e)'], disallowedTools: ['Bash(f)'] })
        .current();
      expect(rulesOf(snapshot)).toEqual(['deny Bash(f)', 'allow Bash(ls)', 'deny Bash(b)', 'ask Bash(a)']);
      expect([...snapshot.permissions.disabledBuiltins]).toEqual([]);
      expect(snapshot.warnings).toEqual([
        `${session.managed.file}:2:3: 4 allow rules of other settings do not count here.`,
      ]);
    },
  );

  test('allowManagedHooksOnly leaves the hooks of managed settings alone', () => {
    const session = testSession();
    save(session.managed.file, hooked('theirs', { allowManagedHooksOnly: true }));
    save(session.userFile, hooked('mine'));
    const snapshot = session.start({ settings: [JSON.stringify(hooked('typed'))] }).current();
    expect(hooksOf(snapshot)).toEqual(['PreToolUse theirs (managed)']);
    expect(snapshot.warnings).toEqual([
      `${session.managed.file}:14:3: 2 hooks of other settings do not count here.`,
    ]);
  });

  test('in any other file they do nothing, which is told', () => {
    const session = testSession();
    const pins = {
      allowManagedRulesOnly: true,
      allowManagedPermissionRulesOnly: true,
      allowManagedHooksOnly: true,
    };
    save(session.userFile, hooked('mine', { ...pins, ...allowing('Bash(ls)') }));
    const snapshot = session.start().current();
    expect(rulesOf(snapshot)).toEqual(['allow Bash(ls)']);
    expect(hooksOf(snapshot)).toEqual(['PreToolUse mine (user)']);
    expect(snapshot.warnings.map((line) => line.replace(/^.*?: /, ''))).toEqual(
      Object.keys(pins).map((pin) => `${pin}: ignored: it counts in managed settings only.`),
    );
  });
});

describe('a session does not start where others could have written managed settings:', () => {
  const isRoot = process.getuid?.() === 0;
  const cases: readonly (readonly [string, (session: TestSession) => void, RegExp])[] = [
    ['the file may be written by its group', ({ managed }) => chmodSync(managed.file, 0o664), /mode 664/],
    ['the file may be written by all', ({ managed }) => chmodSync(managed.file, 0o646), /mode 646/],
    ['the directory may', ({ managed }) => chmodSync(managed.directory, 0o777), /mode 777/],
    ['a directory further up may', ({ base }) => chmodSync(join(base, 'etc'), 0o777), /mode 777/],
    [
      'the file is a link to one that may',
      ({ base, managed }) => {
        writeFileSync(join(base, 'elsewhere'), '{}');
        chmodSync(join(base, 'elsewhere'), 0o666);
        rmSync(managed.file);
        symlinkSync(join(base, 'elsewhere'), managed.file);
      },
      /elsewhere \(mode 666\)/,
    ],
    [
      'a drop-in may',
      ({ managed }) => {
        save(join(managed.dropIns, 'a.json'), '{}');
        chmodSync(join(managed.dropIns, 'a.json'), 0o666);
      },
      /a\.json \(mode 666\)/,
    ],
    [
      'the directory of drop-ins may, though it is empty',
      ({ managed }) => {
        mkdirSync(managed.dropIns);
        chmodSync(managed.dropIns, 0o777);
      },
      /managed-settings\.d \(mode 777\)/,
    ],
    [
      'a link on the way to it lies where others may write',
      ({ base, managed }) => {
        const [open, target] = [join(base, 'open'), join(managed.directory, 'real')];
        mkdirSync(open);
        chmodSync(open, 0o777);
        writeFileSync(target, '{}');
        symlinkSync(target, join(open, 'link'));
        rmSync(managed.file);
        symlinkSync(join(open, 'link'), managed.file);
      },
      /open \(mode 777\)/,
    ],
    [
      'the file is a directory',
      ({ managed }) => {
        rmSync(managed.file);
        mkdirSync(managed.file);
      },
      /it is a directory/,
    ],
    ['the drop-ins are a file', ({ managed }) => writeFileSync(managed.dropIns, ''), /cannot be listed/],
    ['it is broken', ({ managed }) => writeFileSync(managed.file, '{'), /managed-settings\.json:1:2/],
  ];
  test.each(cases)('%s', (_name, harm, told) => {
    const session = testSession();
    save(session.managed.file, denying('Bash(rm *)'));
    expect(session.problems()).toEqual([]);
    harm(session);
    const problems = session.problems();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity: 'error' });
    expect(
      `${problems[0]?.file}:${problems[0]?.line}:${problems[0]?.column} ${problems[0]?.message}`,
    ).toMatch(told);
  });

  test.runIf(isRoot)('it belongs to somebody else', () => {
    const session = testSession();
    save(session.managed.file, '{}');
    chownSync(session.managed.file, 65534, 65534);
    expect(session.problems().map(({ message }) => message)).toEqual([
      `the settings file cannot be used: ${session.managed.file} belongs to user 65534, not to root`,
    ]);
  });

  test('while one runs, the last good content stays in force and the reason is told once', () => {
    const session = testSession();
    save(session.managed.file, denying('Bash(rm *)'));
    const store = session.start();
    save(session.managed.file, '{}');
    chmodSync(session.managed.file, 0o666);
    for (let look = 0; look < 3; look++) expect(rulesOf(store.current())).toEqual(['deny Bash(rm *)']);
    expect(session.events.map(({ kind }) => kind)).toEqual(['loaded', 'rejected']);
    chmodSync(session.managed.file, 0o644);
    expect(rulesOf(store.current())).toEqual([]);
  });

  test('in a directory with the sticky bit nobody can replace what is another one’s', () => {
    const { base, managed } = testSession();
    save(managed.file, '{}');
    chmodSync(base, 0o1777);
    expect(whyNotGuarded(managed.file, managed.owner)).toBeUndefined();
  });
});

test('a drop-in that is saved while a session runs governs the next call, in its place', () => {
  const session = testSession();
  const { dropIns } = session.managed;
  save(session.managed.file, { model: 'file' });
  const store = session.start();
  save(join(dropIns, '50.json'), { ...denying('Bash(rm *)'), model: 'fifty' });
  expect(rulesOf(store.current())).toEqual(['deny Bash(rm *)']);
  save(join(dropIns, '90.json'), { model: 'ninety' });
  save(join(dropIns, '10.json'), { model: 'ten' });
  expect(store.current().model).toBe('ninety');
  rmSync(join(dropIns, '90.json'));
  expect(store.current().model).toBe('ninety');
  session.clock.aheadMs += 2000;
  expect(store.current().model).toBe('fifty');
  expect(rulesOf(store.current())).toEqual(['deny Bash(rm *)']);
});

test('nothing that a user can set leads to other managed settings', () => {
  expect(SYSTEM_MANAGED).toEqual({ directory: '/etc/hookd', claudeDirectory: '/etc/claude-code', owner: 0 });
  const session = testSession();
  save(session.managed.file, denying('Bash(rm *)'));
  const escapes = [
    { settingSources: '' },
    { trustProject: true },
    { settings: ['{"permissions": {"deny": []}}'] },
  ];
  for (const flags of escapes) expect(rulesOf(session.start(flags).current())).toEqual(['deny Bash(rm *)']);
  const readers = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && readFileSync(join(SRC, name), 'utf8').includes('/etc/hookd'))
    .map((name) => name);
  expect(readers).toEqual(['settings/managed.ts']);
});
