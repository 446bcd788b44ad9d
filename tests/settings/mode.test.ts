import { describe, expect, test } from 'vitest';
import { isError } from '../../src/settings/problem.ts';
import { save, testSession } from './session.ts';

interface Chosen {
  readonly flag?: string;
  readonly settings?: string;
  readonly local?: string;
  readonly project?: string;
  readonly user?: string;
}

const withMode = (defaultMode: string): object => ({ permissions: { defaultMode } });

function inForce({ flag, settings, local, project, user }: Chosen) {
  const session = testSession();
  if (local !== undefined) save(session.localFile, withMode(local));
  if (project !== undefined) save(session.projectFile, withMode(project));
  if (user !== undefined) save(session.userFile, withMode(user));
  const { permissions, warnings } = session
    .start({
      trustProject: true,
      permissionMode: flag,
      settings: settings === undefined ? [] : [JSON.stringify(withMode(settings))],
    })
    .current();
  return { mode: permissions.mode, warnings: warnings.map((line) => line.replace(`${session.base}/`, '')) };
}

test.each(['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'])(
  'mode %s is taken from the user, from --settings and from the flag',
  (mode) => {
    const expected = { mode, warnings: [] };
    expect(inForce({ user: mode })).toEqual(expected);
    expect(inForce({ settings: mode })).toEqual(expected);
    expect(inForce({ flag: mode })).toEqual(expected);
  },
);

test('manual is another name of default', () => {
  expect(inForce({ user: 'manual' }).mode).toBe('default');
  expect(inForce({ flag: 'manual', user: 'plan' }).mode).toBe('default');
});

test('the flag wins over --settings, that over local, that over the project, that over the user', () => {
  const all = { flag: 'plan', settings: 'bypassPermissions', local: 'dontAsk', project: 'default' };
  const user = 'acceptEdits';
  expect(inForce({ ...all, user }).mode).toBe('plan');
  const { flag: _, ...noFlag } = all;
  expect(inForce({ ...noFlag, user }).mode).toBe('bypassPermissions');
  const { settings: __, ...files } = noFlag;
  expect(inForce({ ...files, user }).mode).toBe('dontAsk');
  expect(inForce({ project: 'default', user }).mode).toBe('default');
  expect(inForce({ user }).mode).toBe('acceptEdits');
});

describe('a trusted project never loosens the mode that the user chose:', () => {
  const modes = ['plan', 'dontAsk', 'default', 'acceptEdits', 'bypassPermissions'] as const;
  const mayBecome: Readonly<Record<string, readonly string[]>> = {
    plan: ['plan'],
    dontAsk: ['dontAsk'],
    default: ['plan', 'dontAsk', 'default'],
    acceptEdits: ['plan', 'dontAsk', 'default', 'acceptEdits'],
    bypassPermissions: ['plan', 'dontAsk', 'default', 'acceptEdits'],
  };
  test.each(modes)('%s', (user) => {
    for (const project of modes) {
      const { mode, warnings } = inForce({ user, project });
      const counts = mayBecome[user]?.includes(project) === true;
      expect(mode, `${project} over ${user}`).toBe(counts ? project : user);
      expect(warnings).toHaveLength(counts ? 0 : 1);
    }
  });

  test('what the local file may not choose, the project’s still may tighten', () => {
    expect(inForce({ user: 'default', local: 'acceptEdits', project: 'plan' })).toEqual({
      mode: 'plan',
      warnings: [
        'work/project/.hookd/settings.local.json: permissions.defaultMode: "acceptEdits" would loosen the mode "default" that the user chose; ignored.',
      ],
    });
  });
});

describe('from a project or local file', () => {
  test.each(['bypassPermissions', 'auto'])('%s is never taken, and that is told', (mode) => {
    for (const scope of ['project', 'local'] as const) {
      const { mode: actual, warnings } = inForce({ [scope]: mode });
      expect(actual).toBe('default');
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(`a project cannot choose permission mode "${mode}", ignored.`);
    }
  });

  test('a mode that does not exist is an error, trusted or not', () => {
    const session = testSession();
    save(session.projectFile, withMode('bogus'));
    for (const trustProject of [true, false]) {
      const errors = session.problems({ trustProject }).filter(isError);
      expect(errors.map(({ message }) => message)).toEqual(['unknown permission mode']);
    }
  });
});

test('disableBypassPermissionsMode in any file, also an untrusted one, makes bypass the default mode', () => {
  for (const file of ['userFile', 'localFile', 'projectFile'] as const) {
    const session = testSession();
    save(session[file], { permissions: { disableBypassPermissionsMode: 'disable' } });
    const store = session.start({ permissionMode: 'bypassPermissions' });
    expect(store.current().permissions.mode).toBe('default');
    expect(store.current().warnings).toEqual([
      `${session[file]}: permissions.disableBypassPermissionsMode: mode bypassPermissions is forbidden here; mode default is in force.`,
    ]);
    expect(session.start({ permissionMode: 'acceptEdits' }).current()).toMatchObject({
      permissions: { mode: 'acceptEdits' },
      warnings: [],
    });
    save(session[file], '{}');
    expect(store.current().permissions.mode).toBe('bypassPermissions');
  }
});
