/** While another process swaps files and directories for links, nothing that is denied is read or written, not once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkspace, type Workspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const SWAPPER = resolve(import.meta.dirname, '../fixtures/swap-links.mjs');
const TURNS = 25;

/** What no call may see or change: denied by a rule in the workspace, and outside of it. */
const forbiddenIn = ({ project, root }: Workspace): readonly string[] => [
  join(project, 'secret'),
  join(root, 'outside'),
];

const FORBIDDEN = ['er/g', 'g', 'key'];

function furnish(workspace: Workspace): void {
  const save = (directory: string, name: string, content: string): void => {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  };
  for (const directory of forbiddenIn(workspace))
    for (const name of FORBIDDEN) save(directory, name, 'SECRET\n');
  for (const name of ['f', 'dir/g', 'deep/er/g']) save(workspace.project, name, 'open\n');
}

const contents = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => [
      join(entry.parentPath, entry.name).slice(directory.length + 1),
      readFileSync(join(entry.parentPath, entry.name), 'utf8'),
    ])
    .toSorted();

test('links that are swapped while calls run lead no call to a denied file', async () => {
  const workspace = makeWorkspace({
    settings: {
      permissions: {
        allow: ['Write', 'Edit'],
        deny: ['Read(secret/**)', 'Edit(secret/**)', 'Read(/../outside/**)'],
      },
    },
  });
  furnish(workspace);
  const files = ['f', 'dir/g', 'deep/er/g'];
  const turn = [
    ...files.map((file_path) => toolUse('Read', { file_path })),
    ...files.map((file_path) => toolUse('Write', { file_path, content: 'open\n' })),
    ...files.map((file_path) => toolUse('Edit', { file_path, old_string: 'open', new_string: 'opened' })),
    toolUse('Write', { file_path: 'deep/er/new/h', content: 'open\n' }),
    toolUse('Glob', { pattern: '**/{g,key}', path: 'dir' }),
  ];
  const swapper = spawn(process.execPath, [SWAPPER, workspace.project, ...forbiddenIn(workspace)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  swapper.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  await once(swapper.stdout, 'data');
  const { results, end } = await play([...Array.from({ length: TURNS }, () => turn), [text('done')]], {
    workspace,
  });
  swapper.stdin.end();
  await once(swapper, 'close');

  expect(end).toMatchObject({ reason: 'completed' });
  expect(results.length).toBe(TURNS * turn.length);
  expect(results.filter((result) => result.text.includes('SECRET'))).toEqual([]);
  expect(results.filter((result) => result.outcome === 'ok' && /\bkey\b/.test(result.text))).toEqual([]);
  for (const directory of forbiddenIn(workspace))
    expect(contents(directory)).toEqual(FORBIDDEN.map((name) => [name, 'SECRET\n']));
  // Calls were held up by the swaps, calls came through, and the links were there all the time.
  const ok = results.filter(({ outcome }) => outcome === 'ok').length;
  expect(ok).toBeGreaterThan(TURNS);
  expect(results.length - ok).toBeGreaterThan(TURNS);
  expect(
    results.filter((result) => result.text.includes('changed between the decision')).length,
  ).toBeGreaterThan(0);
  expect(Number(printed.replace('started', '').trim())).toBeGreaterThan(500);
});
