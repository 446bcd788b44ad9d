import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rememberedFile } from '../../src/settings/remembered.ts';
import { hooked, hooksOf, rulesOf, save, type TestSession, testSession } from './session.ts';

function everySource(): TestSession {
  const session = testSession();
  const rules = (name: string) => ({
    permissions: { deny: [`Bash(${name}-d)`], ask: [`Bash(${name}-q)`], allow: [`Bash(${name}-a)`] },
  });
  save(session.userFile, hooked('u', { ...rules('u'), env: { U: '1' }, model: 'mine' }));
  save(session.projectFile, hooked('p', rules('p')));
  save(session.localFile, hooked('l', rules('l')));
  return session;
}

const all = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`deny Bash(${name}-d)`, `ask Bash(${name}-q)`, `allow Bash(${name}-a)`]);

test.each([
  ['user,project,local', all('l', 'p', 'u'), ['u', 'l', 'p']],
  [' local , user ', all('l', 'u'), ['u', 'l']],
  ['user', all('u'), ['u']],
])('--setting-sources %s reads those', (settingSources, rules, hooks) => {
  const snapshot = everySource().start({ settingSources, trustProject: true }).current();
  expect(rulesOf(snapshot)).toEqual(rules);
  expect(hooksOf(snapshot).map((line) => line.split(' ')[1])).toEqual(hooks);
});

test.each(['', 'project', 'local,project'])(
  'left out by --setting-sources "%s", the user’s own file still tightens, and only that',
  (settingSources) => {
    const session = everySource();
    const snapshot = session.start({ settingSources, trustProject: true }).current();
    expect(rulesOf(snapshot).filter((rule) => rule.includes('(u-'))).toEqual([
      'deny Bash(u-d)',
      'ask Bash(u-q)',
    ]);
    expect(hooksOf(snapshot).filter((line) => line.includes('(user)'))).toEqual([]);
    expect(snapshot.model).toBeUndefined();
    expect(snapshot.env).toEqual([]);
    expect(snapshot.warnings).toContain(
      `${session.userFile}: left out by --setting-sources; its deny and ask rules count all the same.`,
    );
  },
);

test('a project that is left out does not even tighten; that is told, and on record', () => {
  const session = everySource();
  const snapshot = session.start({ settingSources: 'user' }).current();
  expect(rulesOf(snapshot)).toEqual(all('u'));
  expect(snapshot.warnings).toEqual(
    [session.localFile, session.projectFile].map(
      (file) => `${file}: left out by --setting-sources; nothing of it counts, its deny rules neither.`,
    ),
  );
  expect(snapshot.sources[0]).toMatchObject({ path: 'flags', text: '{"settingSources":"user"}' });
});

test('to leave out all is on record too, and leaves the command line', () => {
  const session = everySource();
  const settings = ['{"permissions": {"allow": ["Bash(x)"]}}'];
  const snapshot = session.start({ settingSources: '', settings }).current();
  expect(snapshot.sources[0]).toMatchObject({ path: 'flags', text: '{"settingSources":""}' });
  expect(rulesOf(snapshot)).toEqual(['allow Bash(x)', 'deny Bash(u-d)', 'ask Bash(u-q)']);
});

test('another name is an error, with the one that was meant', () => {
  const problems = everySource().problems({ settingSources: 'user,projct,managed' });
  expect(problems.map(({ file, found, nearMiss }) => ({ file, found, nearMiss }))).toEqual([
    { file: '--setting-sources', found: 'a string ("projct")', nearMiss: 'project' },
    { file: '--setting-sources', found: 'a string ("managed")', nearMiss: undefined },
  ]);
});

test('what was approved for good in a start directory is loaded there, with the user’s authority, and nowhere else', () => {
  const session = testSession();
  const remembered = rememberedFile(session.hookdHome, session.project);
  save(remembered, {
    permissions: { allow: ['Bash(npm test)', 'Edit(/src/**)'], defaultMode: 'acceptEdits' },
  });
  save(session.projectFile, { permissions: { deny: ['Bash(npm publish)'] } });
  save(session.userFile, { permissions: { defaultMode: 'plan' } });
  const snapshot = session.start().current();
  expect(rulesOf(snapshot)).toEqual([
    'allow Bash(npm test)',
    'allow Edit(/src/**)',
    'deny Bash(npm publish)',
  ]);
  expect(snapshot.sources.map(({ path }) => path)).toEqual([
    remembered,
    session.projectFile,
    session.userFile,
  ]);
  expect(snapshot.permissions.mode).toBe('acceptEdits');
  const [, edit] = snapshot.rules;
  expect(edit?.parts.map((part) => (part.kind === 'path' ? part.pattern.root : undefined))).toEqual([
    session.project,
  ]);

  const other = join(session.base, 'work', 'other');
  mkdirSync(join(other, '.hookd'), { recursive: true });
  expect(rulesOf(session.start({}, other).current())).toEqual([]);
});
