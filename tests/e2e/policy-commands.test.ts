/** `hookd policy explain|test|replay`, as somebody uses them who writes rules. */
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookd, makeWorkspace, modelScript, type Workspace } from '../support/hookd.ts';

const policy = (workspace: Workspace, ...args: readonly string[]) => hookd(workspace, ['policy', ...args]);

async function json(workspace: Workspace, ...args: readonly string[]) {
  const { code, stdout } = await policy(workspace, ...args, '--json');
  return { code, value: JSON.parse(stdout) };
}

const SETTINGS = {
  permissions: {
    deny: ['Bash(git push --force *)', 'Read(.env)'],
    ask: ['Bash(git push *)'],
    allow: ['Bash(npm test *)'],
  },
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh' }] },
      { matcher: 'Bash', hooks: [{ type: 'command', command: './other.sh', if: 'Bash(curl *)' }] },
    ],
    PermissionRequest: [{ hooks: [{ type: 'command', command: './answer.sh' }] }],
  },
};

describe('policy explain', () => {
  it('says what decides, with file and line, and what would change it', async () => {
    const workspace = makeWorkspace({ settings: SETTINGS });
    const { code, stdout, stderr } = await policy(
      workspace,
      'explain',
      'Bash(npm test && sudo -u x git push --force origin main)',
    );
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^deny {3}Bash\(npm test && sudo/);
    expect(stdout).toContain('Denied by rule Bash(git push --force *) (~/.hookd/settings.json:4)');
    expect(stdout).toContain('allow rule Bash(npm test *) at ~/.hookd/settings.json:11');
    expect(stdout).toContain('It may run: git push --force origin main');
    expect(stdout).toContain('nothing but removing it lets the call through');
    expect(stdout).toContain('PreToolUse: ./guard.sh at ~/.hookd/settings.json:19');
    expect(stdout).not.toContain('./other.sh');
    expect(stdout).not.toContain('\u001b');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(existsSync(join(workspace.home, 'audit'))).toBe(false);
  });

  it('tells of a rule that is asked about as a call', async () => {
    const { code, stderr } = await policy(makeWorkspace(), 'explain', 'Bash(npm test:*)');
    expect(code).toBe(0);
    expect(stderr).toContain("A call that such a rule is about: 'Bash(npm test)'.");
    expect((await policy(makeWorkspace(), 'explain', 'Bash(npm test *)')).stderr).toBe('');
  });

  it('names the file that a rule fits, not the code that names it', async () => {
    const settings = { permissions: { deny: ['Read(.env)', 'Bash(git push *)'] } };
    const workspace = makeWorkspace({ settings, files: { '.env': 'x' } });
    const { stdout } = await policy(workspace, 'explain', 'Bash(bash -c "cat .e*; git push x")');
    expect(stdout).toContain('Read(.env) at ~/.hookd/settings.json:4 on .e*\n');
    expect(stdout).toContain('Bash(git push *) at ~/.hookd/settings.json:5 on git push x\n');
  });

  it('gives the same as one JSON object', async () => {
    const workspace = makeWorkspace({ settings: SETTINGS, files: { '.env': 'x' } });
    symlinkSync('.env', join(workspace.project, 'link'));
    const { code, value } = await json(workspace, 'explain', 'Bash(git push; cat link)');
    const file = join(workspace.home, 'settings.json');
    const env = join(workspace.project, '.env');
    expect(code).toBe(0);
    expect(Object.keys(value)).toEqual([
      ...['tool', 'input', 'mode', 'project', 'cwd', 'decision', 'reason', 'cause', 'target', 'checks'],
      ...[
        'parts',
        'whole',
        'runs',
        'unresolved',
        'files',
        'hits',
        'hooks',
        'alternatives',
        'deadEnd',
        'policy',
      ],
    ]);
    expect(value).toMatchObject({
      tool: 'Bash',
      decision: 'deny',
      cause: { kind: 'rule', rule: { text: 'Read(.env)', file, line: 5 } },
      parts: [
        { text: 'git push', allowed: false, rule: null },
        { text: 'cat link', allowed: true, rule: null, why: null },
      ],
      files: [{ access: 'read', word: 'link', path: join(workspace.project, 'link'), target: env }],
      hits: [
        { list: 'deny', rule: 'Read(.env)', file, line: 5, part: 'cat link', path: 'link' },
        { list: 'ask', rule: 'Bash(git push *)', file, line: 8, part: null, path: null },
        { list: 'ask', rule: 'Bash(git push *)', file, line: 8, part: 'git push', path: null },
      ],
      hooks: [{ event: 'PreToolUse', name: './guard.sh', file, line: 19 }],
    });
    expect(value.alternatives[0]).toMatchObject({
      decision: 'ask',
      changes: [{ change: 'remove', list: 'deny', rule: 'Read(.env)', file, line: 5 }],
    });
  });

  it('takes tool and input, mode and settings as a session does, and names the hooks that would answer', async () => {
    const workspace = makeWorkspace({ settings: SETTINGS });
    const write = ['--tool', 'write_file', '--input', '{"path":"a.txt","content":"x"}'];
    const asked = await json(workspace, 'explain', ...write);
    expect(asked.value).toMatchObject({ tool: 'Write', decision: 'ask', mode: 'default' });
    expect(asked.value.hooks.map(({ event }: { event: string }) => event)).toEqual(['PermissionRequest']);
    const accepted = await json(workspace, 'explain', ...write, '--permission-mode', 'acceptEdits');
    expect(accepted.value).toMatchObject({ decision: 'allow', cause: { kind: 'mode', mode: 'acceptEdits' } });
    const inline = '{"permissions":{"deny":["Write"]}}';
    const denied = await json(workspace, 'explain', ...write, '--settings', inline);
    expect(denied.value).toMatchObject({
      decision: 'deny',
      cause: { rule: { file: '--settings', line: 1 } },
    });
  });

  it('counts what an untrusted project allows only with --trust-project', async () => {
    const workspace = makeWorkspace({ projectSettings: { permissions: { allow: ['Bash(make *)'] } } });
    expect((await json(workspace, 'explain', 'Bash(make)')).value.decision).toBe('ask');
    expect((await json(workspace, 'explain', 'Bash(make)', '--trust-project')).value.decision).toBe('allow');
  });

  it('proposes rules only for a file that is read', async () => {
    const workspace = makeWorkspace();
    const fileOf = async (...flags: readonly string[]) =>
      (await json(workspace, 'explain', 'Bash(make)', ...flags)).value.alternatives[0].changes[0].file;
    expect(await fileOf()).toBe(join(workspace.home, 'settings.json'));
    expect(await fileOf('--setting-sources', 'project')).toBe('--settings');
  });

  it.each([
    [['explain', 'git push'], "Write the tool and what it is about: 'Bash(git push)'"],
    [['explain', 'Frob(x)'], 'there is no tool Frob (the tools are Bash, '],
    [['explain', 'Raed(x)'], 'there is no tool Raed (did you mean Read?)'],
    [['explain', 'WebFetch(domain:x)'], 'hookd has no tool WebFetch, so its input must be given'],
    [['explain', 'Bash(git push'], 'the ")" is missing'],
    [['explain', 'Bash(git push) x'], 'there is text after the last ")"'],
    [['explain', 'Read'], 'the file_path in parentheses is missing'],
    [['explain'], "Give a call, like 'Bash(git push)'"],
    [['explain', '--tool', 'Bsh', '--input', '{}'], 'Did you mean Bash?'],
    [['explain', '--tool', 'Read', '--input', '{"limit":1}'], 'does not fit Read'],
    [['explain', '--tool', 'Read', '--input', '{'], '--input is not JSON'],
    [['explain', 'Bash(ls)', '--settings', '{"permissions":{"deny":["("]}}'], 'SETTINGS_INVALID'],
    [[], 'Say what to do with the policy'],
  ])('refuses %j with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await policy(makeWorkspace(), ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('policy test', () => {
  const files = {
    'p.jsonl': [
      '{"name":"pushes ask","tool":"Bash","input":{"command":"git push"},"expect":"ask"}',
      '{"name":"tests run","tool":"Bash","input":{"command":"npm test && curl x"},"expect":"allow"}',
      '{"tool":"Write","input":{"file_path":"a","content":""},"mode":"acceptEdits","expect":"allow"}',
    ].join('\n'),
    'bad.jsonl': '{"tool":"Bash","input":{},"expect":"ask"}\n{"tool":"Bash"}\n',
  };

  it('names the rows with another answer and the rules that no row matches, with exit code 1', async () => {
    const workspace = makeWorkspace({ settings: { permissions: SETTINGS.permissions }, files });
    const { code, stdout, stderr } = await policy(workspace, 'test', 'p.jsonl');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toBe(
      [
        'p.jsonl:2: tests run',
        '    Bash(npm test && curl x)',
        '    expected allow, got ask: "curl x" is not covered by an allow rule.',
        '',
        '2 of 3 rows as expected.',
        'No row matches 2 of 4 rules:',
        '  deny   Bash(git push --force *) at ~/.hookd/settings.json:4',
        '  deny   Read(.env) at ~/.hookd/settings.json:5',
        '',
      ].join('\n'),
    );
    const asJson = await json(workspace, 'test', 'p.jsonl', '--allowedTools', 'Bash(curl *)');
    expect(asJson.code).toBe(0);
    expect(asJson.value).toMatchObject({ rows: 3, passed: 3, failed: 0 });
    expect(asJson.value.coverage.unmatched.map(({ rule }: { rule: string }) => rule)).toEqual([
      'Bash(git push --force *)',
      'Read(.env)',
    ]);
    expect(asJson.value.results[2]).toMatchObject({ line: 3, name: null, mode: 'acceptEdits', ok: true });
  });

  it('judges no row where one is malformed: all errors at once, exit code 2', async () => {
    const workspace = makeWorkspace({ files });
    const { code, stdout, stderr } = await policy(workspace, 'test', 'p.jsonl', 'bad.jsonl', '--json');
    expect(code).toBe(2);
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      'bad.jsonl:1:24: input: The input does not fit Bash: command is missing; its fields are command, timeout (optional), description (optional), run_in_background (optional).',
      'bad.jsonl:2:1: input: missing (expected an object, the input of the tool).',
      'bad.jsonl:2:1: expect: missing (expected one of allow, ask, deny).',
      '3 errors: no row was judged.',
    ]);
    expect(JSON.parse(stdout).problems).toHaveLength(3);
  });
});

describe('policy replay', () => {
  const turns = [
    ['true a', 'echo b', 'curl c', 'make d', 'echo ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2'].map(
      (command) => ({
        type: 'tool_use',
        name: 'Bash',
        input: { command },
      }),
    ),
    [{ type: 'text', text: 'done' }],
  ];
  const settings = { permissions: { allow: ['Bash(true *)', 'Bash(echo *)'], deny: ['Bash(curl *)'] } };
  const proposed = JSON.stringify({
    permissions: { allow: ['Bash(true *)', 'Bash(curl *)'], deny: ['Bash(echo *)'] },
  });

  async function recorded(...flags: readonly string[]): Promise<Workspace> {
    const workspace = makeWorkspace({ settings, files: { 'proposed.json': proposed } });
    await hookd(workspace, ['run', 'go', '--model-script', modelScript(workspace, turns), ...flags]);
    return workspace;
  }

  it('names the recorded calls whose answer would change, from what to what, and by which rule', async () => {
    const workspace = await recorded();
    const same = await json(workspace, 'replay');
    expect(same.code).toBe(0);
    expect(same.value).toMatchObject({
      against: null,
      calls: 5,
      same: 4,
      changes: {},
      changed: [],
      unjudged: 0,
    });
    const { code, value } = await json(workspace, 'replay', '--against', 'proposed.json', '--since', '1h');
    const against = join(workspace.project, 'proposed.json');
    expect(code).toBe(0);
    expect(value).toMatchObject({
      ...{ against, calls: 5, same: 2, changes: { 'allow → deny': 1, 'deny → allow': 1 } },
      changed: [
        {
          input: { command: 'echo b' },
          before: { decision: 'allow', cause: { rule: { text: 'Bash(echo *)', list: 'allow' } } },
          after: { decision: 'deny', cause: { rule: { text: 'Bash(echo *)', file: against, line: 1 } } },
        },
        { input: { command: 'curl c' }, before: { decision: 'deny' }, after: { decision: 'allow' } },
      ],
      notReplayable: [{ why: 'its input is masked in the log' }],
    });
    const { stdout } = await policy(workspace, 'replay', '--against', 'proposed.json');
    expect(stdout.split('\n').filter((line) => /→|Bash\((?:curl c|echo b)/.test(line))).toEqual([
      'deny → allow: 1 call',
      expect.stringContaining('Bash(curl c) toolu_'),
      'allow → deny: 1 call',
      expect.stringContaining('Bash(echo b) toolu_'),
    ]);
    expect(stdout).toContain('2 as before, 2 changed, 1 not replayable.');
    expect(stdout).toContain('by the files of today.');
  });

  it('counts what was typed for the session, and says why a call cannot be judged again', async () => {
    const workspace = await recorded('--allowedTools', 'Bash(make *)', '--disallowedTools', 'Bash(true *)');
    expect((await json(workspace, 'replay')).value).toMatchObject({ calls: 5, same: 4, changed: [] });
    rmSync(workspace.project, { recursive: true });
    const elsewhere = { ...workspace, project: workspace.root };
    const { value } = await json(elsewhere, 'replay');
    expect(value.notReplayable.map(({ why }: { why: string }) => why)).toContain(
      `the directory that it ran in is gone: ${workspace.project}`,
    );
  });

  it('judges nothing under a broken file, and says so of an empty log', async () => {
    const workspace = makeWorkspace({ files: { 'broken.json': '{"permissions":{"deny":["("]}}' } });
    const broken = await policy(workspace, 'replay', '--against', 'broken.json');
    expect({ code: broken.code, stdout: broken.stdout }).toEqual({ code: 2, stdout: '' });
    expect(broken.stderr).toContain('broken.json:1:25: permissions.deny[0]');
    const { code, stdout } = await policy(workspace, 'replay');
    expect(code).toBe(0);
    expect(stdout).toContain('0 calls of the log');
  });
});
