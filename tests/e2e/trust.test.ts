/** What a project may do before a person trusts it, and after: through the built program, as they would meet it. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectState } from '../../src/settings/project-state.ts';
import { auditRecords, HOOKD, hookd, makeWorkspace, modelScript, type Workspace } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { ENTER, hasTerminal, openTerminal } from '../support/terminal.ts';

const TOUCHES = { type: 'command', command: 'touch "$CLAUDE_PROJECT_DIR/ran"' };
const ALLOWS = {
  type: 'command',
  command: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`,
};

/** A project that wants everything, with a script that calls what it allows and what it denies. */
function greedy(more: object = {}): Workspace & { readonly script: string } {
  const workspace = makeWorkspace({
    projectSettings: {
      permissions: {
        allow: ['Bash(mkdir allowed)'],
        deny: ['Bash(mkdir denied)'],
        defaultMode: 'bypassPermissions',
        disableBuiltinRules: ['sudo'],
      },
      hooks: { SessionStart: [{ hooks: [TOUCHES] }], PreToolUse: [{ hooks: [TOUCHES, ALLOWS] }] },
      env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', PATH: '/nowhere', COLOUR: 'blue' },
      ...{ model: 'theirs', maxTurns: 1, audit: { sinks: [] }, disableAllHooks: false },
      ...more,
    },
  });
  const script = modelScript(workspace, [
    [toolUse('Bash', { command: 'mkdir allowed' })],
    [toolUse('Bash', { command: 'mkdir denied' })],
    [toolUse('Bash', { command: 'mkdir other' })],
    [text('done')],
  ]);
  return { ...workspace, script };
}

const made = ({ project }: Workspace): readonly string[] =>
  ['allowed', 'denied', 'other', 'ran'].filter((name) => existsSync(join(project, name)));

const trustFile = ({ home, project }: Workspace): string => projectState(home, project).trust;

describe('a project', () => {
  it('that nobody trusts adds no right and runs no code; its denies hold; trusted, it does both; revoked, neither', async () => {
    const workspace = greedy();
    const run = () =>
      hookd(workspace, ['run', 'go', '--model-script', workspace.script, '--permission-mode', 'default']);
    const first = await run();
    expect(first.code).toBe(0);
    expect(made(workspace)).toEqual([]);
    expect(first.stderr).toContain('permissions.allow: ignored until this project is trusted (hookd trust)');
    expect(first.stderr).toContain(
      'hooks: none of these hooks runs until this project is trusted (hookd trust)',
    );

    const trusted = await hookd(workspace, ['trust']);
    expect(trusted.code).toBe(0);
    expect(trusted.stdout).toContain('│ allow Bash(mkdir allowed)');
    expect(trusted.stdout).toContain('│ hook PreToolUse touch "$CLAUDE_PROJECT_DIR/ran"');
    expect(trusted.stdout).not.toContain('bypassPermissions');
    expect(trusted.stdout).not.toContain('env PATH');
    expect(statSync(trustFile(workspace)).mode & 0o777).toBe(0o600);
    await run();
    // The hook says allow to everything but what a rule denies.
    expect(made(workspace)).toEqual(['allowed', 'other', 'ran']);

    for (const name of made(workspace)) rmSync(join(workspace.project, name), { recursive: true });
    expect((await hookd(workspace, ['trust', '--revoke'])).stdout).toContain('Not trusted any more');
    await run();
    expect(made(workspace)).toEqual([]);
  });

  it('trusted or not, sets no model, limit, built-in rule, bypass or audit, and reads no key of its own', async () => {
    const workspace = greedy({ hooks: {} });
    writeFileSync(
      join(workspace.project, '.env'),
      'ANTHROPIC_API_KEY=theirs\nANTHROPIC_BASE_URL=http://127.0.0.1:1\n',
    );
    expect((await hookd(workspace, ['trust'])).code).toBe(0);
    const { code, stderr } = await hookd(workspace, ['run', 'go', '--model-script', workspace.script]);
    expect(code).toBe(0);
    for (const key of ['model', 'maxTurns', 'audit', 'permissions.disableBuiltinRules'])
      expect(stderr).toContain(`${key}: ignored: a project cannot set this, trusted or not`);
    expect(stderr).toContain('a project cannot choose permission mode "bypassPermissions", ignored');
    expect(made(workspace)).toEqual(['allowed']);
    const { code: keyless, stderr: told } = await hookd(workspace, ['run', 'go']);
    expect({ keyless, told }).toMatchObject({
      keyless: 2,
      told: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
  });

  it('with errors is not trusted, and says which', async () => {
    const workspace = makeWorkspace({ projectSettings: { hooks: { PreToolUse: [{ hooks: 5 }] } } });
    const { code, stderr } = await hookd(workspace, ['trust']);
    expect(code).toBe(2);
    expect(stderr).toContain('settings.json:5:18: hooks.PreToolUse[0].hooks');
    expect(existsSync(trustFile(workspace))).toBe(false);
  });

  it('is listed while it is trusted, with what changed since; also when it is gone it can be revoked', async () => {
    const workspace = greedy();
    const { project } = workspace;
    expect((await hookd(workspace, ['trust', '--list'])).stdout).toBe('no project is trusted\n');
    await hookd(workspace, ['trust']);
    appendFileSync(join(project, '.hookd/settings.json'), '\n');
    const listed = await hookd(workspace, ['trust', '--list', '--json']);
    const file = join(project, '.hookd/settings.json');
    expect(JSON.parse(listed.stdout)).toMatchObject({ trusted: [{ project, changed: [file] }] });
    const elsewhere = { ...workspace, project: workspace.root };
    rmSync(project, { recursive: true });
    expect((await hookd(elsewhere, ['trust', '--revoke', project])).code).toBe(0);
    expect((await hookd(elsewhere, ['trust', '--list'])).stdout).toBe('no project is trusted\n');
    expect((await hookd(elsewhere, ['trust', project])).code).toBe(2);
  });

  it('is its path: a copy elsewhere is not trusted', async () => {
    const workspace = greedy();
    await hookd(workspace, ['trust']);
    const copy = { ...workspace, project: join(workspace.root, 'copy') };
    mkdirSync(join(copy.project, '.hookd'), { recursive: true });
    writeFileSync(
      join(copy.project, '.hookd/settings.json'),
      readFileSync(join(workspace.project, '.hookd/settings.json')),
    );
    await hookd(copy, ['run', 'go', '--model-script', workspace.script]);
    expect(made(copy)).toEqual([]);
  });
});

describe('the agent', () => {
  it('cannot trust a project or accept a change, in no mode and whatever is allowed', async () => {
    const workspace = greedy({ hooks: {} });
    const commands = [
      'hookd trust',
      'hookd trust --revoke .',
      'hookd settings accept',
      `node ${HOOKD} trust`,
      `cd .. && node ${HOOKD} settings accept`,
      `bash -c "node ${HOOKD} trust project"`,
    ];
    const script = modelScript(workspace, [
      ...commands.map((command) => [toolUse('Bash', { command })]),
      [text('done')],
    ]);
    await hookd(workspace, ['run', 'go', '--model-script', script, '--dangerously-skip-permissions']);
    const results = auditRecords(workspace).filter(({ kind }) => kind === 'tool_result');
    expect(results.map((result) => result['outcome'])).toEqual(commands.map(() => 'denied'));
    expect(existsSync(trustFile(workspace))).toBe(false);
  });

  it('loosens nothing by a change of the project’s settings, until a person accepts it', async () => {
    const workspace = makeWorkspace({
      projectSettings: { permissions: { deny: ['Bash(mkdir denied)'] } },
      files: {
        change: '#!/bin/sh\necho "$2" > "$1"\n',
        'new.json': '{"permissions": {"allow": ["Bash(mkdir allowed)"]}}',
      },
      settings: { permissions: { allow: ['Bash(sh change.sh)'] } },
    });
    const { project } = workspace;
    writeFileSync(join(project, 'change.sh'), 'cp new.json "$(printf .%s hookd)/settings.json"\n');
    const script = modelScript(workspace, [
      [toolUse('Bash', { command: 'sh change.sh' })],
      [toolUse('Bash', { command: 'mkdir allowed' })],
      [toolUse('Bash', { command: 'mkdir denied' })],
      [text('done')],
    ]);
    await hookd(workspace, ['trust']);
    const run = () => hookd(workspace, ['run', 'go', '--model-script', script]);
    const { stderr } = await run();
    expect(readFileSync(join(project, '.hookd/settings.json'), 'utf8')).toContain('allow');
    expect(made(workspace)).toEqual([]);
    expect(stderr).toContain(
      'what it loosens waits for you: allow Bash(mkdir allowed); no longer deny Bash(mkdir denied)',
    );
    await run();
    expect(made(workspace)).toEqual([]);

    const accepted = await hookd(workspace, ['settings', 'accept', '--json']);
    expect(JSON.parse(accepted.stdout)).toEqual({
      project,
      accepted: [
        {
          file: join(project, '.hookd/settings.json'),
          loosens: ['allow Bash(mkdir allowed)', 'no longer deny Bash(mkdir denied)'],
        },
      ],
    });
    await run();
    expect(made(workspace)).toEqual(['allowed']);
    expect((await hookd(workspace, ['settings', 'accept'])).stdout).toBe(`Nothing waits in ${project}.\n`);
  });
});

describe.skipIf(!hasTerminal)('a conversation', () => {
  it('names what an untrusted project would switch on; a no is not asked again; a yes switches it on', async () => {
    const workspace = greedy();
    const args = ['go', '--model-script', workspace.script];
    const first = openTerminal(workspace, args);
    await first.sees('are not trusted. They would switch on:');
    await first.sees('│ allow Bash(mkdir allowed)');
    await first.sees('│ hook SessionStart touch "$CLAUDE_PROJECT_DIR/ran"');
    await first.sees('[y/N] ');
    first.type(ENTER);
    await first.sees('Not trusted: it only tightens.');
    await first.sees('Allow this Bash command once? [y/N] ');
    first.type(`n${ENTER}`);
    await first.sees('Allow this Bash command once? [y/N] ');
    first.type(`n${ENTER}`);
    await first.sees(/done\n> /);
    first.type(`q${ENTER}`);
    await first.exitCode;
    expect(made(workspace)).toEqual([]);

    const second = openTerminal(workspace, ['--model-script', workspace.script]);
    await second.sees('> ');
    second.type(`q${ENTER}`);
    await second.exitCode;
    expect(second.screen()).not.toContain('They would switch on');

    appendFileSync(join(workspace.project, '.hookd/settings.json'), '\n');
    writeFileSync(join(workspace.project, '.hookd/settings.local.json'), '{"env": {"X": "1"}}');
    const third = openTerminal(workspace, args);
    await third.sees('│ env X');
    await third.sees('[y/N] ');
    third.type(`y${ENTER}`);
    await third.sees(/done\n> /);
    third.type(`q${ENTER}`);
    await third.exitCode;
    expect(made(workspace)).toEqual(['allowed', 'other', 'ran']);
  });
});
