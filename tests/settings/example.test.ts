/** The example settings: complete, explained line by line, and held to their own tests. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { publishedSchema } from '../../src/settings/schema.ts';
import { hookd, makeWorkspace } from '../support/hookd.ts';

const repository = resolve(import.meta.dirname, '../..');
const example = readFileSync(join(repository, 'settings.example.json'), 'utf8');
const page = readFileSync(join(repository, 'docs/settings-example.md'), 'utf8');
const rows = join(repository, 'settings.example.test.jsonl');

function withExample(text = example) {
  const workspace = makeWorkspace();
  writeFileSync(join(workspace.home, 'settings.json'), text);
  return workspace;
}

test('the example passes its own tests, and they touch every rule of it', async () => {
  const { code, stdout, stderr } = await hookd(withExample(), ['policy', 'test', rows, '--json']);
  const { passed, failed, coverage } = JSON.parse(stdout);
  expect({ code, stderr, failed, unmatched: coverage.unmatched }).toEqual({
    ...{ code: 0, stderr: '', failed: 0, unmatched: [] },
  });
  expect(passed).toBeGreaterThan(40);
  expect(coverage.rules).toBeGreaterThan(30);
});

test('the tests of the example do not depend on where hookd keeps its own', async () => {
  const workspace = makeWorkspace();
  const home = join(workspace.root, 'elsewhere');
  mkdirSync(home);
  writeFileSync(join(home, 'settings.json'), example);
  const moved = { ...workspace, env: { ...workspace.env, HOOKD_HOME: home } };
  const { code, stdout } = await hookd(moved, ['policy', 'test', rows, '--json']);
  expect({ code, failed: JSON.parse(stdout).failed }).toEqual({ code: 0, failed: 0 });
});

test('a rule that is taken out of the example is missed by its tests', async () => {
  const without = example.replace('      "Read(*.pem)",\n', '');
  expect(without).not.toBe(example);
  const { code, stdout } = await hookd(withExample(without), ['policy', 'test', rows]);
  expect(code).toBe(1);
  // Lines are broken where the paths of the machine make them long.
  expect(stdout.replace(/\s+/g, ' ')).toContain('settings.example.test.jsonl:4: nor as one part of many');
});

test('every rule and every key of the example stands in its page', () => {
  const { permissions, ...others } = JSON.parse(example);
  const { deny, ask, allow, ...more } = permissions;
  for (const rule of [...deny, ...ask, ...allow]) expect(page).toContain(`\`${rule}\``);
  for (const key of [...Object.keys(others), ...Object.keys(more), ...Object.keys(others.env)])
    expect(page).toContain(key);
});

test('every key that one may set in one’s own file is in the example, or left out with a reason', () => {
  const schema = JSON.parse(JSON.stringify(publishedSchema()));
  const { permissions, ...others } = JSON.parse(example);
  const known = [...Object.keys(schema.properties), ...Object.keys(schema.properties.permissions.properties)];
  expect(known.length).toBeGreaterThan(15);
  const used = [...Object.keys(others), 'permissions', ...Object.keys(permissions)];
  const unnamed = known.filter(
    (key) => !used.includes(key) && !page.includes(`${key}\``) && !/^allowManaged/.test(key),
  );
  expect(unnamed, 'to be set in the example, or left out in its page with a reason').toEqual([]);
});
