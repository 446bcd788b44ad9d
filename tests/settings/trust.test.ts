import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hooked, hooksOf, rulesOf, save, testSession, warningsOf } from './session.ts';

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
