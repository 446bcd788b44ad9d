import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hooked, hooksOf, rulesOf, save, testSession, warningsOf } from './session.ts';

const flags = { claudeSettings: true };
const denying = (...deny: readonly string[]) => ({ permissions: { deny } });

test('Claude Code’s files are read just below ours of the same scope', () => {
  const session = testSession();
  const paths = [
    ...[session.localFile, session.claude.local, session.projectFile, session.claude.project],
    ...[session.userFile, session.claude.user],
  ];
  for (const [index, path] of paths.entries()) save(path, denying(`Bash(n${index})`));
  const snapshot = session.start(flags).current();
  expect(snapshot.sources.slice(1).map(({ path }) => path)).toEqual(paths);
  expect(rulesOf(snapshot)).toEqual(paths.map((_, index) => `deny Bash(n${index})`));
  expect(rulesOf(session.start().current())).toHaveLength(3);
});

test('a rule that is saved there governs the very next look', () => {
  const session = testSession();
  const store = session.start(flags);
  save(session.claude.local, denying('Read'));
  expect(rulesOf(store.current())).toEqual(['deny Read']);
  save(session.claude.local, '{"permissions": {"deny": "Read"}}');
  expect(rulesOf(store.current())).toEqual(['deny Read']);
});

test('/p rules are anchored at ~/.claude for the user, and at the project for a project', () => {
  const session = testSession();
  save(session.claude.user, denying('Read(/u)'));
  save(session.claude.project, denying('Read(/p)'));
  save(session.claude.local, denying('Read(/l)'));
  const { rules } = session.start(flags).current();
  const roots = rules.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'path' ? [part.pattern.root] : [])),
  );
  expect(roots).toEqual([session.project, session.project, join(session.home, '.claude')]);
});

test('the files of a project are as untrusted as ours', () => {
  const session = testSession();
  const content = { permissions: { allow: ['Bash(x)'], deny: ['Read'] }, ...hooked('theirs'), env: { A: 1 } };
  save(session.claude.project, content);
  save(session.claude.local, content);
  const untrusted = session.start(flags).current();
  expect(rulesOf(untrusted)).toEqual(['deny Read', 'deny Read']);
  expect(hooksOf(untrusted)).toEqual([]);
  expect(untrusted.env).toEqual([]);
  expect(untrusted.warnings).toHaveLength(6);
  const trusted = session.start({ ...flags, trustProject: true }).current();
  expect(hooksOf(trusted)).toEqual(['PreToolUse theirs (local)', 'PreToolUse theirs (project)']);
  expect(trusted.hooks.hooks.map(({ source }) => source.dialect)).toEqual(['claude', 'claude']);
  expect(trusted.warnings).toEqual([]);
});

test('keys that are not ours pass in silence, also where they would be told in our files', () => {
  const session = testSession();
  save(session.claude.user, {
    ...{ model: 5, theme: 'dark', colour: 1, modle: 'x', cleanupPeriodDays: -1, statusLine: {} },
    permissions: { bogus: 1, deny: ['Read'] },
    hooks: { Stop: [{ description: 'mine', hooks: [{ type: 'command', command: 'x', cwd: '/' }] }] },
  });
  const snapshot = session.start(flags).current();
  expect(snapshot.warnings).toEqual([]);
  expect(snapshot.model).toBe(undefined);
  expect(hooksOf(snapshot)).toEqual(['Stop x (user)']);
});

test('rules for tools that are not here are told in one line of their file', () => {
  const session = testSession();
  save(session.claude.user, denying('WebSearch', 'Read(x)', 'Skill(a)', 'WebFetch(domain:b)', 'Skill(c)'));
  expect(warningsOf(session.start(flags).current(), session.claude.user)).toEqual([
    '4:7: permissions: 4 rules match nothing, because they are for tools that are not here: WebSearch, Skill, WebFetch. "hookd settings check" tells each.',
  ]);
  save(session.claude.user, denying('Skill(a)'));
  expect(warningsOf(session.start(flags).current(), session.claude.user)).toEqual([
    '4:7: permissions.deny[0]: Skill(a): there is no tool Skill here, so the rule matches nothing.',
  ]);
});

test('what may be a guard that is lost is told, and stops nothing', () => {
  const session = testSession();
  save(
    session.claude.user,
    [
      '{"permissions": {"dfny": ["Read"]},',
      '"deny": ["Read"],',
      '"Hooks": {},',
      '"sandbox": {"enabled": true},',
      '"hooks": {"PreTooluse": [],',
      '  "Bogus": [],',
      '  "Stop": [{"hooks": [{"type": "command", "command": "x", "timout": 1}]}]}}',
    ].join('\n'),
  );
  expect(warningsOf(session.start(flags).current(), session.claude.user)).toEqual([
    '1:18: permissions.dfny: unknown key, ignored. Did you mean "deny"?',
    '2:1: deny: this key belongs inside "permissions", where it would count. Move it to permissions.deny.',
    '3:1: Hooks: unknown key, ignored. Did you mean "hooks"?',
    '4:1: sandbox: not supported yet: commands would run outside the sandbox; ignored.',
    '5:11: hooks.PreTooluse: unknown event, its hooks do not run. Did you mean "PreToolUse"?',
    '6:3: hooks.Bogus: unknown event, its hooks do not run.',
    '7:59: hooks.Stop[0].hooks[0].timout: unknown field, ignored. Did you mean "timeout"?',
  ]);
});

test.each([
  ['deny', '{"permissions": {"deny": "Read"}}'],
  ['syntax', '{// no\n}'],
  ['hooks', '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}}'],
  ['mode', '{"permissions": {"defaultMode": "auto"}}'],
  ['switch', '{"disableAllHooks": "yes"}'],
])('a broken key of ours refuses the file as in ours: %s', (_, content) => {
  const session = testSession();
  save(session.claude.user, content);
  expect(session.problems(flags).map(({ severity, file }) => `${severity} ${file}`)).toEqual([
    `error ${session.claude.user}`,
  ]);
  expect(session.problems()).toEqual([]);
});

describe('PROJECT', () => {
  test('is also the directory with .claude/, when that is read', () => {
    const session = testSession();
    rmSync(join(session.project, '.hookd'), { recursive: true });
    const start = join(session.project, 'sub', 'deep');
    mkdirSync(start, { recursive: true });
    save(join(session.project, 'sub', '.claude', 'settings.json'), denying('Read'));
    const read = session.start(flags, start).current();
    expect(read.permissions.workplace.project).toBe(join(session.project, 'sub'));
    expect(rulesOf(read)).toEqual(['deny Read']);
    expect(session.start({}, start).current().permissions.workplace.project).toBe(session.project);
  });

  test('is never home because of ~/.claude, and started there that file is read once', () => {
    const session = testSession();
    save(session.claude.user, denying('Read'));
    const below = join(session.home, 'a');
    mkdirSync(below);
    expect(session.start(flags, below).current().permissions.workplace.project).toBe(below);
    const atHome = session.start(flags, session.home).current();
    expect(atHome.sources.slice(1).map(({ scope }) => scope)).toEqual(['user']);
    expect(rulesOf(atHome)).toEqual(['deny Read']);
  });
});

test('the user’s file is looked for in $CLAUDE_CONFIG_DIR, when the caller names it', () => {
  const session = testSession();
  const claudeHome = join(session.base, 'config');
  save(join(claudeHome, 'settings.json'), denying('Read'));
  save(session.claude.user, denying('Write'));
  expect(rulesOf(session.start({ ...flags, claudeHome }).current())).toEqual(['deny Read']);
});

describe('without the flag, files that guard something are named once:', () => {
  const told = (files: readonly string[]): string =>
    `These files of Claude Code are not read: ${files.join('; ')}. Start with --claude-settings (or HOOKD_CLAUDE_SETTINGS=1) to read them too.`;

  test('with what they hold', () => {
    const session = testSession();
    save(session.claude.project, { permissions: { deny: ['Read'], ask: ['Bash'] }, ...hooked('x') });
    save(session.claude.local, '{"permissions": {"deny": ["Re');
    save(session.claude.user, hooked('x'));
    const store = session.start();
    expect(session.events).toHaveLength(1);
    expect(store.current().warnings).toEqual([
      told([
        `${session.claude.local} (not valid JSON)`,
        `${session.claude.project} (deny rules, ask rules, hooks)`,
        `${session.claude.user} (hooks)`,
      ]),
    ]);
    save(session.userFile, '{"permissions": {"deny": ["Read"]}}');
    expect(store.current().warnings).toEqual([]);
    save(session.claude.local, '{}');
    expect(session.start(flags).current().warnings.join()).not.toContain('are not read');
  });

  test('also where .claude/ would have been the project', () => {
    const session = testSession();
    const start = join(session.project, 'sub');
    const file = join(start, '.claude', 'settings.json');
    rmSync(join(session.project, '.hookd'), { recursive: true });
    save(file, denying('Read'));
    expect(session.start({}, start).current().warnings).toEqual([told([`${file} (deny rules)`])]);
  });

  test('and those that guard nothing are not', () => {
    const session = testSession();
    save(session.claude.project, { permissions: { deny: [], allow: ['Bash'] }, hooks: {}, model: 'opus' });
    save(session.claude.user, '[]');
    mkdirSync(session.claude.local);
    expect(session.start().current().warnings).toEqual([]);
  });
});

describe('a file that Claude Code leaves out for a wrong value tightens here and does not loosen:', () => {
  const lists =
    '"permissions": {"allow": ["Bash(x)"], "deny": ["Read"], "ask": ["Edit"], "defaultMode": "acceptEdits"}';

  test.each([
    ['"model": ‸5', 'model', 'expected a string, found a number (5)'],
    ['"cleanupPeriodDays": ‸1.5', 'cleanupPeriodDays', 'expected a whole number, found a number (1.5)'],
    ['"cleanupPeriodDays": ‸-1', 'cleanupPeriodDays', 'expected a whole number, found a number (-1)'],
    ['"includeCoAuthoredBy": ‸"no"', 'includeCoAuthoredBy', 'expected a boolean, found a string ("no")'],
    ['"sandbox": ‸"x"', 'sandbox', 'expected an object, found a string ("x")'],
  ])('%s', (marked, key, facts) => {
    const session = testSession();
    const text = `{${lists},\n${marked}}`;
    save(session.claude.user, text.replace('‸', ''));
    const snapshot = session.start(flags).current();
    expect(rulesOf(snapshot)).toEqual(['deny Read', 'ask Edit']);
    expect(snapshot.permissions.mode).toBe('default');
    const column = marked.indexOf('‸') + 1;
    expect(warningsOf(snapshot, session.claude.user)).toContain(
      `2:${column}: ${key}: wrong value, for which Claude Code leaves the whole file out; here its deny and ask rules count, and nothing of it loosens (${facts}).`,
    );
  });

  test('as does one with a hook of the wrong shape, wherever it is', () => {
    const session = testSession();
    save(session.claude.user, `{${lists}, "hooks": {"Stop": [{"hooks": "x"}]}}`);
    expect(rulesOf(session.start(flags).current())).toEqual(['deny Read', 'ask Edit']);
  });

  test('a key that it does not check, or an unknown one, is no reason', () => {
    const session = testSession();
    save(session.claude.user, `{${lists}, "enabledMcpjsonServers": "x", "mine": 5, "hooks": {"Bogus": []}}`);
    expect(rulesOf(session.start(flags).current())).toEqual(['deny Read', 'ask Edit', 'allow Bash(x)']);
  });
});

test('what is given to --settings may be such a file, too', () => {
  const session = testSession();
  const text = '{"permissions": {"allow": ["Bash(x)"], "deny": ["Read"]}, "cleanupPeriodDays": "x"}';
  expect(rulesOf(session.start({ settings: [text] }).current())).toEqual(['deny Read']);
});
