import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { generatedPages } from '../../scripts/generate-docs.ts';
import type { ToolUseId } from '../../src/core/vocabulary.ts';
import { decide } from '../../src/permissions/decide.ts';
import { realFiles } from '../../src/permissions/files-view.ts';
import { publishedSchema, schemaErrors } from '../../src/settings/schema.ts';
import { save, testSession } from './session.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

test('the tables in the docs are those that the schema gives', () => {
  const pages = generatedPages();
  expect(pages.map(({ file }) => file)).toContain('docs/settings.md');
  for (const { file, now, fresh } of pages) expect(now, `${file} is stale`).toBe(fresh);
});

test('the example file loads without a warning', () => {
  const session = testSession();
  save(session.userFile, readFileSync(`${repository}/settings.example.json`));
  const { warnings, rules, maxTurns } = session.start().current();
  expect(warnings).toEqual([]);
  expect(rules.length).toBeGreaterThan(20);
  expect(maxTurns).toBe(50);
});

test('the example file keeps secrets, asks before a push and lets tests run', () => {
  const session = testSession();
  save(session.userFile, readFileSync(`${repository}/settings.example.json`));
  const { permissions } = session.start().current();
  const tool = (name: string, readOnly: boolean) => ({ name, description: '', inputSchema: {}, readOnly });
  const id = 'toolu_1' as ToolUseId;
  const bash = (command: string): string => {
    const specifier = { kind: 'command', command } as const;
    const call = { id, tool: tool('Bash', false), input: { command }, specifier };
    return `${decide({ permissions, call, files: realFiles }).behavior} ${command}`;
  };
  const read = (name: string): string => {
    const path = join(session.project, name);
    const specifier = { kind: 'path', access: 'read', path } as const;
    const call = { id, tool: tool('Read', true), input: { file_path: path }, specifier };
    return `${decide({ permissions, call, files: realFiles }).behavior} ${name}`;
  };
  const commands = [
    'npm test',
    'npm test -- --watch=false',
    'git status',
    'git push',
    'git push origin main',
  ];
  expect([...commands, 'rm a', 'cat .env', 'npm test && git push', 'curl x'].map(bash)).toEqual([
    'allow npm test',
    'allow npm test -- --watch=false',
    'allow git status',
    'ask git push',
    'ask git push origin main',
    'ask rm a',
    'deny cat .env',
    'ask npm test && git push',
    'ask curl x',
  ]);
  expect(['.env', 'a/.env.local', 'secrets/a/b', 'README.md'].map(read)).toEqual([
    'deny .env',
    'deny a/.env.local',
    'deny secrets/a/b',
    'allow README.md',
  ]);
});

test('every JSON example in the docs loads without a warning', () => {
  const page = readFileSync(`${repository}/docs/settings.md`, 'utf8');
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    const session = testSession();
    save(session.userFile, example);
    expect(session.start().current().warnings).toEqual([]);
  }
});

test('the published schema is plain JSON Schema that knows every key', () => {
  const schema = publishedSchema();
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  expect(schema).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { permissions: { properties: { deny: { type: 'array', items: { type: 'string' } } } } },
  });
  expect(schemaErrors({ permissions: { deny: ['Read'] }, whatever: 1 })).toEqual([]);
});

test('every key that a message names in quotes is one of the schema', () => {
  const { properties } = publishedSchema() as {
    properties: Record<string, { properties?: object }>;
  };
  const sources = join(repository, 'src');
  const named = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap(
      (name) => readFileSync(join(sources, name), 'utf8').match(/(?<=")(audit|permissions)\.\w+(?=")/g) ?? [],
    );
  expect(named).toContain('audit.keepDays');
  for (const key of new Set(named)) {
    const [top = '', inner = ''] = key.split('.');
    expect(Object.keys(properties[top]?.properties ?? {}), key).toContain(inner);
  }
});

test('an editor with the published schema finds what a session warns of or refuses, and nothing in good files', () => {
  const published = JSON.parse(readFileSync(`${repository}/docs/settings.schema.json`, 'utf8'));
  const validate = new Ajv({ strict: false }).compile(published);
  const hook = { type: 'command', command: 'true', async: true };
  const good = [
    JSON.parse(readFileSync(`${repository}/settings.example.json`, 'utf8')),
    { $schema: './settings.schema.json', hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } },
  ];
  expect(good.map((file) => validate(file))).toEqual([true, true]);
  const bad = [
    { permissions: { dfny: ['Read'] } },
    { permission: {} },
    { permissions: { deny: 'Read' } },
    { hooks: { PreToolUse: [{ hooks: [{ ...hook, timeout: 0 }] }] } },
    { hooks: { PreToolUse: [{ hooks: [{ type: 'command' }] }] } },
  ];
  expect(bad.map((file) => validate(file))).toEqual(bad.map(() => false));
});
