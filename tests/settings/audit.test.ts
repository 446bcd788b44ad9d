/** Who may speak of the audit log, and what happens to words about it that do not count or do not fit. */
import { expect, test } from 'vitest';
import { CHANNEL_DEFAULTS } from '../../src/audit/channel-settings.ts';
import { save, testSession } from './session.ts';

const MIB = 1024 * 1024;

test('without a word the defaults count', () => {
  expect(testSession().start().current().audit).toEqual(CHANNEL_DEFAULTS);
});

test('the command line beats the user, key by key', () => {
  const session = testSession();
  save(session.userFile, { audit: { floor: 1, rotateSize: 8, checkpointEvery: 10 } });
  const settings = [JSON.stringify({ audit: { floor: 2, rotateDaily: false } })];
  expect(session.start({ settings }).current().audit).toEqual({
    ...CHANNEL_DEFAULTS,
    floorBytes: 2 * MIB,
    rotateBytes: 8 * MIB,
    checkpointEvery: 10,
    rotateDaily: false,
  });
});

test('a project has no say, trusted or not, and is told so; a wrong word there stops nobody', () => {
  for (const trustProject of [false, true]) {
    const session = testSession();
    save(session.projectFile, { audit: { floor: 0, rotateSize: 'none', enabled: false } });
    save(session.localFile, { audit: { lowWater: 0 } });
    const snapshot = session.start({ trustProject }).current();
    expect(snapshot.audit).toEqual(CHANNEL_DEFAULTS);
    expect(snapshot.warnings.filter((text) => text.includes('a project cannot set this'))).toHaveLength(2);
  }
});

test('a key that does not exist is an error with its place: somebody relies on it', () => {
  const session = testSession();
  save(session.userFile, '{\n  "audit": { "flor": 3, "enabled": false }\n}');
  expect(session.problems()).toMatchObject([
    { severity: 'error', line: 2, key: 'audit.flor', nearMiss: 'floor' },
    { severity: 'error', line: 2, key: 'audit.enabled' },
  ]);
});

test('a value of another kind is an error that says what was expected', () => {
  const session = testSession();
  save(session.userFile, { audit: { floor: -1, rotateSize: 0, rotateDaily: 'no', checkpointEvery: 1.5 } });
  expect(session.problems().map(({ key, expected }) => [key, expected])).toEqual([
    ['audit.floor', 'a whole number from 0'],
    ['audit.rotateSize', 'a whole number from 1'],
    ['audit.rotateDaily', 'true or false'],
    ['audit.checkpointEvery', 'a whole number from 1'],
  ]);
});

test('the sinks of all who may speak are joined, and one that anybody calls required is', () => {
  const session = testSession();
  const sinks = [
    { type: 'file', path: '~/a.jsonl' },
    { type: 'command', command: 'cat', args: ['-u'] },
  ];
  save(session.userFile, { audit: { sinks, sinkTimeout: 0.5 } });
  const own = [{ type: 'file', path: `${session.home}/a.jsonl`, required: true }];
  const settings = [JSON.stringify({ audit: { sinks: own } })];
  const { audit, permissions } = session.start({ settings }).current();
  expect(audit).toMatchObject({
    sinkTimeoutMs: 500,
    sinks: [
      { type: 'file', path: `${session.home}/a.jsonl`, required: true },
      { type: 'command', command: 'cat', args: ['-u'], required: false },
    ],
  });
  // The agent may not rewrite what was recorded there without a question.
  expect(permissions.workplace.policyFiles).toContain(`${session.home}/a.jsonl`);
});

test('every fault of a sink is an error with its place', () => {
  const session = testSession();
  const sinks = [
    { type: 'file' },
    { type: 'file', path: 'relative.jsonl' },
    { type: 'file', path: '/a', command: 'cat' },
    { type: 'command', path: '/a' },
    { type: 'http', url: 'x' },
    { type: 'file', path: '/a', requird: true },
    'cat',
  ];
  save(session.userFile, { audit: { sinks } });
  expect(session.problems().map(({ key, severity }) => `${severity} ${key}`)).toEqual(
    [
      ...['sinks[0]', 'sinks[1].path', 'sinks[2].command', 'sinks[3]', 'sinks[3].path'],
      ...['sinks[4].type', 'sinks[4].url', 'sinks[5].requird', 'sinks[6]'],
    ].map((key) => expect.stringContaining(`error audit.${key}`)),
  );
});

test('shapes of tokens to mask are joined, and one that cannot be used is an error with its place', () => {
  const session = testSession();
  const shape = { name: 'internal', pattern: 'itk_[a-z]{8}' };
  save(session.userFile, { audit: { redact: [shape] } });
  const settings = [JSON.stringify({ audit: { redact: [{ name: 'other', pattern: 'otk_[0-9]{8}' }] } })];
  save(session.projectFile, { audit: { redact: [{ name: 'project', pattern: 'ptk_[0-9]{8}' }] } });
  const { redact } = session.start({ settings, trustProject: true }).current().audit;
  expect(redact.map(({ name }) => name)).toEqual(['other', 'internal']);

  save(
    session.userFile,
    '{"audit": {"redact": [\n  {"name": "x", "pattern": "(a+)+b"},\n  {"name": "X Y", "pattern": "itk_[a-z]{8}"}\n]}}',
  );
  expect(session.problems().map(({ line, key }) => [line, key])).toEqual(
    expect.arrayContaining([
      [2, 'audit.redact[0].pattern'],
      [3, 'audit.redact[1].name'],
    ]),
  );
  expect(session.problems()[0]?.message).toMatch(/from its character 1 on: "\(" cannot stand here/);
});
