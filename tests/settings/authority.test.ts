import { describe, expect, test } from 'vitest';
import { hooked, hooksOf, rulesOf, save, type TestSession, testSession } from './session.ts';

const scopes = ['command-line', 'user', 'local', 'project'] as const;
type Scope = (typeof scopes)[number];

/** One hook in every scope, and what else each scope says; the project is trusted. */
function everyScope(more: Partial<Record<Scope, object>> = {}): TestSession & { settings: string[] } {
  const session = testSession();
  save(session.userFile, hooked('x', more.user));
  save(session.localFile, hooked('x', more.local));
  save(session.projectFile, hooked('x', more.project));
  return { ...session, settings: [JSON.stringify(hooked('x', more['command-line']))] };
}

const startOf = (session: ReturnType<typeof everyScope>) =>
  session.start({ settings: session.settings, trustProject: true }).current();

test('hooks stand in the order of authority, then of the files, then as they were written', () => {
  const session = testSession();
  const group = (...commands: readonly string[]) => ({
    hooks: commands.map((command) => ({ type: 'command', command })),
  });
  save(session.userFile, { hooks: { Stop: [group('u1')], PreToolUse: [group('u2', 'u3'), group('u4')] } });
  save(session.claude.user, { hooks: { PreToolUse: [group('uc')] } });
  save(session.localFile, hooked('l'));
  save(session.claude.local, hooked('lc'));
  save(session.projectFile, hooked('p'));
  save(session.claude.project, hooked('pc'));
  const settings = [JSON.stringify(hooked('first')), JSON.stringify(hooked('second'))];
  const { hooks } = session.start({ settings, trustProject: true, claudeSettings: true }).current();
  const names = hooks.hooks.map(({ handler }) => handler.type === 'command' && handler.command);
  expect(names).toEqual(['second', 'first', 'u1', 'u2', 'u3', 'u4', 'uc', 'l', 'lc', 'p', 'pc']);
});

test('a hook that a lower authority repeats with other fields stays as the higher one wrote it', () => {
  const session = testSession();
  const guard = { type: 'command', command: './guard' };
  const withFields = (fields: object) => ({ hooks: { PreToolUse: [{ hooks: [{ ...guard, ...fields }] }] } });
  save(session.userFile, withFields({}));
  save(
    session.projectFile,
    withFields({ async: true, timeout: 0.001, if: 'Bash(zzz)', onFailure: 'continue' }),
  );
  const { hooks } = session.start({ trustProject: true }).current();
  expect(
    hooks.hooks.map(({ isAsync, timeoutMs, condition, onFailure, source }) => {
      return { isAsync, timeoutMs, condition, onFailure, scope: source.scope };
    }),
  ).toEqual([
    { isAsync: false, timeoutMs: undefined, condition: undefined, onFailure: undefined, scope: 'user' },
    { isAsync: true, timeoutMs: 1, condition: 'Bash(zzz)', onFailure: 'continue', scope: 'project' },
  ]);
});

describe('disableAllHooks reaches its own authority and below:', () => {
  test.each<[Scope, readonly Scope[], string]>([
    ['command-line', [], '4 hooks are switched off'],
    ['user', ['command-line'], '3 hooks are switched off, 1 hook is of higher authority not reached'],
    [
      'local',
      ['command-line', 'user'],
      '2 hooks are switched off, 2 hooks are of higher authority not reached',
    ],
    [
      'project',
      ['command-line', 'user', 'local'],
      '1 hook is switched off, 3 hooks are of higher authority not reached',
    ],
  ])('in the %s settings', (scope, left, told) => {
    const session = everyScope({ [scope]: { disableAllHooks: true } });
    const snapshot = startOf(session);
    expect(hooksOf(snapshot)).toEqual(left.map((one) => `PreToolUse x (${one})`));
    expect(snapshot.warnings).toHaveLength(1);
    expect(snapshot.warnings[0]).toMatch(new RegExp(`:\\d+:\\d+: disableAllHooks: ${told}\\.$`));
  });

  test('several switches reach what each of them reaches', () => {
    const session = everyScope({ user: { disableAllHooks: true }, project: { disableAllHooks: true } });
    expect(hooksOf(startOf(session))).toEqual(['PreToolUse x (command-line)']);
  });

  test('false switches nothing, and nothing on that another one switched off', () => {
    expect(hooksOf(startOf(everyScope({ user: { disableAllHooks: false } })))).toHaveLength(4);
    const session = everyScope({
      user: { disableAllHooks: true },
      local: { disableAllHooks: false },
      'command-line': { disableAllHooks: false },
    });
    expect(hooksOf(startOf(session))).toEqual(['PreToolUse x (command-line)']);
  });

  test('the files of both programs in one scope', () => {
    const session = testSession();
    save(session.userFile, hooked('ours'));
    save(session.claude.user, hooked('theirs', { disableAllHooks: true }));
    save(session.projectFile, hooked('p'));
    const flags = { claudeSettings: true, trustProject: true };
    expect(hooksOf(session.start(flags).current())).toEqual([]);
  });

  test('an untrusted project switches off nothing', () => {
    const session = testSession();
    save(session.userFile, hooked('guard'));
    save(session.projectFile, { disableAllHooks: true });
    save(session.localFile, { disableAllHooks: true });
    expect(hooksOf(session.start().current())).toEqual(['PreToolUse guard (user)']);
  });

  test('rules are not hooks', () => {
    const session = testSession();
    save(session.userFile, { disableAllHooks: true, permissions: { deny: ['Read'] } });
    expect(rulesOf(session.start().current())).toEqual(['deny Read']);
  });

  test('a switch that is saved or taken back counts at the next look', () => {
    const session = testSession();
    save(session.userFile, hooked('guard'));
    const store = session.start();
    save(session.userFile, hooked('guard', { disableAllHooks: true }));
    expect(hooksOf(store.current())).toEqual([]);
    save(session.userFile, hooked('guard'));
    expect(hooksOf(store.current())).toEqual(['PreToolUse guard (user)']);
  });
});
