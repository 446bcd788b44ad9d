/** A look that would repeat the last one is spared, and no other: whatever stirs is found by the very next look. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { heldPath, writeHeld } from '../../src/settings/held-file.ts';
import { firstLook, GRACE_MS, type Layer, unseen } from '../../src/settings/layer.ts';
import { projectState } from '../../src/settings/project-state.ts';
import { isStill, type Stillness, stillnessAfter } from '../../src/settings/stillness.ts';
import type { Trust } from '../../src/settings/trust-file.ts';
import { readTrust, removeTrust, writeTrust } from '../../src/settings/trust-file.ts';
import { Random } from '../support/random.ts';
import { rulesOf, save, type TestSession, testSession } from './session.ts';

const stateOf = ({ hookdHome, project }: TestSession) => projectState(hookdHome, project);

/** Its own length each time: file times come in steps of some milliseconds. */
const rules = (count: number) => ({ permissions: { deny: [`Bash(${'x'.repeat(count)})`], allow: ['Read'] } });

test.each([1, 2, 3, 4, 5])(
  'a session that only looks anew where something stirs knows what a new one reads (seed %i)',
  (seed) => {
    const random = new Random(seed);
    const session = testSession();
    const { hookdHome, project, managed, userFile, projectFile, localFile } = session;
    const files = [userFile, projectFile, localFile, managed.file, join(managed.dropIns, '10.json')] as const;
    const store = session.start();
    let count = 0;
    const text = () => JSON.stringify(rules(++count));
    const aside = (path: string) => renameSync(path, `${path}.${++count}`);
    const trust = stateOf(session);
    const since = '2026-11-30T00:00:00.000Z';
    const steps = [
      [4, () => save(random.pick(files), text())],
      [2, () => rmSync(random.pick(files), { force: true })],
      [1, () => rmSync(dirname(random.pick(files)), { recursive: true, force: true })],
      [1, () => rmSync(hookdHome, { recursive: true, force: true })],
      [
        2,
        () => {
          const file = random.pick(files);
          save(`${file}.new`, text());
          renameSync(`${file}.new`, file);
        },
      ],
      [
        1,
        () => {
          const [file, elsewhere] = [
            random.pick([userFile, projectFile]),
            join(session.base, `${++count}.json`),
          ];
          save(elsewhere, text());
          mkdirSync(dirname(file), { recursive: true });
          rmSync(file, { force: true });
          symlinkSync(elsewhere, file);
        },
      ],
      [
        1,
        () => {
          const folder = join(project, '.hookd');
          const elsewhere = join(session.base, `folder-${++count}`);
          save(join(elsewhere, 'settings.json'), text());
          mkdirSync(folder, { recursive: true });
          aside(folder);
          symlinkSync(elsewhere, folder);
        },
      ],
      [2, () => writeTrust(trust, { project, since, files: {} })],
      [1, () => void removeTrust(trust)],
    ] as const;
    for (let step = 0; step < 150; step++) {
      random.weighted([[1, () => undefined], ...steps]);
      store.current();
      // A file that is gone counts until it has been gone for a while.
      session.clock.aheadMs += GRACE_MS;
      const known = rulesOf(store.current());
      expect(known).toEqual(rulesOf(session.start().current()));
      if (random.chance(0.5)) expect(rulesOf(store.current())).toEqual(known);
    }
  },
);

describe('after a look', () => {
  const place = (session: TestSession, file = session.projectFile) =>
    ({
      kind: 'file',
      origin: { scope: 'project', dialect: 'hookd', isTrusted: false, file, root: session.project },
      isNamed: false,
    }) as const;
  const NONE: Trust = { kind: 'none' };
  const later = () => Date.now() + 60_000;

  function survey(session: TestSession, layers: readonly Layer[], trust = NONE): Stillness | undefined {
    const managed = { place: session.managed, dialects: ['hookd'] } as const;
    return stillnessAfter({ layers, managed, state: stateOf(session), trust }, later());
  }

  const seen = (session: TestSession): Layer => firstLook(place(session), later()).layer;

  test('what is missing is asked of the outermost directory that is missing, once', () => {
    const session = testSession();
    rmSync(session.hookdHome, { recursive: true });
    rmSync(dirname(session.projectFile), { recursive: true });
    const layers = [session.projectFile, session.localFile].map((file) => unseen(place(session, file)));
    expect(survey(session, layers)).toEqual({
      missing: [dirname(session.managed.directory), dirname(session.projectFile), session.hookdHome],
      present: new Map(),
    });
  });

  test('a file is asked for its state, a link for the one that it leads to', () => {
    const session = testSession();
    save(session.projectFile, rules(1));
    const still = survey(session, [seen(session)]);
    expect([...(still?.present.keys() ?? [])]).toEqual([session.projectFile]);
    expect(still !== undefined && isStill(still)).toBe(true);
    renameSync(session.projectFile, `${session.projectFile}.old`);
    symlinkSync(`${session.projectFile}.old`, session.projectFile);
    writeFileSync(session.projectFile, JSON.stringify(rules(2)));
    expect(still !== undefined && isStill(still)).toBe(false);
  });

  test.each<[string, (session: TestSession) => Stillness | undefined]>([
    [
      'a file that is missing and was there',
      (session) => survey(session, [{ ...seen(session), missingSince: 1 }]),
    ],
    [
      'a file whose changes wait for a person',
      (session) => survey(session, [{ ...seen(session), accepted: { text: null, isOnDisk: true } }]),
    ],
    [
      'a file so young that it may change unseen',
      (session) => survey(session, [{ ...seen(session), known: undefined }]),
    ],
    [
      'an entry of what waits for a person',
      (session) => {
        writeHeld(stateOf(session), { file: session.projectFile, accepted: null });
        return survey(session, [seen(session)]);
      },
    ],
    [
      "the administrator's directory",
      (session) => {
        mkdirSync(session.managed.directory, { recursive: true });
        return survey(session, [seen(session)]);
      },
    ],
    [
      'a trust file that cannot be used',
      (session) => survey(session, [seen(session)], { kind: 'unusable', why: '' }),
    ],
    [
      'a trust file that was written anew',
      (session) => {
        const record = { project: session.project, since: '', files: {} };
        writeTrust(stateOf(session), record);
        const trust = readTrust(stateOf(session), session.project);
        writeTrust(stateOf(session), { ...record, since: 'now' });
        return survey(session, [seen(session)], trust);
      },
    ],
  ])('%s keeps the next look from being spared', (_, stirring) => {
    const session = testSession();
    save(session.projectFile, rules(1));
    expect(survey(session, [seen(session)])).toBeDefined();
    expect(stirring(session)).toBeUndefined();
  });

  test('an entry that comes to wait for a person ends it', () => {
    const session = testSession();
    save(session.projectFile, rules(1));
    const still = survey(session, [seen(session)]);
    save(heldPath(stateOf(session), session.projectFile), '{}');
    expect(still !== undefined && isStill(still)).toBe(false);
  });
});
