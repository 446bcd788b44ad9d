/** Something happens to the audit file between any two of ten calls: the next one does not run, and a later start works. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { listSegments, listWriters } from '../../src/audit/read.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import { makeWorkspace, type Workspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const CALLS = 10;
const SETTINGS = { settings: { permissions: { allow: ['Write'] } } };
const TURNS = [
  ...Array.from({ length: CALLS }, (_, n) => [toolUse('Write', { file_path: `mark-${n}`, content: 'x' })]),
  [text('ok')],
];

const marksOf = ({ project }: Workspace) => readdirSync(project).filter((name) => name.startsWith('mark-'));

function fileOf({ home }: Workspace): string {
  const audit = join(home, 'audit');
  const path = listSegments(join(audit, listWriters(audit)[0] ?? '')).at(-1)?.path;
  if (path === undefined) throw new Error('no file');
  return path;
}

const WAYS: readonly [string, (file: string) => void, string | undefined][] = [
  ['removed', (file) => rmSync(file), 'AUDIT_TAMPERED'],
  [
    'replaced',
    (file) => {
      const bytes = readFileSync(file);
      rmSync(file);
      writeFileSync(file, bytes);
    },
    'AUDIT_TAMPERED',
  ],
  ['truncated', (file) => truncateSync(file, 100), 'AUDIT_TAMPERED'],
  ['written to', (file) => appendFileSync(file, '{}\n'), 'AUDIT_TAMPERED'],
  [
    'moved with its directory',
    (file) => renameSync(dirname(file), `${dirname(file)}-moved`),
    'AUDIT_TAMPERED',
  ],
  [
    'covered by another directory',
    (file) => {
      renameSync(dirname(file), `${dirname(file)}-moved`);
      mkdirSync(dirname(file));
    },
    'AUDIT_TAMPERED',
  ],
  // What is open can still be written: every call is on record, so every call runs.
  ['made read-only', (file) => chmodSync(file, 0o400), undefined],
  ['made read-only with its directory', (file) => chmodSync(dirname(file), 0o500), undefined],
];

it.each(WAYS)('%s', async (_, change, code) => {
  for (let k = 1; k < CALLS; k++) {
    const workspace = makeWorkspace(SETTINGS);
    let results = 0;
    const outcome = await play(TURNS, {
      workspace,
      onEvent: ({ kind }) => {
        if (kind === 'tool_result') results += 1;
        if (kind === 'tool_result' && results === k) change(fileOf(workspace));
      },
    }).then(
      () => undefined,
      (error: { code?: string }) => error.code,
    );
    expect({ k, outcome, marks: marksOf(workspace).length }).toEqual({
      k,
      outcome: code,
      marks: code === undefined ? CALLS : k,
    });
    const later = await Daemon.open({ env: workspace.env });
    await later.close('a later start');
  }
});
