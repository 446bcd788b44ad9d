/** `hookd settings …`, as somebody uses it who edits settings all day. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeHeld } from '../../src/settings/held-file.ts';
import { projectState } from '../../src/settings/project-state.ts';
import { hookd, makeWorkspace, type Workspace } from '../support/hookd.ts';

const ROOT = join(import.meta.dirname, '../..');

it('settings schema prints the schema that the docs hold', async () => {
  const { code, stdout } = await hookd(makeWorkspace(), ['settings', 'schema']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: readFileSync(join(ROOT, 'docs/settings.schema.json'), 'utf8'),
  });
});

describe('settings check', () => {
  it('tells each rule for a tool that is not here, which a session tells in one line', async () => {
    const workspace = makeWorkspace({ settings: { permissions: { deny: ['Skill(a)', 'WebSearch'] } } });
    const { stdout } = await hookd(workspace, ['settings', 'check']);
    expect(stdout.match(/warning/g)).toHaveLength(3);
    expect(stdout).toContain('permissions.deny[0]: Skill(a): there is no tool Skill here');
    expect(stdout).toContain('permissions.deny[1]: WebSearch: there is no tool WebSearch here');
    expect(stdout).toContain('ok, with 2 warnings');
  });

  it('says everything that is wrong in a file at once, each with its place and what to do', async () => {
    const workspace = makeWorkspace();
    const file = join(workspace.project, 'mine.json');
    const lines = [
      '{ "permissions": {',
      '    "dfny": ["Read"],',
      '    "ask": "Bash",',
      '    "deny": ["bash(ls)", 5],',
      '    "allow": ["Foo("],',
      '    "defaultMode": "defalt" },',
      '  "maxTurns": 0,',
      '  "whatever": 1 }',
    ];
    writeFileSync(file, lines.join('\n'));
    const { code, stdout } = await hookd(workspace, ['settings', 'check', 'mine.json']);
    expect(code).toBe(2);
    expect(stdout.replaceAll(file, 'mine.json').split('\n')).toEqual([
      'mine.json:2:5: error: permissions.dfny: unknown key, so near a known one that its loss would be an accident. Did you mean "deny"? Correct or remove it.',
      'mine.json:3:12: error: permissions.ask: wrong value (expected a list of strings, found a string ("Bash")). Write ["Bash"].',
      'mine.json:4:14: error: permissions.deny[0]: "bash(ls)" is not a permission rule: tool names are exact: write Bash. Correct or remove it.',
      'mine.json:4:26: error: permissions.deny[1]: wrong value (expected a string, found a number (5)).',
      'mine.json:5:15: warning: permissions.allow[0]: "Foo(" is not a permission rule: the ")" is missing; ignored.',
      'mine.json:6:20: error: permissions.defaultMode: unknown permission mode (expected "default", "manual", "acceptEdits", "plan", "dontAsk" or "bypassPermissions", found a string ("defalt")). Did you mean "default"?',
      'mine.json:7:15: error: maxTurns: wrong value (expected a whole number from 1, found a number (0)).',
      'mine.json:8:3: warning: whatever: unknown key, ignored.',
      '6 errors, 2 warnings in 1 file. No session starts with an error.',
      '',
    ]);
  });

  it('without a file looks at those of a session here, and at what they amount to together', async () => {
    const workspace = makeWorkspace({
      settings: { permissions: { deny: ['Read'], additionalDirectories: ['/no-such-directory'] } },
      projectSettings: { permissions: { allow: ['Bash'] } },
    });
    const { code, stdout } = await hookd(workspace, ['settings', 'check']);
    const user = join(workspace.home, 'settings.json');
    const project = join(workspace.project, '.hookd/settings.json');
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 0,
      lines: [
        `${project}:3:5: warning: permissions.allow: ignored until this project is trusted (hookd trust).`,
        `warning: ${user}: permissions.additionalDirectories: "/no-such-directory" does not exist; ignored.`,
        'ok, with 2 warnings: 2 files, 1 rule, 0 hooks',
        '',
      ],
    });
  });

  it('judges a file of this session with the authority that it has, and one that is not there as an error', async () => {
    const workspace = makeWorkspace({ projectSettings: { model: 'm' } });
    mkdirSync(join(workspace.project, 'folder'));
    const files = ['.hookd/settings.json', 'absent.json', 'folder'];
    const { code, stdout } = await hookd(workspace, ['settings', 'check', ...files, '--json']);
    const { errors, warnings, files: checked } = JSON.parse(stdout);
    expect({ code, errors, warnings }).toEqual({ code: 2, errors: 2, warnings: 1 });
    expect(checked[0]).toMatchObject({
      scope: 'project',
      isTrusted: false,
      problems: [{ severity: 'warning', line: 2, column: 3, key: 'model' }],
    });
  });

  it('shows more than the hundred problems that a session is told of', async () => {
    const workspace = makeWorkspace({
      settings: { permissions: { deny: Array.from({ length: 150 }, (_, index) => index) } },
    });
    const { code, stdout } = await hookd(workspace, ['settings', 'check']);
    expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 2, lines: 151 });
  });

  it('says how to begin where there are no settings', async () => {
    const { code, stdout } = await hookd(makeWorkspace(), ['settings', 'check']);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('hookd init') });
  });
});

describe('settings show', () => {
  const settings = {
    permissions: {
      deny: ['Read(.env)'],
      allow: ['Bash(git *)'],
      defaultMode: 'acceptEdits',
      disableBuiltinRules: ['dd', 'mkfs', 'reboot', 'shutdown', 'raw-disk', 'sudo'],
      additionalDirectories: ['/tmp'],
    },
    model: 'm',
    maxTurns: 5,
    env: { FOO: 'user', PORT: 1 },
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] },
  };
  const projectSettings = {
    permissions: { deny: ['Bash(rm *)'], allow: ['Bash'], defaultMode: 'plan' },
    env: { FOO: 'project' },
    hooks: { Stop: [{ hooks: [{ type: 'command', command: './stop.sh' }] }] },
  };

  it('shows each value in force with its file and line, and what is not in force with the reason', async () => {
    const workspace = makeWorkspace({ settings, projectSettings });
    const { code, stdout } = await hookd(workspace, ['settings', 'show']);
    expect(code).toBe(0);
    const lines = stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  '));
    expect(lines.slice(0, lines.indexOf('Warnings') - 1)).toEqual([
      `project ${workspace.project}`,
      '  .hookd/settings.json (project, not trusted: it only tightens)',
      '  ~/.hookd/settings.json (user)',
      '',
      'permissions.deny',
      '  Bash(rm *)  .hookd/settings.json:4',
      '  Read(.env)  ~/.hookd/settings.json:4',
      '  rm-root  built in',
      '',
      'permissions.allow',
      '  Bash(git *)  ~/.hookd/settings.json:7',
      '',
      'permissions.defaultMode',
      '  acceptEdits  ~/.hookd/settings.json:9',
      '',
      'permissions.additionalDirectories',
      '  /tmp  ~/.hookd/settings.json:19',
      '',
      'permissions.disableBuiltinRules',
      ...['dd', 'mkfs', 'reboot', 'shutdown', 'raw-disk', 'sudo'].map(
        (name, index) => `  ${name}  ~/.hookd/settings.json:${11 + index}`,
      ),
      '',
      'hooks.PreToolUse',
      '  Bash: true  ~/.hookd/settings.json:33',
      '',
      'env',
      '  FOO=user  ~/.hookd/settings.json:25',
      '  PORT=1  ~/.hookd/settings.json:26',
      '',
      'model',
      '  m  ~/.hookd/settings.json:22',
      '',
      'maxTurns',
      '  5  ~/.hookd/settings.json:23',
      '',
      'maxTokens',
      '  8000  built in',
      '',
      'maxStopBlocks',
      '  8  built in',
      '',
      'maxRetries',
      '  4  built in',
      '',
      'maxRepeatedFailures',
      '  6  built in',
      '',
      'contextWindow',
      '  200000  built in',
      '',
      'compactAt',
      '  0.8  built in',
      '',
      'requestTimeoutSeconds',
      '  300  built in',
      '',
      'streamIdleTimeoutSeconds',
      '  120  built in',
      '',
      'Not in force: the project is not trusted: of its files only what tightens counts',
      '  allow Bash  .hookd/settings.json:7',
      '',
      expect.stringMatching(/^Not in force: the project is not trusted/),
      expect.any(String),
      '  hooks.Stop ./stop.sh  .hookd/settings.json:18',
    ]);
    expect(stdout).toMatch(/Warnings\n.*defaultMode: ignored until this project is trusted/s);
  });

  it('tells of one key, of a trusted project, and of flags', async () => {
    const workspace = makeWorkspace({ settings, projectSettings });
    const show = async (...args: readonly string[]) =>
      (await hookd(workspace, ['settings', 'show', ...args])).stdout.replace(/ {2,}/g, '  ');
    expect(await show('env.FOO', '--trust-project')).toBe('env\n  FOO=project  .hookd/settings.json:12\n');
    expect(await show('model', '--settings', '{"model":"other"}')).toBe('model\n  other  --settings:1\n');
    expect(await show('audit')).toBe('audit is not set.\n');
    expect(JSON.parse(await show('maxTokens', '--json'))).toMatchObject({
      project: workspace.project,
      values: [{ key: 'maxTokens', value: 8000, source: 'built in' }],
    });
  });

  it('says of a file that changed during a call what waits for settings accept, also for one key', async () => {
    const stop = (command: string) => ({ Stop: [{ hooks: [{ type: 'command', command }] }] });
    const now = { permissions: { allow: ['Bash(make *)', 'Bash(ls *)'] }, hooks: stop('new') };
    const before = { permissions: { deny: ['Bash(rm *)'], allow: ['Bash(ls *)'] }, hooks: stop('old') };
    const workspace = makeWorkspace({ projectSettings: now });
    const file = join(workspace.project, '.hookd/settings.json');
    writeHeld(projectState(workspace.home, workspace.project), { file, accepted: JSON.stringify(before) });
    const show = async (...args: readonly string[]) =>
      (await hookd(workspace, [...args, '--trust-project'])).stdout.replace(/ {2,}/g, '  ');

    const permissions = await show('settings', 'show', 'permissions');
    expect(permissions).toContain('\n  Bash(rm *)  .hookd/settings.json before its change\n');
    expect(permissions).toContain('\n  Bash(ls *)  .hookd/settings.json:5\n');
    const why =
      'Not in force: the file changed while a tool call ran: what it loosens waits for\n  "hookd settings accept"';
    expect(permissions).toContain(`${why}\n  allow Bash(make *)  .hookd/settings.json:4\n`);
    expect(permissions).toMatch(/Warnings\n.*no longer deny Bash\(rm \*\).*hookd settings accept/);
    expect(await show('settings', 'show', 'hooks')).toContain(`${why}\n  hooks.Stop new`);
    expect(await show('hooks', 'list')).toContain(`${why}\n  Stop`);
    const { values, notInForce } = JSON.parse(await show('settings', 'show', 'permissions.deny', '--json'));
    expect(values[0]).toMatchObject({ value: 'Bash(rm *)', isAsAccepted: true });
    expect(notInForce).toEqual([]);
  });

  it('looks from another directory', async () => {
    const workspace = makeWorkspace({ projectSettings });
    const { stdout } = await hookd(workspace, ['settings', 'show', 'permissions.allow', '--cwd', '/']);
    expect(stdout).toBe('permissions.allow is not set.\n');
  });

  it('refuses a key that does not exist, and settings that no session would start with', async () => {
    const workspace = makeWorkspace({ settings: { permissions: { deny: 'Read' } } });
    const misspelt = await hookd(workspace, ['settings', 'show', 'permissions.dny']);
    expect(misspelt).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "permissions.deny"?'),
    });
    const broken = await hookd(workspace, ['settings', 'show']);
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('settings.json:3:13') });
  });
});

describe('init', () => {
  const init = async (workspace: Workspace, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await hookd(workspace, ['init', ...args]);
    return { code, stdout, stderr };
  };
  const read = (...path: readonly string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

  it('writes settings for the user, a hook that runs and a policy test that holds; then for the project', async () => {
    const workspace = makeWorkspace();
    mkdirSync(join(workspace.project, '.git'));
    const first = await init(workspace);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Wrote ~\/\.hookd\/settings\.json\n.*Try next:/s);
    const { hooks, ...settings } = read(workspace.home, 'settings.json');
    const {
      additionalDirectories: _,
      disableBuiltinRules: __,
      ...permissions
    } = read(ROOT, 'settings.example.json').permissions;
    expect(settings).toEqual({ permissions, maxTurns: 50 });
    expect(Object.keys(hooks)).toEqual(['PreToolUse']);
    expect(statSync(join(workspace.home, 'hooks/pre-tool-use.mjs')).mode & 0o777).toBe(0o755);
    const check = await hookd(workspace, ['settings', 'check']);
    expect(check).toMatchObject({ code: 0, stdout: 'ok: 1 file, 38 rules, 1 hook\n' });
    const policy = await hookd(workspace, ['policy', 'test', join(workspace.home, 'policy.test.jsonl')]);
    expect(policy).toMatchObject({ code: 0, stdout: expect.stringContaining('8 of 8 rows as expected') });
    const tried = ['hooks', 'run', 'PreToolUse', '--tool', 'Bash', '--input', '{"command":"ls"}', '--json'];
    expect((await hookd(workspace, tried)).code).toBe(0);

    expect(await init(workspace)).toMatchObject({ code: 0, stdout: expect.stringContaining('hookd trust') });
    expect(read(workspace.project, '.hookd/settings.json').maxTurns).toBeUndefined();
    const again = await init(workspace);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('There is something already') });
    expect(read(workspace.home, 'settings.json')).toEqual({ ...settings, hooks });
  });

  it('begins with what Claude Code has, and says what it could not carry over', async () => {
    const workspace = makeWorkspace();
    const claude = join(workspace.root, 'user/.claude');
    mkdirSync(claude);
    const guard = { matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] };
    const settings = {
      model: 'opus',
      sandbox: { enabled: true },
      permissions: { deny: ['Read(.env)', 'bash(x)'], allow: ['Bash(ls:*)'], defaultMode: 'auto' },
      hooks: { PreToolUse: [guard] },
      env: { A: '1' },
    };
    writeFileSync(join(claude, 'settings.json'), JSON.stringify(settings));
    const { code, stdout } = await init(workspace, '--json');
    expect(code).toBe(0);
    const { from, notCarriedOver } = JSON.parse(stdout);
    expect(from).toBe(join(claude, 'settings.json'));
    expect(notCarriedOver).toEqual([
      expect.stringMatching(/^model: /),
      'sandbox: commands would run outside the sandbox',
      expect.stringMatching(/^permissions\.deny\[1\]: "bash\(x\)" is not a permission rule/),
      expect.stringMatching(/^permissions\.defaultMode: permission mode "auto" is not supported/),
    ]);
    const written = read(workspace.home, 'settings.json');
    expect(written).toMatchObject({
      permissions: { deny: ['Read(.env)'], allow: ['Bash(ls:*)'] },
      env: { A: '1' },
    });
    expect(written.hooks.PreToolUse[0]).toEqual(guard);
    expect(written.hooks.PreToolUse).toHaveLength(2);
  });

  it('goes on without a file of Claude Code that cannot be read, and writes nothing over a hook', async () => {
    const workspace = makeWorkspace({ files: { '.claude/settings.json': '{ "permissions": ' } });
    mkdirSync(join(workspace.project, '.git'));
    mkdirSync(join(workspace.project, '.hookd/hooks'), { recursive: true });
    const hook = join(workspace.project, '.hookd/hooks/pre-tool-use.mjs');
    writeFileSync(hook, 'mine');
    const { code, stdout } = await init(workspace, '--project');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('not valid JSON') });
    expect(readFileSync(hook, 'utf8')).toBe('mine');
    expect(existsSync(join(workspace.project, '.hookd/settings.json'))).toBe(true);
    expect(existsSync(join(workspace.home, 'settings.json'))).toBe(false);
  });
});
