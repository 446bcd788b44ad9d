import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allHeld, heldPath, readHeld, removeHeld } from '../../src/settings/held-file.ts';
import { holdBack } from '../../src/settings/hold-back.ts';
import { loadedAs, waitingIn } from '../../src/settings/holding.ts';
import type { SettingsOrigin } from '../../src/settings/origin.ts';
import { projectState, writePrivate } from '../../src/settings/project-state.ts';
import type { SettingsStore } from '../../src/settings/store.ts';
import { hooked, hooksOf, rulesOf, save, type TestSession, testSession } from './session.ts';

const allowing = (...allow: readonly string[]) => ({ permissions: { allow } });
const denying = (...deny: readonly string[]) => ({ permissions: { deny } });
const during = (store: SettingsStore, change: () => void): Promise<void> =>
  store.duringCall(() => Promise.resolve().then(change));
const stateOf = ({ hookdHome, project }: TestSession) => projectState(hookdHome, project);
const trusted = { trustProject: true };

describe.each(['projectFile', 'localFile'] as const)('a change of the %s while a tool call runs', (key) => {
  test('denies at once; what it allows waits until a person accepts it', async () => {
    const session = testSession();
    const file = session[key];
    save(file, allowing('Bash(make)'));
    const store = session.start(trusted);
    await during(store, () =>
      save(file, { permissions: { allow: ['Bash(make)', 'Bash(x)'], deny: ['Bash(y)'] } }),
    );
    expect(rulesOf(store.current())).toEqual(['deny Bash(y)', 'allow Bash(make)']);
    expect(store.current().warnings).toEqual([
      `${file}: it changed while a tool call ran, so what it loosens waits for you: allow Bash(x). Take it over with: hookd settings accept`,
    ]);
    removeHeld(stateOf(session), file);
    expect(rulesOf(store.current())).toEqual(['deny Bash(y)', 'allow Bash(make)', 'allow Bash(x)']);
    expect(store.current().warnings).toEqual([]);
  });

  test('cannot take a deny rule away, not by removing the file either', async () => {
    const session = testSession();
    const file = session[key];
    save(file, denying('Bash(rm *)'));
    const store = session.start();
    await during(store, () => save(file, {}));
    expect(rulesOf(store.current())).toEqual(['deny Bash(rm *)']);
    await during(store, () => rmSync(file));
    session.clock.aheadMs += 60_000;
    expect(rulesOf(store.current())).toEqual(['deny Bash(rm *)']);
    expect(rulesOf(session.start().current())).toEqual(['deny Bash(rm *)']);
  });
});

test('a file that a tool call makes switches nothing on, in later sessions neither', async () => {
  const session = testSession();
  const store = session.start(trusted);
  await during(store, () => save(session.projectFile, hooked('evil', allowing('Bash(x)'))));
  for (const one of [store, session.start(trusted)]) {
    expect(rulesOf(one.current())).toEqual([]);
    expect(hooksOf(one.current())).toEqual([]);
    expect(one.current().warnings[0]).toContain('allow Bash(x); hook PreToolUse evil');
  }
});

test('what was saved before or after the call does not wait', async () => {
  const session = testSession();
  const store = session.start(trusted);
  save(session.projectFile, allowing('Bash(before)'));
  await store.duringCall(async () => undefined);
  save(session.localFile, allowing('Bash(after)'));
  expect(rulesOf(store.current())).toEqual(['allow Bash(after)', 'allow Bash(before)']);
  expect(allHeld(stateOf(session))).toEqual([]);
});

test('a look in the middle of the call, or a second call at the same time, makes no difference', async () => {
  const session = testSession();
  const store = session.start(trusted);
  await store.duringCall(async () => {
    await during(store, () => save(session.projectFile, allowing('Bash(x)')));
    expect(rulesOf(store.current())).toEqual([]);
    save(session.localFile, allowing('Bash(y)'));
    expect(rulesOf(store.current())).toEqual([]);
  });
  expect(rulesOf(store.current())).toEqual([]);
});

describe.each<[string, (file: string) => void]>([
  ['broken', (file) => writeFileSync(file, '{"permissions": {"allow": ["Bash(x)"]},}')],
  [
    'made unreadable',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
])('a file that a call has %s', (_, spoil) => {
  const spoiled = async () => {
    const session = testSession();
    save(session.projectFile, allowing('Bash(make)'));
    const store = session.start(trusted);
    await during(store, () => spoil(session.projectFile));
    expect(rulesOf(store.current())).toEqual(['allow Bash(make)']);
    rmSync(session.projectFile, { recursive: true });
    return { session, store };
  };

  test('loosens nothing when it is repaired, in later sessions neither, until a person accepts it', async () => {
    const { session, store } = await spoiled();
    save(session.projectFile, allowing('Bash(make)', 'Bash(x)'));
    expect(rulesOf(store.current())).toEqual(['allow Bash(make)']);
    expect(rulesOf(session.start(trusted).current())).toEqual(['allow Bash(make)']);
    removeHeld(stateOf(session), session.projectFile);
    expect(rulesOf(store.current())).toEqual(['allow Bash(make)', 'allow Bash(x)']);
  });

  test('waits no more once it is as it was', async () => {
    const { session, store } = await spoiled();
    save(session.projectFile, allowing('Bash(make)'));
    expect(rulesOf(store.current())).toEqual(['allow Bash(make)']);
    expect(allHeld(stateOf(session))).toEqual([]);
    save(session.projectFile, allowing('Bash(mine)'));
    expect(rulesOf(store.current())).toEqual(['allow Bash(mine)']);
  });
});

test('a call that throws is no way round it', async () => {
  const session = testSession();
  const store = session.start(trusted);
  const failing = store.duringCall(async () => {
    save(session.projectFile, allowing('Bash(x)'));
    throw new Error('the tool failed');
  });
  await expect(failing).rejects.toThrow('the tool failed');
  expect(rulesOf(store.current())).toEqual([]);
});

test('a later change goes on waiting, and what takes the loosening back ends it', async () => {
  const session = testSession();
  const accepted = { permissions: { allow: ['Bash(make)'], deny: ['Bash(rm)'] } };
  save(session.projectFile, accepted);
  const store = session.start(trusted);
  await during(store, () => save(session.projectFile, allowing('Bash(x)')));
  save(session.projectFile, allowing('Bash(x)', 'Bash(mine)'));
  expect(rulesOf(store.current())).toEqual(['deny Bash(rm)']);
  save(session.projectFile, accepted);
  expect(rulesOf(store.current())).toEqual(['deny Bash(rm)', 'allow Bash(make)']);
  expect(allHeld(stateOf(session))).toEqual([]);
  save(session.projectFile, allowing('Bash(mine)'));
  expect(rulesOf(store.current())).toEqual(['allow Bash(mine)']);
});

test('another session that runs learns of what waits', async () => {
  const session = testSession();
  const [one, other] = [session.start(trusted), session.start(trusted)];
  await during(one, () => save(session.projectFile, allowing('Bash(x)')));
  expect(rulesOf(other.current())).toEqual([]);
});

test('the policy of a decision shows what waited: another digest, and the accepted content among the sources', async () => {
  const session = testSession();
  save(session.projectFile, allowing('Bash(make)'));
  const text = readFileSync(session.projectFile, 'utf8');
  const store = session.start(trusted);
  await during(store, () => save(session.projectFile, allowing('Bash(x)')));
  const { digest, sources } = store.current();
  const path = heldPath(stateOf(session), session.projectFile);
  expect(sources.find((source) => source.path === path)?.text).toBe(text);
  removeHeld(stateOf(session), session.projectFile);
  expect(store.current().digest).not.toBe(digest);
});

test('files of the user are not the project’s: they count at once', async () => {
  const session = testSession();
  const store = session.start();
  await during(store, () => save(session.userFile, allowing('Bash(x)')));
  expect(rulesOf(store.current())).toEqual(['allow Bash(x)']);
});

test('what waits is written down for its owner alone; what cannot be read accepts nothing', async () => {
  const session = testSession();
  save(session.projectFile, allowing('Bash(make)'));
  const store = session.start(trusted);
  await during(store, () => save(session.projectFile, allowing('Bash(make)', 'Bash(x)')));
  const path = heldPath(stateOf(session), session.projectFile);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(stateOf(session).held).mode & 0o777).toBe(0o700);
  writeFileSync(path, 'broken');
  expect(readHeld(stateOf(session), session.projectFile)).toEqual({
    file: session.projectFile,
    accepted: null,
  });
  expect(rulesOf(store.current())).toEqual([]);
});

test('where it cannot be written down it holds for this session', async () => {
  const session = testSession();
  const { held, directory } = stateOf(session);
  writePrivate(`${directory}/x.json`, {});
  writeFileSync(held, 'a file where the directory should be');
  const store = session.start(trusted);
  await during(store, () => save(session.projectFile, allowing('Bash(x)')));
  for (let look = 0; look < 3; look++) expect(rulesOf(store.current())).toEqual([]);
});

describe('what is in force while a change waits is no looser than what was accepted, and no looser than what is there:', () => {
  const origin: SettingsOrigin = {
    ...{ scope: 'project', dialect: 'hookd', isTrusted: true, file: '/p/.hookd/settings.json', root: '/p' },
  };
  const guard = hooked('guard');
  const evil = hooked('evil');
  const mode = (defaultMode: string) => ({ permissions: { defaultMode } });
  test.each<[string, object | null, object | null, readonly string[]]>([
    ['nothing to nothing', null, null, []],
    ['a deny rule more', {}, denying('Bash(x)'), []],
    ['an allow rule less', allowing('Bash(x)'), {}, []],
    ['a deny rule less', denying('Bash(x)'), {}, ['no longer deny Bash(x)']],
    ['an ask rule less', { permissions: { ask: ['Bash(x)'] } }, null, ['no longer ask Bash(x)']],
    ['a guard less', guard, {}, ['no longer hook PreToolUse guard']],
    ['a guard that is replaced', guard, evil, ['hook PreToolUse evil', 'no longer hook PreToolUse guard']],
    [
      'a guard with another time-out',
      guard,
      { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'guard', timeout: 0.001 }] }] } },
      ['hook PreToolUse guard', 'no longer hook PreToolUse guard'],
    ],
    ['a stricter mode', mode('default'), mode('plan'), []],
    ['a looser mode', mode('plan'), mode('acceptEdits'), ['mode acceptEdits']],
    ['a mode where there was none', {}, mode('acceptEdits'), ['mode acceptEdits']],
    ['a strict mode where there was none', {}, mode('dontAsk'), []],
    ['no mode any more', mode('plan'), {}, ['no longer mode plan']],
    ['all hooks off', guard, hooked('guard', { disableAllHooks: true }), ['disableAllHooks']],
    ['all hooks on', { disableAllHooks: true }, {}, ['no longer disableAllHooks']],
    ['a variable', { env: { A: '1' } }, { env: { A: '2', B: '3' } }, ['env A', 'env B']],
    ['a directory', {}, { permissions: { additionalDirectories: ['/d'] } }, ['directory /d']],
    [
      'bypass allowed again',
      { permissions: { disableBypassPermissionsMode: 'disable' } },
      {},
      ['no longer disableBypassPermissionsMode'],
    ],
  ])('%s', (_name, before, now, waiting) => {
    const [old, found] = [before, now].map((one) => (one === null ? null : JSON.stringify(one)));
    expect(waitingIn(origin, old ?? null, found ?? null)).toEqual(waiting);
    const { loaded } = holdBack(loadedAs(origin, old ?? null), loadedAs(origin, found ?? null));
    const [strict, accepted] = [loaded, loadedAs(origin, old ?? null)];
    const deny = (one: typeof loaded) =>
      one?.rules.filter(({ source }) => source.list !== 'allow').length ?? 0;
    expect(deny(strict)).toBeGreaterThanOrEqual(
      Math.max(deny(accepted), deny(loadedAs(origin, found ?? null))),
    );
    expect(strict?.hooks.map((hook) => hook.timeoutMs) ?? []).toEqual(
      accepted?.hooks.map((hook) => hook.timeoutMs) ?? [],
    );
    expect(strict?.values.env).toEqual(accepted?.values.env);
  });
});
