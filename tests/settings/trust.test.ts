import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectState } from '../../src/settings/project-state.ts';
import { SettingsStore } from '../../src/settings/store.ts';
import { readTrust, removeTrust, trustedProjects, writeTrust } from '../../src/settings/trust-file.ts';
import { hooked, hooksOf, rulesOf, save, type TestSession, testSession, warningsOf } from './session.ts';

const everything = {
  permissions: {
    allow: ['Bash(make *)'],
    ask: ['Bash(git push *)'],
    deny: ['Bash(rm *)'],
    additionalDirectories: ['more'],
    defaultMode: 'acceptEdits',
  },
  ...hooked('theirs'),
  env: { COLOUR: 'blue' },
};

describe.each(['projectFile', 'localFile'] as const)('%s:', (file) => {
  const scope = file === 'projectFile' ? 'project' : 'local';

  test('untrusted, only its deny and ask rules count, and what does not is told', () => {
    const session = testSession();
    mkdirSync(join(session.project, 'more'));
    save(session[file], everything);
    const snapshot = session.start().current();
    expect(rulesOf(snapshot)).toEqual(['deny Bash(rm *)', 'ask Bash(git push *)']);
    expect(hooksOf(snapshot)).toEqual([]);
    expect(snapshot.env).toEqual([]);
    expect(snapshot.permissions.mode).toBe('default');
    expect(snapshot.permissions.workplace.directories).toEqual([]);
    const keys = warningsOf(snapshot, session[file]).map((warning) => warning.split(' ')[1]);
    expect(keys).toEqual([
      'permissions.allow:',
      'permissions.additionalDirectories:',
      'permissions.defaultMode:',
      'hooks:',
      'env:',
    ]);
  });

  test('trusted, what it loosens counts too', () => {
    const session = testSession();
    mkdirSync(join(session.project, 'more'));
    save(session[file], everything);
    const snapshot = session.start({ trustProject: true }).current();
    expect(rulesOf(snapshot)).toEqual(['deny Bash(rm *)', 'ask Bash(git push *)', 'allow Bash(make *)']);
    expect(hooksOf(snapshot)).toEqual([`PreToolUse theirs (${scope})`]);
    expect(snapshot.env).toEqual([{ scope, values: { COLOUR: 'blue' } }]);
    expect(snapshot.permissions.mode).toBe('acceptEdits');
    expect(snapshot.permissions.workplace.directories).toEqual([join(session.project, 'more')]);
    expect(snapshot.warnings).toEqual([]);
  });

  test('hooks that do not fit stop no session while they do not count', () => {
    const session = testSession();
    save(session[file], '{"permissions": {"deny": ["Read"]}, "hooks": {"PreToolUse": [{"hooks": 5}]}}');
    expect(rulesOf(session.start().current())).toEqual(['deny Read']);
    expect(session.problems({ trustProject: true }).map(({ key }) => key)).toEqual([
      'hooks.PreToolUse[0].hooks',
    ]);
  });

  test('trusted or not, it never sets the model, limits or built-in rules', () => {
    const session = testSession();
    save(session[file], {
      ...{ model: 'theirs', maxTurns: 1, maxTokens: 2, maxStopBlocks: 3 },
      permissions: { disableBuiltinRules: ['sudo'] },
    });
    for (const trustProject of [false, true]) {
      const snapshot = session.start({ trustProject }).current();
      const { model, maxTurns, maxTokens, maxStopBlocks, permissions, warnings } = snapshot;
      expect({ model, maxTurns, maxTokens, maxStopBlocks }).toEqual({});
      expect([...permissions.disabledBuiltins]).toEqual([]);
      expect(warnings).toHaveLength(5);
      expect(warnings.every((line) => line.endsWith('a project cannot set this, trusted or not.'))).toBe(
        true,
      );
    }
  });
});

test('a hook that an untrusted project saves while a session runs is not in force either', () => {
  const session = testSession();
  const store = session.start();
  save(session.projectFile, hooked('theirs'));
  save(session.localFile, hooked('theirs'));
  expect(hooksOf(store.current())).toEqual([]);
  expect(store.current().warnings).toHaveLength(2);
});

test('trust is part of the policy: the digest tells it', () => {
  const session = testSession();
  const untrusted = session.start({ trustProject: false, claudeSettings: false }).current();
  expect(untrusted.sources).toEqual([]);
  const trusted = session.start({ trustProject: true }).current();
  expect(trusted.sources[0]).toMatchObject({ path: 'flags', text: '{"trustProject":true}' });
  expect(trusted.digest).not.toBe(untrusted.digest);
});

test('the local file wins over the project’s, and its rules have the project as their root', () => {
  const session = testSession();
  save(session.projectFile, { permissions: { defaultMode: 'acceptEdits', deny: ['Read(/p)'] } });
  save(session.localFile, { permissions: { defaultMode: 'dontAsk', deny: ['Read(/l)'] } });
  const { permissions, rules, sources } = session.start({ trustProject: true }).current();
  expect(permissions.mode).toBe('dontAsk');
  expect(sources.slice(1).map(({ scope }) => scope)).toEqual(['local', 'project']);
  const roots = rules.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'path' ? [part.pattern.root] : [])),
  );
  expect(roots).toEqual([session.project, session.project]);
});

describe('trust that a person wrote down', () => {
  const stateOf = ({ hookdHome, project }: TestSession) => projectState(hookdHome, project);
  const trust = (session: TestSession): void =>
    writeTrust(stateOf(session), { project: session.project, since: new Date().toISOString(), files: {} });

  test('counts from the next call on, also what the files say later, and is part of the policy', () => {
    const session = testSession();
    save(session.projectFile, everything);
    const store = session.start();
    const before = store.current();
    trust(session);
    const after = store.current();
    expect(rulesOf(after)).toEqual(['deny Bash(rm *)', 'ask Bash(git push *)', 'allow Bash(make *)']);
    expect(hooksOf(after)).toEqual(['PreToolUse theirs (project)']);
    expect(after.permissions.mode).toBe('acceptEdits');
    expect(after.sources.map(({ path }) => path)).toEqual([session.projectFile, stateOf(session).trust]);
    expect(after.digest).not.toBe(before.digest);
    save(session.localFile, hooked('later'));
    expect(hooksOf(store.current())).toEqual(['PreToolUse later (local)', 'PreToolUse theirs (project)']);
    expect(hooksOf(session.start().current())).toHaveLength(2);
  });

  test('taken back, nothing of it outlasts the next call', () => {
    const session = testSession();
    save(session.projectFile, everything);
    trust(session);
    const store = session.start();
    expect(hooksOf(store.current())).toHaveLength(1);
    expect(removeTrust(stateOf(session))).toBe(true);
    const after = store.current();
    expect(rulesOf(after)).toEqual(['deny Bash(rm *)', 'ask Bash(git push *)']);
    expect([hooksOf(after), after.env, after.permissions.mode]).toEqual([[], [], 'default']);
    expect(removeTrust(stateOf(session))).toBe(false);
  });

  test('taken back while a change waits for those who may refuse it, nothing of it outlasts the next call', () => {
    const { hookdHome, home, project, projectFile } = testSession();
    const state = projectState(hookdHome, project);
    save(projectFile, { permissions: { allow: ['Bash(old)'] } });
    writeTrust(state, { project, since: '', files: {} });
    const never = { waitsFor: () => true, ask: () => new Promise<undefined>(() => {}) };
    const options = { startDirectory: project, home, hookdHome, onEvent: () => {}, review: never };
    const opened = SettingsStore.open(options);
    if (!opened.ok) throw new Error('the settings are fine');
    const { store } = opened;
    save(projectFile, { permissions: { allow: ['Bash(new)'], deny: ['Bash(no)'] } });
    expect(rulesOf(store.current())).toEqual(['allow Bash(old)', 'deny Bash(no)']);
    removeTrust(state);
    for (let look = 0; look < 3; look++) expect(rulesOf(store.current())).toEqual(['deny Bash(no)']);
  });

  test('of files that have errors when they count nothing counts, and the errors are told once', () => {
    const session = testSession();
    save(
      session.projectFile,
      '{"permissions": {"deny": ["Read"], "allow": ["Bash"]}, "hooks": {"PreToolUse": 5}}',
    );
    const store = session.start();
    trust(session);
    for (let look = 0; look < 3; look++) expect(rulesOf(store.current())).toEqual(['deny Read']);
    expect(session.events.filter(({ kind }) => kind === 'rejected')).toHaveLength(1);
  });

  test.each([
    ['broken', 'nonsense'],
    ['of another program', '{"trusted": true}'],
    ['about another project', JSON.stringify({ version: 1, project: '/elsewhere', since: '', files: {} })],
  ])('that is %s is none, and that is told', (_name, content) => {
    const session = testSession();
    save(session.projectFile, { permissions: { allow: ['Bash(x)'] } });
    trust(session);
    writeFileSync(stateOf(session).trust, content);
    expect(readTrust(stateOf(session), session.project).kind).toBe('unusable');
    const { warnings, rules } = session.start().current();
    expect(rules).toEqual([]);
    expect(warnings.at(-1)).toMatch(/trust\.json: .*; the project is not trusted\.$/);
    expect(trustedProjects(session.hookdHome)).toEqual([]);
  });

  test('does not go with the files: a project at another path is another one', () => {
    const session = testSession();
    trust(session);
    const other = join(session.base, 'work', 'other');
    save(join(other, '.hookd', 'settings.json'), { permissions: { allow: ['Bash(x)'] } });
    expect(rulesOf(session.start({}, other).current())).toEqual([]);
    expect(trustedProjects(session.hookdHome).map(({ project }) => project)).toEqual([session.project]);
    rmSync(stateOf(session).trust);
    expect(trustedProjects(session.hookdHome)).toEqual([]);
  });
});
