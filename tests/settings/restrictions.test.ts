import { describe, expect, test } from 'vitest';
import type { SettingsSnapshot } from '../../src/settings/merge.ts';
import { isUrlLike, withoutScrubbed } from '../../src/settings/restrictions.ts';
import { save, testSession, warningsOf } from './session.ts';

describe('scrubEnv', () => {
  const env = { AWS_KEY: '1', AWS_TOKEN: '2', GITHUB_TOKEN: '3', PATH: '/bin' };
  const left = ({ scrubEnv }: SettingsSnapshot, reader: Parameters<typeof withoutScrubbed>[1]) =>
    Object.keys(withoutScrubbed(env, reader, scrubEnv));

  test('of every authority keeps variables from commands, and from hooks of that authority and below', () => {
    const session = testSession();
    save(session.managed.file, { scrubEnv: ['AWS_*'] });
    save(session.userFile, { scrubEnv: ['GITHUB_TOKEN'] });
    const snapshot = session.start().current();
    expect(left(snapshot, 'tools')).toEqual(['PATH']);
    expect(left(snapshot, 'project')).toEqual(['PATH']);
    expect(left(snapshot, 'user')).toEqual(['PATH']);
    expect(left(snapshot, 'command-line')).toEqual(['GITHUB_TOKEN', 'PATH']);
    expect(left(snapshot, 'managed')).toEqual(['GITHUB_TOKEN', 'PATH']);
  });

  test('counts of the user’s file although --setting-sources leaves it out', () => {
    const session = testSession();
    save(session.userFile, { scrubEnv: ['AWS_KEY'] });
    expect(left(session.start({ settingSources: '' }).current(), 'tools')).not.toContain('AWS_KEY');
  });

  test('never comes from a project, trusted or not: it could disarm a guard', () => {
    const session = testSession();
    save(session.projectFile, { scrubEnv: ['PATH'], allowedHttpHookUrls: [], httpHookAllowedEnvVars: [] });
    for (const trustProject of [false, true]) {
      const snapshot = session.start({ trustProject }).current();
      expect(snapshot.scrubEnv).toEqual([]);
      expect(warningsOf(snapshot, session.projectFile).map((line) => line.replace(/^\S+ /, ''))).toEqual(
        ['scrubEnv', 'allowedHttpHookUrls', 'httpHookAllowedEnvVars'].map(
          (key) => `${key}: ignored: a project cannot set this, trusted or not.`,
        ),
      );
    }
  });

  test.each([
    ['scrubEnv', 'AWS_KEY'],
    ['allowedHttpHookUrls', [5]],
    ['httpHookAllowedEnvVars', ['']],
  ])('%s: %j is an error', (key, value) => {
    const session = testSession();
    save(session.userFile, { [key]: value });
    expect(session.problems().map((problem) => problem.key)).toEqual([
      expect.stringMatching(new RegExp(`^${key}`)),
    ]);
  });
});

describe('http hooks', () => {
  const hook = (url: string, allowedEnvVars: readonly string[] = []) => ({
    hooks: { PreToolUse: [{ hooks: [{ type: 'http', url, allowedEnvVars }] }] },
  });
  const reaches = ({ hooks }: SettingsSnapshot) =>
    hooks.hooks.map(({ handler, source }) => [source.scope, handler.type === 'http' && handler.reach]);

  test('need the consent of every list of their own authority or more', () => {
    const session = testSession();
    save(session.managed.file, { allowedHttpHookUrls: ['https://a.example/*', 'https://b.example/*'] });
    save(session.userFile, { allowedHttpHookUrls: ['https://b.example/*'], ...hook('https://b.example/x') });
    save(session.projectFile, hook('https://a.example/x'));
    const settings = [JSON.stringify(hook('https://a.example/x'))];
    expect(reaches(session.start({ settings, trustProject: true }).current())).toEqual([
      ['command-line', 'listed'],
      ['user', 'listed'],
      ['project', 'refused'],
    ]);
  });

  test('that will never be sent are told at the start, unless the user allows the address', () => {
    const session = testSession();
    save(session.userFile, hook('http://intranet.example/guard'));
    expect(warningsOf(session.start().current(), session.userFile)).toEqual([
      expect.stringMatching(
        /^\d+:\d+: http hook of PreToolUse, "http:\/\/intranet\.example\/guard": its URL is neither https nor on this machine, and no setting of the user allows it; each run ends as failed, and a person is asked each time\.$/,
      ),
    ]);
    for (const url of ['https://a.example/', 'http://127.0.0.1:8080/', 'http://localhost/']) {
      save(session.userFile, hook(url));
      expect(warningsOf(session.start().current(), session.userFile)).toEqual([]);
    }
    const allowed = { allowedHttpHookUrls: ['http://intranet.example/*'] };
    save(session.userFile, { ...hook('http://intranet.example/guard'), ...allowed });
    expect(warningsOf(session.start().current(), session.userFile)).toEqual([]);
    save(session.userFile, { ...hook('https://elsewhere.example/'), ...allowed });
    expect(warningsOf(session.start().current(), session.userFile)).toEqual([
      expect.stringContaining('its URL is not among allowedHttpHookUrls'),
    ]);
  });

  test('with no list follow the rule of https or loopback; with an empty one go nowhere', () => {
    const session = testSession();
    save(session.userFile, hook('https://a.example/'));
    expect(reaches(session.start().current())).toEqual([['user', undefined]]);
    save(session.userFile, { ...hook('https://a.example/'), allowedHttpHookUrls: [] });
    expect(reaches(session.start().current())).toEqual([['user', 'refused']]);
  });

  test('name only the variables that every list allows', () => {
    const session = testSession();
    save(session.managed.file, { httpHookAllowedEnvVars: ['A', 'B'] });
    save(session.userFile, {
      httpHookAllowedEnvVars: ['B', 'C'],
      ...hook('https://a.example/', ['A', 'B', 'C']),
    });
    const [one] = session.start().current().hooks.hooks;
    expect(one?.handler).toMatchObject({ allowedEnvVars: ['B'] });
    expect(one?.handler).not.toHaveProperty('reach');
  });

  test.each<[string, string, boolean]>([
    ['https://hooks.example.com/*', 'https://hooks.example.com/a/b?c', true],
    ['https://hooks.example.com/*', 'https://hooks.example.com.evil.example/a', false],
    ['https://hooks.example.com/*', 'https://hooks.example.com@evil.example/a', false],
    ['https://hooks.example.com/*', 'https://user:pw@hooks.example.com/a', false],
    ['https://hooks.example.com/*', 'http://hooks.example.com/a', false],
    ['https://hooks.example.com/in', 'https://hooks.example.com/in', true],
    ['https://hooks.example.com/in', 'https://HOOKS.example.com/in', true],
    ['https://hooks.example.com/in', 'https://hooks.example.com/in/x', false],
    ['https://hooks.example.com/in', 'https://hooks.example.com/in?x=1', false],
    ['https://*.example.com/*', 'https://a.b.example.com/', true],
    ['https://*.example.com/*', 'https://evil.example/.example.com/', false],
    ['https://*.example.com/*', 'https://evil.example#.example.com/', false],
    ['http://localhost:*', 'http://localhost:8080/hook', true],
    ['http://localhost:*', 'http://localhost/hook', true],
    ['http://localhost:*', 'http://localhost.evil.example:80/hook', false],
    ['https://a.example', 'https://a.example/', true],
    ['https://a.example', 'https://a.example/x', false],
    ['*', 'http://anywhere.example/', true],
    ['a.example/*', 'https://a.example/x', false],
  ])('%s and %s: %s', (pattern, url, expected) => {
    expect(isUrlLike(url, pattern)).toBe(expected);
  });
});
