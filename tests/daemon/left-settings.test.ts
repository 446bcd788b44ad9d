/** What changed in a project's settings while a call ran that hookd did not survive. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hookd, makeWorkspace, modelScript, type Workspace } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

const made: Workspace[] = [];
afterEach(() => {
  for (const { root } of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** A trusted project; a script of it, which may run, puts `changed` in place of its settings and kills hookd. */
async function killedAfter(before: object | undefined, changed: object): Promise<Workspace> {
  const workspace = await killedBy('cp changed.json .hookd/settings.json', before, changed);
  expect(readFileSync(settingsOf(workspace), 'utf8')).toBe(JSON.stringify(changed));
  return workspace;
}

const settingsOf = ({ project }: Workspace) => join(project, '.hookd/settings.json');

async function killedBy(script: string, before: object | undefined, changed: object): Promise<Workspace> {
  const workspace = makeWorkspace({
    settings: { permissions: { allow: ['Bash(sh change.sh)'] } },
    ...(before === undefined ? {} : { projectSettings: before }),
    files: {
      'changed.json': JSON.stringify(changed),
      'change.sh': `mkdir -p .hookd; ${script}; kill -9 $PPID; sleep 60`,
    },
  });
  made.push(workspace);
  expect(await hookd(workspace, ['trust'])).toMatchObject({ code: 0 });
  const { signal } = await run(workspace, 'sh change.sh');
  expect(signal).toBe('SIGKILL');
  return workspace;
}

function run(workspace: Workspace, command: string) {
  const script = modelScript(workspace, [[toolUse('Bash', { command })], [text('ok')]]);
  return hookd(workspace, ['run', 'go', '--no-daemon', '--model-script', script]);
}

const ALLOWS = { permissions: { allow: ['Bash(touch made)'] } };

describe('settings that changed while a call ran that hookd did not survive', () => {
  it.each([
    ['changed', {}],
    ['came', undefined],
  ])('wait for a person in what they loosen (%s), as after any other call', async (_, before) => {
    const workspace = await killedAfter(before, ALLOWS);
    const { stderr } = await run(workspace, 'touch made');
    expect(stderr).toMatch(
      /it changed while a tool call ran, so what it loosens waits for you: allow Bash\(touch made\)/,
    );
    expect(existsSync(join(workspace.project, 'made'))).toBe(false);
    expect(await hookd(workspace, ['settings', 'accept'])).toMatchObject({ code: 0 });
    await run(workspace, 'touch made');
    expect(existsSync(join(workspace.project, 'made'))).toBe(true);
  });

  it.each([
    ['a directory', 'rm .hookd/settings.json; mkdir .hookd/settings.json'],
    ['a link to nothing', 'ln -sf ../later.json .hookd/settings.json'],
  ])('wait also where only a later start than the next can read the file (%s)', async (_, script) => {
    const workspace = await killedBy(script, {}, {});
    expect(await run(workspace, 'touch made')).toMatchObject({ code: 2 });
    rmSync(settingsOf(workspace), { recursive: true });
    writeFileSync(settingsOf(workspace), JSON.stringify(ALLOWS));
    const { stderr } = await run(workspace, 'touch made');
    expect(stderr).toContain('waits for you: allow Bash(touch made)');
    expect(existsSync(join(workspace.project, 'made'))).toBe(false);
  });

  it('count at once where they only tighten', async () => {
    const workspace = await killedAfter(ALLOWS, { permissions: { ...ALLOWS.permissions, deny: ['Read'] } });
    const { stderr } = await run(workspace, 'touch made');
    expect(stderr).not.toContain('waits for you');
    expect(existsSync(join(workspace.project, 'made'))).toBe(true);
  });

  it('and that did not change do not wait, whatever a person writes later', async () => {
    const workspace = await killedAfter(ALLOWS, ALLOWS);
    await run(workspace, 'touch made');
    expect(readdirSync(workspace.project)).toContain('made');
    writeFileSync(settingsOf(workspace), JSON.stringify({ permissions: { allow: ['Bash(touch more)'] } }));
    await run(workspace, 'touch more');
    expect(readdirSync(workspace.project)).toContain('more');
  });
});
