import { chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProject } from '../../src/settings/project.ts';
import { rulesOf, save, testSession, warningsOf } from './session.ts';

const user = process.getuid?.();

/** Makes the directories and says which of them is PROJECT, relative to the base. */
function projectOf(
  directories: readonly string[],
  start: string,
  places: { readonly home?: string; readonly hookdHome?: string } = {},
): string {
  const { base } = testSession();
  const at = (path: string): string => join(base, 'tree', path);
  for (const path of [...directories, start]) mkdirSync(at(path), { recursive: true });
  const home = at(places.home ?? 'home');
  const hookdHome = places.hookdHome === undefined ? join(home, '.hookd') : at(places.hookdHome);
  return findProject({ start: at(start), home, hookdHome, user }).replace(`${base}/tree/`, '');
}

describe('PROJECT is', () => {
  test('the nearest ancestor with .hookd/', () => {
    expect(projectOf(['p/.git', 'p/.hookd', 'p/a/.hookd'], 'p/a/b')).toBe('p/a');
    expect(projectOf(['p/.git', 'p/.hookd'], 'p/a/b')).toBe('p');
    expect(projectOf(['p/.hookd'], 'p/a/b')).toBe('p');
    expect(projectOf(['p/.hookd'], 'p')).toBe('p');
  });

  test('never above the git root', () => {
    expect(projectOf(['p/.hookd', 'p/repo/.git'], 'p/repo/a')).toBe('p/repo');
  });

  test('the git root when there is no .hookd/, the start directory when there is neither', () => {
    expect(projectOf(['p/.git'], 'p/a/b')).toBe('p');
    expect(projectOf([], 'p/a/b')).toBe('p/a/b');
  });

  test('never home, although .hookd/ stands there, nor the parent of $HOOKD_HOME', () => {
    expect(projectOf(['home/.hookd'], 'home/a/b')).toBe('home/a/b');
    expect(projectOf(['opt/.hookd'], 'opt/a/b', { hookdHome: 'opt/.hookd' })).toBe('opt/a/b');
    expect(projectOf(['home/.hookd'], 'home')).toBe('home');
  });

  test('never a home that is under git', () => {
    expect(projectOf(['home/.git', 'home/.hookd'], 'home/a/b')).toBe('home/a/b');
  });

  test('never a file that is called .hookd', () => {
    const { base } = testSession();
    mkdirSync(join(base, 'p', 'a'), { recursive: true });
    writeFileSync(join(base, 'p', '.hookd'), '');
    const start = join(base, 'p', 'a');
    expect(
      findProject({ start, home: join(base, 'home'), hookdHome: join(base, 'home', '.hookd'), user }),
    ).toBe(start);
  });

  // Giving a directory away needs root.
  test.runIf(user === 0)('never a directory of another user', () => {
    const { base } = testSession();
    const at = (path: string): string => join(base, 'tree', path);
    const find = (start: string): string =>
      findProject({ start: at(start), home: at('home'), hookdHome: at('home/.hookd'), user }).replace(
        `${at('')}/`,
        '',
      );
    for (const path of [
      'theirs/.hookd',
      'theirs/a',
      'mine/.hookd',
      'mine/a',
      'left/.git',
      'left/a',
      'checkout/.git',
      'checkout/a',
    ]) {
      mkdirSync(at(path), { recursive: true });
    }
    chownSync(at('theirs'), 65534, 65534);
    chownSync(at('mine/.hookd'), 65534, 65534);
    chownSync(at('left'), 65534, 65534);
    chownSync(at('checkout'), 65534, 65534);
    chownSync(at('checkout/a'), 65534, 65534);
    expect(find('theirs/a')).toBe('theirs/a');
    expect(find('mine/a')).toBe('mine/a');
    expect(find('left/a')).toBe('left/a');
    // A checkout that belongs to its owner as a whole, as in a container.
    expect(find('checkout/a')).toBe('checkout');
  });
});

test('started in a subdirectory, the rules of the project count', () => {
  const session = testSession();
  const start = join(session.project, 'src', 'deep');
  mkdirSync(start, { recursive: true });
  save(session.projectFile, { permissions: { deny: ['Read(/secret)'] } });
  const { permissions, rules } = session.start({}, start).current();
  expect(permissions.workplace).toEqual({
    ...{ project: session.project, cwd: start, home: session.home, hookdHome: session.hookdHome },
    directories: [],
    policyFiles: [session.projectFile],
  });
  expect(rules).toHaveLength(1);
});

test('all places have their links resolved, $HOOKD_HOME as far as it exists', () => {
  const session = testSession();
  const link = join(session.base, 'link');
  symlinkSync(dirname(session.project), link);
  const { workplace } = session.start({}, join(link, 'project')).current().permissions;
  expect(workplace.cwd).toBe(session.project);
  expect(workplace.project).toBe(session.project);
});

test('started at home, the file of the user is not read a second time as that of a project', () => {
  const session = testSession();
  save(session.userFile, { permissions: { allow: ['Bash(ls)'] } });
  const snapshot = session.start({}, session.home).current();
  expect(snapshot.sources.map(({ scope }) => scope)).toEqual(['user']);
  expect(snapshot.warnings).toEqual([]);
  expect(rulesOf(snapshot)).toEqual(['allow Bash(ls)']);
});

test('an untrusted project only tightens: its deny and ask rules count, all else is told and ignored', () => {
  const session = testSession();
  save(session.userFile, { permissions: { deny: ['Read'] }, maxTurns: 3 });
  save(
    session.projectFile,
    [
      '{',
      '"permissions": {',
      '  "allow": ["Bash"],',
      '  "ask": ["Bash(git push:*)"],',
      '  "deny": ["Bash(rm:*)"],',
      '  "additionalDirectories": ["/"],',
      '  "defaultMode": "bypassPermissions",',
      '  "disableBuiltinRules": ["sudo"]',
      '},',
      '"model": "theirs", "maxTurns": 99, "maxTokens": 1,',
      '"hooks": {"PreToolUse": [{}]},',
      '"env": {"PATH": "/evil"}',
      '}',
    ].join('\n'),
  );
  const snapshot = session.start().current();
  expect(rulesOf(snapshot)).toEqual(['deny Bash(rm:*)', 'ask Bash(git push:*)', 'deny Read']);
  expect(snapshot.permissions.mode).toBe('default');
  expect(snapshot.permissions.workplace.directories).toEqual([]);
  expect([...snapshot.permissions.disabledBuiltins]).toEqual([]);
  const { model, maxTurns, maxTokens } = snapshot;
  expect({ model, maxTurns, maxTokens }).toEqual({ model: undefined, maxTurns: 3, maxTokens: undefined });
  expect(snapshot.hooks.hooks).toEqual([]);
  expect(snapshot.env).toEqual([]);
  const ignored = 'ignored until this project is trusted (hookd trust)';
  const never = 'ignored: a project cannot set this, trusted or not';
  expect(warningsOf(snapshot, session.projectFile)).toEqual([
    `3:3: permissions.allow: ${ignored}.`,
    `6:3: permissions.additionalDirectories: ${ignored}.`,
    `7:3: permissions.defaultMode: ${ignored}.`,
    `8:3: permissions.disableBuiltinRules: ${never}.`,
    `10:1: model: ${never}.`,
    `10:20: maxTurns: ${never}.`,
    `10:36: maxTokens: ${never}.`,
    '11:1: hooks: none of these hooks runs until this project is trusted (hookd trust).',
    `12:1: env: ${ignored}.`,
  ]);
});

test('each rule keeps where it was written, and /p is anchored at the directory of its file', () => {
  const session = testSession();
  const more = join(session.base, 'more', 'm.json');
  save(session.userFile, '{"permissions": {"deny": ["Read(/u)"]}}');
  save(session.projectFile, '{"permissions":\n {"deny": ["Read(/p)"]}}');
  save(more, '{\n"permissions": {"deny": [\n"Read(/f)"]}}');
  const flags = {
    settings: [more, '{"permissions": {"deny": ["Read(/i)"]}}'],
    disallowedTools: ['Read(/d)'],
  };
  const start = join(session.project, 'sub');
  mkdirSync(start);
  const { rules } = session.start(flags, start).current();
  const list = 'deny';
  expect(rules.map(({ source }) => source)).toEqual([
    { text: 'Read(/d)', list, file: '--disallowedTools', line: 1, column: 1 },
    { text: 'Read(/i)', list, file: '--settings', line: 1, column: 27 },
    { text: 'Read(/f)', list, file: more, line: 3, column: 1 },
    { text: 'Read(/p)', list, file: session.projectFile, line: 2, column: 12 },
    { text: 'Read(/u)', list, file: session.userFile, line: 1, column: 27 },
  ]);
  const roots = rules.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'path' ? [part.pattern.root] : [])),
  );
  expect(roots).toEqual([start, start, dirname(more), session.project, session.hookdHome]);
});
