/** `hookd doctor`: what it says of a machine and a project, well or ill. */
import { appendFileSync, chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Diagnosis } from '../../src/cli/doctor.ts';
import { hookd, makeWorkspace, modelScript, type Workspace } from '../support/hookd.ts';
import { text } from '../support/in-process.ts';

async function diagnose(workspace: Workspace, args: readonly string[] = []) {
  const { stdout, code: exitCode } = await hookd(workspace, ['doctor', '--json', ...args]);
  const { healthy, checks } = JSON.parse(stdout) as { healthy: boolean; checks: readonly Diagnosis[] };
  const of = (name: string) =>
    checks.filter(({ check }) => check === name).map(({ state, what, advice }) => ({ state, what, advice }));
  return { healthy, exitCode, checks, of };
}

test('a sound installation: everything is looked at, nothing fails, and nothing is left behind', async () => {
  const workspace = makeWorkspace();
  await hookd(workspace, ['run', 'hi', '--model-script', modelScript(workspace, [[text('hello')]])]);
  const before = readdirSync(join(workspace.home, 'audit'));
  const { healthy, exitCode, checks, of } = await diagnose(workspace);
  expect([healthy, exitCode]).toEqual([true, 0]);
  expect([...new Set(checks.map(({ check }) => check))]).toEqual([
    ...['node', 'shell', 'home', 'daemon', 'model', 'settings', 'hooks', 'trust', 'disk', 'fsync', 'audit'],
  ]);
  expect(of('audit')).toEqual([
    { state: 'ok', what: expect.stringMatching(/^\d+ records in 1 chain, all sound$/), advice: undefined },
  ]);
  expect(readdirSync(join(workspace.home, 'audit'))).toEqual(before);
});

test('each thing that is wrong is named, with what to do about it', async () => {
  const workspace = makeWorkspace({ settings: { permissions: { deny: ['Bash(rm *)'] } } });
  await hookd(workspace, ['run', 'hi', '--model-script', modelScript(workspace, [[text('hello')]])]);
  const [chain = ''] = readdirSync(join(workspace.home, 'audit'));
  appendFileSync(join(workspace.home, 'audit', chain, '000001.jsonl'), '{"forged":true}\n');
  chmodSync(workspace.home, 0o755);
  const folder = join(workspace.project, '.hookd');
  mkdirSync(folder, { recursive: true });
  const hooks = { PreToolUse: [{ matcher: 'Bsh', hooks: [{ type: 'command', command: './missing.sh' }] }] };
  writeFileSync(
    join(folder, 'settings.json'),
    JSON.stringify({ permissions: { allow: ['Bash(make)'] }, hooks }),
  );
  mkdirSync(join(workspace.project, '.claude'), { recursive: true });
  writeFileSync(
    join(workspace.project, '.claude', 'settings.json'),
    JSON.stringify({ permissions: { deny: ['Read(.env)'] } }),
  );
  const { healthy, exitCode, of } = await diagnose(workspace);
  expect([healthy, exitCode]).toEqual([false, 1]);
  expect(of('home')).toEqual([
    {
      state: 'warns',
      what: `Others may look into ${workspace.home}.`,
      advice: `chmod 700 ${workspace.home}`,
    },
  ]);
  expect(of('audit').map(({ state }) => state)).toEqual(['fails']);
  expect(of('audit')[0]?.what).toContain('000001.jsonl');
  const hooksSaid = of('hooks').map(({ what }) => what);
  expect(hooksSaid.some((what) => what.includes('never matches'))).toBe(true);
  expect(hooksSaid.some((what) => what.includes('missing.sh'))).toBe(true);
  expect(of('settings').some(({ what }) => what.includes('.claude/settings.json'))).toBe(true);
  expect(of('trust')[0]).toMatchObject({
    state: 'warns',
    what: expect.stringContaining('allow Bash(make)'),
    advice: expect.stringContaining('hookd trust'),
  });
});

test('settings that keep sessions from starting fail, for people in lines of a terminal', async () => {
  const workspace = makeWorkspace();
  writeFileSync(join(workspace.home, 'settings.json'), '{"permissions":{"dfny":[]}}');
  const { stdout, code: exitCode } = await hookd(workspace, ['doctor']);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^FAIL {2}settings /m);
  expect(stdout).toContain('hookd settings check');
  const long = stdout.split('\n').filter((line) => line.length > 80 && !line.includes(workspace.home));
  expect(long).toEqual([]);
});
