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
