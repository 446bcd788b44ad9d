import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startMessagesApi } from '../support/messages-api.ts';

const PROGRAM = fileURLToPath(new URL('one-request.ts', import.meta.url));

test('variables and profile files of the SDK change nothing: key, address and headers are those passed in', async () => {
  const api = await startMessagesApi([]);
  const other = await startMessagesApi([]);
  const home = await mkdtemp(join(tmpdir(), 'hookd-home-'));
  const profiles = join(home, 'anthropic', 'configs');
  await mkdir(profiles, { recursive: true });
  const profile = {
    base_url: other.url,
    authentication: { type: 'user_oauth' },
    workspace_id: 'wrkspc_profile',
  };
  await writeFile(join(profiles, 'default.json'), JSON.stringify(profile));
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: home,
    ANTHROPIC_CONFIG_DIR: join(home, 'anthropic'),
    ANTHROPIC_PROFILE: 'default',
    ANTHROPIC_API_KEY: 'sk-environment',
    ANTHROPIC_AUTH_TOKEN: 'token-environment',
    ANTHROPIC_BASE_URL: other.url,
    ANTHROPIC_LOG: 'debug',
    ANTHROPIC_CUSTOM_HEADERS:
      'Authorization: Bearer stolen\nX-Api-Key: stolen\nX-Custom: custom\nanthropic-beta: x',
    ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE: 'content',
  };
  const argv = ['--import', 'tsx', PROGRAM, api.url];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { env });
  await Promise.all([api.close(), other.close(), rm(home, { recursive: true })]);

  expect({ stdout, stderr }).toEqual({ stdout: '[{"type":"text","text":"done"}]\n', stderr: '' });
  expect(other.requests).toEqual([]);
  const [headers] = api.requests.map((request) => request.headers);
  expect(headers).toMatchObject({ authorization: 'Bearer sk-passed-in', 'x-api-key': 'sk-passed-in' });
  expect(Object.keys(headers ?? {}).sort()).toEqual([
    ...['accept', 'accept-encoding', 'anthropic-version', 'authorization', 'connection', 'content-length'],
    ...['content-type', 'host', 'user-agent', 'x-api-key'],
  ]);
});
