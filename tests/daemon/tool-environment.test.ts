/** Which bash the agent's commands run in, whatever PATH hooks have set. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Surroundings, ToolEnvironment } from '../../src/daemon/tool-environment.ts';
import type { Toolbox } from '../../src/tools/tool.ts';

const root = mkdtempSync(join(tmpdir(), 'hookd-tool-environment-'));
afterAll(() => rmSync(root, { recursive: true }));
writeFileSync(join(root, 'bash'), '#!/bin/sh\n');
chmodSync(join(root, 'bash'), 0o755);

function bashWith(path: string, lines: string): string | undefined {
  const envFile = join(root, 'session-env');
  writeFileSync(envFile, lines);
  const snapshot = () => ({ env: [], scrubEnv: [], permissions: { workplace: { project: root } } });
  const around = { env: { PATH: path }, home: { envFile }, snapshot, tell: () => undefined };
  const commands = new ToolEnvironment(around as unknown as Surroundings);
  const toolbox = commands.equip({} as Toolbox);
  // The file is read where the environment is.
  expect(toolbox.env['PATH']).toBeDefined();
  return toolbox.bash?.();
}

it('is that of the session, where the session has one', () => {
  expect(bashWith(root, 'export PATH=/nowhere')).toBe(join(root, 'bash'));
});

it('is /bin/bash where the session has none, and never one from a PATH that hooks have set', () => {
  expect(bashWith('/nowhere', `export PATH=${root}`)).toBe('/bin/bash');
});

it('is found by the system where hooks have set no PATH', () => {
  expect(bashWith(root, 'export A=1')).toBe('bash');
});
