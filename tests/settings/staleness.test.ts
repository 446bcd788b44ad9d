/** A saved deny rule governs the very next call: a hundred times out of a hundred, however an editor saves. */
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolUseId } from '../../src/core/vocabulary.ts';
import { decide } from '../../src/permissions/decide.ts';
import { realFiles } from '../../src/permissions/files-view.ts';
import type { SettingsStore } from '../../src/settings/store.ts';
import { testSession } from './session.ts';

const ROUNDS = 100;

const allowing = (note: number): string =>
  JSON.stringify({ permissions: { allow: ['Bash'] }, maxTurns: note });
const denying = (note: number): string =>
  JSON.stringify({ permissions: { allow: ['Bash'], deny: ['Bash(touch *)'] }, maxTurns: note });

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A save in place of a file that stays open: two hundred of them take no time. */
function rewrite(descriptor: number, text: string): void {
  ftruncateSync(descriptor);
  writeSync(descriptor, text, 0);
}

const tool = { name: 'Bash', description: '', inputSchema: {}, readOnly: false };
const command = 'touch x';

/** What the gate says of the next call. */
function nextCall(store: SettingsStore): string {
  const specifier = { kind: 'command', command } as const;
  const call = { id: 'toolu_1' as ToolUseId, tool, input: { command }, specifier };
  return decide({ permissions: store.current().permissions, call, files: realFiles }).behavior;
}

/** `note` makes each text another one. */
const WAYS: Readonly<Record<string, (file: string, note: number) => void>> = {
  'in place': (file, note) => writeFileSync(file, denying(note)),
  'by atomic rename': (file, note) => {
    writeFileSync(`${file}.tmp`, denying(note));
    renameSync(`${file}.tmp`, file);
  },
  'by backup and rename, as vim does': (file, note) => {
    renameSync(file, `${file}~`);
    writeFileSync(file, denying(note));
    rmSync(`${file}~`);
  },
  'by a link that is swapped': (file, note) => {
    writeFileSync(`${file}.${note}`, denying(note));
    symlinkSync(`${file}.${note}`, `${file}.link`);
    renameSync(`${file}.link`, file);
  },
  'last in a burst of 200': (file, note) => {
    const descriptor = openSync(file, 'r+');
    for (let index = 1; index < 200; index++) rewrite(descriptor, allowing(index));
    rewrite(descriptor, denying(note));
    closeSync(descriptor);
  },
  'ten milliseconds after another save': (file, note) => {
    writeFileSync(file, allowing(note + 1));
    pause(10);
    writeFileSync(file, denying(note));
  },
};

/** `settled`: files are so old that `stat` alone tells; `young`: as the clock says. */
describe.each([
  ['settled', 60_000],
  ['young', 0],
] as const)('of %s files', (_, aheadMs) => {
  test.each(Object.entries(WAYS))('a deny rule saved %s denies the very next call', (_way, saveAs) => {
    const session = testSession();
    const file = session.userFile;
    session.clock.aheadMs = aheadMs;
    writeFileSync(file, allowing(1));
    const store = session.start();
    const said: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rmSync(file, { force: true });
      writeFileSync(file, allowing(1000 + round));
      const before = nextCall(store);
      saveAs(file, 2000 + round);
      said.push(`${before} ${nextCall(store)}`);
    }
    expect(said).toEqual(said.map(() => 'allow deny'));
    expect(said).toHaveLength(ROUNDS);
  });

  test('a deny rule in a file that is created for the first time denies the very next call', () => {
    const session = testSession();
    session.clock.aheadMs = aheadMs;
    const file = session.projectFile;
    writeFileSync(session.userFile, allowing(1));
    const store = session.start();
    const said: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = nextCall(store);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, denying(round + 1));
      said.push(`${before} ${nextCall(store)}`);
      rmSync(dirname(file), { recursive: true });
      nextCall(store);
      // What it held counts for two seconds more: an editor may be saving.
      session.clock.aheadMs += 2000;
    }
    expect(said).toEqual(said.map(() => 'allow deny'));
    expect(said).toHaveLength(ROUNDS);
  });
});
