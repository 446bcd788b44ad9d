import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchSettings } from '../../src/settings/watch.ts';
import { until } from '../support/hookd.ts';
import { save, testSession } from './session.ts';

/** Watches the three files of a session; `seen` is what the project's file held each time somebody was told to look. */
async function watching(again?: number) {
  const session = testSession();
  const seen: string[] = [];
  let isReady = false;
  const { close } = await watchSettings({
    files: [session.userFile, session.projectFile, session.localFile],
    look: async () => {
      if (!isReady) {
        isReady = true;
        return undefined;
      }
      try {
        seen.push(readFileSync(session.projectFile, 'utf8'));
      } catch {
        seen.push('none');
      }
      return seen.length === 1 ? again : undefined;
    },
  });
  onTestFinished(close);
  await until(() => isReady, 'the first look, at what was saved before it watched');
  return { session, seen, file: session.projectFile };
}

const WAYS: readonly (readonly [string, (file: string, text: string) => void])[] = [
  ['created for the first time', writeFileSync],
  [
    'renamed into its place',
    (file, text) => {
      writeFileSync(`${file}.tmp`, text);
      renameSync(`${file}.tmp`, file);
    },
  ],
  [
    'saved 200 times in a burst',
    (file, text) => {
      for (let index = 0; index < 199; index++) writeFileSync(file, `{"maxTurns":${index}}`);
      writeFileSync(file, text);
    },
  ],
  [
    'saved twice within 10 ms',
    (file, text) => {
      writeFileSync(file, '{}');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      writeFileSync(file, text);
    },
  ],
];

test.each(WAYS)('a file that is %s is looked at when it is whole', async (_, saveAs) => {
  const { seen, file } = await watching();
  saveAs(file, '{"last":1}');
  await until(() => seen.includes('{"last":1}'), 'the last content was looked at');
});

test('a directory of settings that appears later is watched, too, and so is a file that goes', async () => {
  const session = testSession();
  rmSync(join(session.project, '.hookd'), { recursive: true });
  let looks = 0;
  const watch = await watchSettings({
    files: [session.projectFile],
    look: async () => {
      looks += 1;
      return undefined;
    },
  });
  onTestFinished(watch.close);
  await until(() => looks === 1, 'the first look');
  mkdirSync(join(session.project, '.hookd'));
  await until(() => looks > 1, 'the directory was noticed');
  const before = looks;
  save(session.projectFile, '{}');
  await until(() => looks > before, 'the file in it was noticed');
  const then = looks;
  rmSync(session.projectFile);
  await until(() => looks > then, 'it was noticed that it went');
});

test('whoever looks can ask to look again although nothing stirs', async () => {
  const { seen, file } = await watching(50);
  writeFileSync(file, '{}');
  await until(() => seen.length >= 2, 'it was looked at twice');
});

test('files beside the settings are nobody’s business', async () => {
  const { seen, session, file } = await watching();
  writeFileSync(join(session.project, '.hookd', 'other.json'), '{}');
  writeFileSync(join(session.project, 'code.ts'), '');
  writeFileSync(file, '{"told":1}');
  await until(() => seen.length > 0, 'the settings were looked at');
  expect([...new Set(seen)]).toEqual(['{"told":1}']);
});
