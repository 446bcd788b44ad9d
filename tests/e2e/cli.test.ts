/** The commands, their exit codes and their words, as a person or a script meets them. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  auditRecords,
  HOOKD,
  hookd,
  kindsOf,
  makeWorkspace,
  modelScript,
  startHookd,
  until,
  type Workspace,
} from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

function said(workspace: Workspace, words = 'done'): string {
  return modelScript(workspace, [[text(words)]], 'said.json');
}

/** As `hookd`, with stdout on a device. */
async function hookdInto(device: string, { project, env }: Workspace, args: readonly string[]) {
  const descriptor = openSync(device, 'w');
  const child = spawn(process.execPath, [HOOKD, ...args], {
    ...{ cwd: project, env },
    stdio: ['ignore', descriptor, 'pipe'],
  });
  closeSync(descriptor);
  let stderr = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr += bytes.toString();
  });
  const code = await new Promise<number | null>((done) => child.on('close', (code) => done(code)));
  return { code, stderr };
}

describe('a run', () => {
  it('takes its prompt from stdin', async () => {
    const workspace = makeWorkspace();
    const { code, stdout } = await hookd(
      workspace,
      ['run', '--model-script', said(workspace)],
      'from stdin\n',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' });
    expect(auditRecords(workspace).find(({ kind }) => kind === 'prompt')?.['text']).toBe('from stdin\n');
  });

  it.each([
    ['no prompt', ['-p'], 'There is no prompt'],
    ['an unknown flag', ['-p', 'x', '--dangerously'], 'Unknown argument: dangerously'],
    ['an unknown format', ['-p', 'x', '--output-format', 'xml'], 'output-format'],
    ['a conversation without a terminal', [], 'needs a terminal'],
    ['no key', ['-p', 'x'], 'ANTHROPIC_API_KEY'],
    ['a script that is none', ['-p', 'x', '--model-script', '/dev/null'], 'MODEL_SCRIPT_INVALID'],
    ['a mode that is not supported', ['-p', 'x', '--permission-mode', 'auto'], 'permission-mode'],
    [
      'a word after the value of a flag',
      ['-p', 'x', '--allowedTools', 'Bash(ls)', 'Read'],
      'repeat it for more',
    ],
    [
      'a rule where the prompt should be',
      ['-p', '--allowedTools', 'Bash(ls)', 'Read'],
      'is a permission rule',
    ],
    ['two prompts', ['run', 'x', 'y'], 'There are 2 prompts'],
    ['a rule that is none', ['-p', 'x', '--allowedTools', 'errors'], '"errors" is not a permission rule'],
    [
      'two scripts',
      ['-p', 'x', '--model-script', 'a', '--model-script', 'b'],
      '--model-script was given more than once',
    ],
    ['two models', ['-p', 'x', '--model', 'a', '--model', 'b'], '--model was given more than once'],
    [
      'two limits',
      ['-p', 'x', '--max-turns', '1', '--max-turns', '2'],
      '--max-turns was given more than once',
    ],
    [
      'two formats',
      ['-p', 'x', '--output-format', 'json', '--output-format', 'text'],
      'given more than once',
    ],
    ['a limit that is no number', ['-p', 'x', '--max-turns', 'many'], '--max-turns takes a number'],
    ['a flag without its value', ['-p', 'x', '--model'], 'model'],
    ['a flag taken back', ['-p', 'x', '--no-model-script'], '--model-script takes a value'],
    ['a flag with a dot', ['-p', 'x', '--model.name', 'y'], 'Unknown argument: model.name'],
    ['half a record', ['audit', 'tail', '-n', '0.5'], 'whole number'],
    ['two heads', ['audit', 'verify', '--head', 'a', '--head', 'b'], '--head was given more than once'],
  ])('with %s is exit code 2 and a line that says so', async (_, args, words) => {
    const { code, stdout, stderr } = await hookd(makeWorkspace(), args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('with broken settings names every error with its place, runs nothing, and says so in the log', async () => {
    const workspace = makeWorkspace({ projectSettings: { permissions: { dfny: ['Bash'] } } });
    writeFileSync(
      join(workspace.home, 'settings.json'),
      '{\n  "permissions": { "deny": ["bash"], "ask": 5 }\n}\n',
    );
    const { code, stderr } = await hookd(workspace, ['-p', 'x', '--model-script', said(workspace)]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${workspace.home}/settings.json:2:29: permissions.deny[0]`);
    expect(stderr).toContain(`${workspace.home}/settings.json:2:45: permissions.ask`);
    expect(stderr).toMatch(/project\/\.hookd\/settings\.json:3:5: permissions\.dfny.*Did you mean "deny"/);
    expect(kindsOf(auditRecords(workspace))).toEqual([
      'daemon_started',
      'settings_rejected',
      'daemon_stopped',
    ]);
  });

  it('exits with 3 when a call was denied and --fail-on-denial was given', async () => {
    const workspace = makeWorkspace({ settings: { permissions: { deny: ['Bash(ls)'] } } });
    const script = modelScript(workspace, [[toolUse('Bash', { command: 'ls' })], [text('ok')]]);
    expect((await hookd(workspace, ['-p', 'x', '--model-script', script])).code).toBe(0);
    expect((await hookd(workspace, ['-p', 'x', '--model-script', script, '--fail-on-denial'])).code).toBe(3);
  });

  it('exits with 1 at its limit of requests', async () => {
    const workspace = makeWorkspace();
    const script = modelScript(workspace, [
      [toolUse('Bash', { command: 'ls' })],
      [toolUse('Bash', { command: 'ls' })],
    ]);
    const { code, stdout } = await hookd(workspace, [
      '-p',
      'x',
      '--json',
      '--max-turns',
      '1',
      '--model-script',
      script,
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ subtype: 'error_max_turns', is_error: true, num_turns: 1 });
  });

  it('takes one value a flag: what follows it is the prompt', async () => {
    const workspace = makeWorkspace();
    const run = await hookd(workspace, [
      ...['-p', '--model-script', said(workspace), '--allowedTools', 'Read'],
      'Explain Bash errors',
    ]);
    expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(auditRecords(workspace).find(({ kind }) => kind === 'prompt')?.['text']).toBe(
      'Explain Bash errors',
    );
  });

  it('takes a prompt that looks like a flag after two dashes', async () => {
    const workspace = makeWorkspace();
    const { code } = await hookd(workspace, ['run', '--model-script', said(workspace), '--', '--help']);
    expect(code).toBe(0);
    expect(auditRecords(workspace).find(({ kind }) => kind === 'prompt')?.['text']).toBe('--help');
  });

  it.each(['text', 'json', 'stream-json'])(
    'goes on to its end when its output (%s) cannot be written, says so once, and fails',
    async (format) => {
      const workspace = makeWorkspace();
      const script = modelScript(workspace, [[toolUse('Bash', { command: 'ls' })], [text('ok')]]);
      const args = ['-p', 'x', '--output-format', format, '--model-script', script];
      const { code, stderr } = await hookdInto('/dev/full', workspace, args);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^hookd: the output could not be written: ENOSPC.*\n$/);
      expect(kindsOf(auditRecords(workspace)).slice(-3)).toEqual([
        'turn_ended',
        'session_ended',
        'daemon_stopped',
      ]);
    },
  );

  it('refuses a home that would begin in the project', async () => {
    const workspace = makeWorkspace();
    const relative = { ...workspace, env: { ...workspace.env, HOOKD_HOME: '.hookd' } };
    const { code, stderr } = await hookd(relative, ['-p', 'x', '--model-script', said(workspace)]);
    expect({ code, told: stderr.includes('HOOKD_HOME must be an absolute path') }).toEqual({
      code: 2,
      told: true,
    });
    expect(existsSync(join(workspace.project, '.hookd'))).toBe(false);
  });

  it('opens no debugger when it gets SIGUSR1', async () => {
    const workspace = makeWorkspace();
    const run = () => hookd(workspace, ['-p', 'x', '--model-script', said(workspace)]);
    await run();
    const { child, finished } = startHookd(workspace, ['audit', 'tail', '-f', '-n', '1']);
    let shown = '';
    child.stdout?.on('data', (bytes: Buffer) => {
      shown += bytes.toString();
    });
    await until(() => shown.includes('daemon_stopped'), 'the first record');
    child.kill('SIGUSR1');
    await run();
    await until(() => shown.split('daemon_stopped').length > 2, 'the records of the second run');
    child.kill('SIGINT');
    expect(await finished).toMatchObject({ code: 0, stderr: '' });
  });

  it('lets flags add rules for this run only', async () => {
    const workspace = makeWorkspace();
    const script = modelScript(workspace, [
      [
        toolUse('Bash', { command: 'touch a' }),
        toolUse('Bash', { command: 'touch b' }),
        toolUse('Bash', { command: 'touch c' }),
      ],
      [text('ok')],
    ]);
    await hookd(workspace, [
      '-p',
      'x',
      '--model-script',
      script,
      '--allowedTools',
      'Bash(touch a)',
      '--allowedTools',
      'Read Bash(touch b)',
      '--disallowedTools',
      'Bash(touch b)',
      '--settings',
      '{"permissions":{"allow":["Bash(touch c)"]}}',
    ]);
    expect(readdirSync(workspace.project).sort()).toEqual(['a', 'c']);
  });

  it('lets a project tighten, never loosen', async () => {
    const workspace = makeWorkspace({
      settings: { permissions: { allow: ['Bash(touch:*)'] } },
      projectSettings: { permissions: { allow: ['Bash(mkdir:*)'], deny: ['Bash(touch b)'] }, model: 'other' },
    });
    const script = modelScript(workspace, [
      [
        toolUse('Bash', { command: 'touch a' }),
        toolUse('Bash', { command: 'touch b' }),
        toolUse('Bash', { command: 'mkdir c' }),
      ],
      [text('ok')],
    ]);
    const { stderr } = await hookd(workspace, ['-p', 'x', '--model-script', script]);
    expect(readdirSync(workspace.project).filter((name) => name !== '.hookd')).toEqual(['a']);
    expect(stderr).toContain('.hookd/settings.json');
  });

  it('prints nothing but the result when it is piped', async () => {
    const workspace = makeWorkspace();
    const script = modelScript(workspace, [[toolUse('Bash', { command: 'ls' })], [text('just this')]]);
    const { stdout, stderr } = await hookd(workspace, ['-p', 'x', '--model-script', script]);
    expect({ stdout, stderr }).toEqual({ stdout: 'just this\n', stderr: '' });
  });

  it('keeps the log to its user: directories 0700, files 0600', async () => {
    const workspace = makeWorkspace();
    await hookd(workspace, ['-p', 'x', '--model-script', said(workspace)]);
    const audit = join(workspace.home, 'audit');
    const [writer = ''] = readdirSync(audit);
    const modes = [audit, join(audit, writer), join(audit, writer, '000001.jsonl')].map((path) =>
      (statSync(path).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['700', '700', '600']);
  });
});

describe('hookd audit verify', () => {
  it('is content with a sound log, and names the line of one that is not', async () => {
    const workspace = makeWorkspace();
    await hookd(workspace, ['-p', 'x', '--model-script', said(workspace)]);
    const sound = await hookd(workspace, ['audit', 'verify']);
    expect(sound).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok {5}\d+ records in 1 chain, all sound; newest head [0-9a-f]{64}\n$/),
    });
    const copy = join(workspace.root, 'copy');
    cpSync(join(workspace.home, 'audit'), copy, { recursive: true });
    const file = join(copy, readdirSync(copy)[0] ?? '', '000001.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"prompt"', '"prampt"'));
    const broken = await hookd(workspace, ['audit', 'verify', copy]);
    expect(broken).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`FAULT  ${file}:4: the record was changed`),
    });
    const json = await hookd(workspace, ['audit', 'verify', file, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ sound: false, chains: [{ problem: { file, line: 4 } }] });
  });

  it('looks for a head that was kept elsewhere', async () => {
    const workspace = makeWorkspace();
    const { stdout } = await hookd(workspace, ['-p', 'x', '--json', '--model-script', said(workspace)]);
    const { head, file } = (JSON.parse(stdout) as { audit: { head: string; file: string } }).audit;
    expect((await hookd(workspace, ['audit', 'verify', '--head', head])).code).toBe(0);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`);
    expect((await hookd(workspace, ['audit', 'verify'])).code).toBe(0);
    const cut = await hookd(workspace, ['audit', 'verify', '--head', head]);
    expect(cut).toMatchObject({ code: 1, stdout: expect.stringContaining('no chain holds the head') });
  });

  it('says so when there is nothing to verify', async () => {
    const { code, stderr } = await hookd(makeWorkspace(), ['audit', 'verify']);
    expect(code).toBe(2);
    expect(stderr).toContain('There is no audit log');
  });
});

describe('hookd audit tail', () => {
  it('shows the last records of all chains, and as they are stored with --json', async () => {
    const workspace = makeWorkspace();
    await hookd(workspace, ['-p', 'first prompt', '--model-script', said(workspace)]);
    await hookd(workspace, ['-p', 'second prompt', '--model-script', said(workspace, 'the answer')]);
    const { stdout } = await hookd(workspace, ['audit', 'tail', '-n', '100']);
    expect(stdout.indexOf('first prompt')).toBeLessThan(stdout.indexOf('second prompt'));
    expect(stdout).toMatch(/\d\d:\d\d:\d\d [0-9a-f]{6} model_response +end_turn the answer/);
    const json = await hookd(workspace, ['audit', 'tail', '-n', '3', '--json']);
    expect(
      json.stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { kind: string }).kind),
    ).toEqual(['turn_ended', 'session_ended', 'daemon_stopped']);
  });

  it('follows new records and new chains with -f, until it is interrupted', async () => {
    const workspace = makeWorkspace();
    await hookd(workspace, ['-p', 'before', '--model-script', said(workspace)]);
    const { child, finished } = startHookd(workspace, ['audit', 'tail', '-f', '-n', '1']);
    let shown = '';
    child.stdout?.on('data', (bytes: Buffer) => {
      shown += bytes.toString();
    });
    await until(() => shown.includes('daemon_stopped'), 'the first line');
    await hookd(workspace, ['-p', 'while it follows', '--model-script', said(workspace)]);
    await until(
      () =>
        shown.includes('while it follows') &&
        shown.lastIndexOf('daemon_stopped') > shown.indexOf('while it follows'),
      'the records of the second run',
    );
    child.kill('SIGINT');
    const { code, stdout } = await finished;
    expect(code).toBe(0);
    expect(stdout).not.toContain('before');
    const kinds = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s+/)[2]);
    expect(kinds.filter((kind) => kind === 'prompt')).toEqual(['prompt']);
  });
});

describe('hookd demo', () => {
  it('plays the three lessons, and its own log passes and fails verification as it should', async () => {
    const workspace = makeWorkspace();
    const { code, stdout, stderr } = await hookd(workspace, ['demo']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const words of [
      '── s01',
      '── s02',
      '── s03',
      'with 5 messages',
      'no tool named "Teleport"',
      'a fault inside the tool',
      'Denied by rule Bash(rm:*)',
      'built-in deny list',
      ': sound',
      'was changed',
    ]) {
      expect(stdout).toContain(words);
    }
    expect(existsSync(join(workspace.home, 'audit'))).toBe(false);
  });

  it('plays one lesson, and tells the outcome as JSON', async () => {
    const { code, stdout } = await hookd(makeWorkspace(), ['demo', 's02', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      records: expect.any(Number),
      sound: true,
      changedLine: expect.any(Number),
      noticed: true,
    });
  });
});

describe('in a directory that is gone', () => {
  async function inGone(args: readonly string[]) {
    const workspace = makeWorkspace();
    await hookd(workspace, ['-p', 'x', '--model-script', said(workspace)]);
    const directory = join(workspace.root, 'gone');
    mkdirSync(directory);
    const command = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-c', command, 'bash', directory, process.execPath, HOOKD, ...args],
      { env: workspace.env, encoding: 'utf8' },
    );
    return { code: status, stdout, stderr };
  }

  it.each([[['-p', 'x']], [['run', 'x']], [['audit', 'verify', 'copy']]])('%j says so', async (args) => {
    const { code, stderr } = await inGone(args);
    expect(code).toBe(2);
    expect(stderr).toContain('The directory that hookd was started in cannot be used');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each([[['audit', 'verify']], [['audit', 'tail']], [['--version']], [['--help']]])(
    '%j works',
    async (args) => {
      const { code, stdout, stderr } = await inGone(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).not.toBe('');
    },
  );
});

it('help fits 80 columns where no terminal says how many there are', async () => {
  const { code, stdout } = await hookd(makeWorkspace(), ['run', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('--resume');
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

it('a named pipe in place of $HOOKD_HOME/.env holds nothing up', async () => {
  const workspace = makeWorkspace();
  execFileSync('mkfifo', [join(workspace.home, '.env')]);
  const { code, stderr } = await hookd(workspace, ['-p', 'x']);
  expect({ code, told: stderr.includes('.env is not a regular file') }).toEqual({ code: 2, told: true });
});

it('a script that nests ten thousand levels deep is exit code 2 and a line that says so', async () => {
  const workspace = makeWorkspace();
  const script = join(workspace.root, 'deep.json');
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  writeFileSync(script, `[[{"type":"tool_use","name":"Bash","input":${deep}}]]`);
  const { code, stderr } = await hookd(workspace, ['-p', 'x', '--model-script', script]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/MODEL_SCRIPT_INVALID: .*deep\.json:1:\d+: expected at most 200 levels/);
});

it('$HOOKD_HOME/.env gives the key; a .env of the project does not', async () => {
  const workspace = makeWorkspace({
    files: { '.env': 'ANTHROPIC_API_KEY=from-the-project\nANTHROPIC_BASE_URL=http://127.0.0.1:9\n' },
  });
  const without = await hookd(workspace, ['-p', 'x']);
  expect(without.code).toBe(2);
  mkdirSync(workspace.home, { recursive: true });
  appendFileSync(
    join(workspace.home, '.env'),
    'ANTHROPIC_API_KEY=from-home\nANTHROPIC_BASE_URL=http://127.0.0.1:9\n',
  );
  const withKey = await hookd(workspace, ['-p', 'x']);
  expect(withKey.code).toBe(1);
  expect(withKey.stderr).toContain('127.0.0.1:9');
});

describe('a home that can be no directory', () => {
  it.each(['daemon start', 'daemon status', 'sessions list'])('is told by hookd %s', async (command) => {
    const workspace = makeWorkspace();
    const file = join(workspace.root, 'file');
    writeFileSync(file, '');
    const env = { ...workspace.env, HOOKD_HOME: join(file, 'home') };
    const { code, stdout, stderr } = await hookd({ ...workspace, env }, command.split(' '));
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(file);
    expect(stdout + stderr).not.toMatch(/\n +at /);
  });
});
