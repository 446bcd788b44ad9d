/** `hookd hooks list|run|lint|new`, as somebody uses them who writes hooks. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  auditRecords,
  hookd,
  kindsOf,
  makeWorkspace,
  startHookd,
  until,
  type Workspace,
} from '../support/hookd.ts';

const answer = (specific: object, more: object = {}) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific }, ...more })}'`;
const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
const preToolUse = (...hooks: readonly object[]) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } });

async function json(workspace: Workspace, args: readonly string[]) {
  const { code, stdout } = await hookd(workspace, ['hooks', ...args, '--json']);
  return { code, value: JSON.parse(stdout) };
}

const tryBash = (text: string) => [
  'run',
  'PreToolUse',
  '--tool',
  'Bash',
  '--input',
  JSON.stringify({ command: text }),
];

describe('hooks list', () => {
  it('says so when there are none', async () => {
    const { code, stdout } = await hookd(makeWorkspace(), ['hooks', 'list']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'no hooks are in force\n' });
  });

  it('shows each hook with its place, its limits and its problems, within 80 columns', async () => {
    const workspace = makeWorkspace({
      settings: {
        hooks: {
          PreToolUse: [
            {
              matcher: 'Bash',
              hooks: [command('./absent.sh', { if: 'Bash(git *)', timeout: 5, onFailure: 'block' })],
            },
            { matcher: 'bash_', hooks: [command('true', { async: true })] },
          ],
          Stop: [{ hooks: [command('true')] }],
        },
      },
    });
    const { value } = await json(workspace, ['list']);
    const file = join(workspace.home, 'settings.json');
    expect(value.hooks).toMatchObject([
      {
        ...{
          event: 'PreToolUse',
          name: './absent.sh',
          file,
          scope: 'user',
          matcher: 'Bash',
          if: 'Bash(git *)',
        },
        ...{ timeout: 5, async: false, onFailure: 'block', onFailureIsDefault: false },
        problems: [`${join(workspace.project, 'absent.sh')} does not exist`],
      },
      {
        ...{ matcher: 'bash_', timeout: 600, async: true, onFailure: 'ask', onFailureIsDefault: true },
        problems: [expect.stringContaining('it never matches')],
      },
      { event: 'Stop', matcher: null, onFailure: 'continue', problems: [] },
    ]);
    const written = readFileSync(file, 'utf8').split('\n');
    for (const hook of value.hooks) expect(written[hook.line - 1]).toContain('{');

    const { stdout } = await hookd(workspace, ['hooks', 'list']);
    expect(stdout).toContain('PreToolUse        Bash            5 s      block     ~/.hookd/settings.json:');
    expect(stdout.replace(/\s+/g, ' ')).toContain('does not exist');
    const long = stdout.split('\n').filter((line) => line.length > 80 && !line.includes(workspace.root));
    expect(long).toEqual([]);
  });

  it('names what is not in force, and why', async () => {
    const workspace = makeWorkspace({
      settings: { disableAllHooks: true, ...preToolUse(command('echo mine')) },
      projectSettings: { hooks: { Stop: [{ hooks: [command('echo theirs')] }], SubagentStop: [] } },
    });
    const { value } = await json(workspace, ['list']);
    expect(value.hooks).toEqual([]);
    expect(value.notInForce).toMatchObject([
      { name: 'echo theirs', why: expect.stringContaining('not trusted') },
      { name: 'echo mine', why: expect.stringContaining('disableAllHooks is set at') },
      { event: 'SubagentStop', why: 'this event never fires here' },
    ]);
    const trusted = await json(workspace, ['list', '--trust-project']);
    expect(trusted.value.notInForce[0].why).toContain('disableAllHooks');
  });

  it('refuses broken settings like a session, and leaves no audit', async () => {
    const workspace = makeWorkspace({ settings: { hooks: { PreTolUse: [] } } });
    const { code, stderr } = await hookd(workspace, ['hooks', 'list']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "PreToolUse"?');
    expect(existsSync(join(workspace.home, 'audit'))).toBe(false);
  });
});

describe('hooks run', () => {
  it('plays the rounds of a rewriting in the engine, and puts all of it on record', async () => {
    const workspace = makeWorkspace({
      settings: preToolUse(
        command(answer({ updatedInput: { command: 'ls -l' } })),
        command('grep -q "ls -l" && echo "not long" >&2 && exit 2; exit 0'),
      ),
    });
    const { code, value } = await json(workspace, tryBash('ls'));
    expect(code).toBe(3);
    expect(value.runs.map(({ round, end, outcome }: never) => [round, end, outcome])).toMatchObject([
      [1, { kind: 'exited', code: 0 }, { verdict: 'none', updatedInput: { command: 'ls -l' } }],
      [1, { kind: 'exited', code: 0 }, { verdict: 'none' }],
      [2, { kind: 'exited', code: 2 }, { verdict: 'block' }],
    ]);
    expect(value.rewrites).toMatchObject([{ before: { command: 'ls' }, after: { command: 'ls -l' } }]);
    expect(value.result).toMatchObject({ verdict: 'block', reason: expect.stringContaining('not long') });
    const kinds = kindsOf(auditRecords(workspace));
    expect(kinds.filter((kind) => kind !== 'process_started')).toEqual([
      ...['daemon_started', 'settings_loaded', 'session_started', 'tool_use', 'tool_call'],
      ...[
        'hook_started',
        'hook_started',
        'hook_run',
        'hook_run',
        'input_rewritten',
        'hook_started',
        'hook_run',
      ],
      ...['permission', 'tool_result', 'session_ended', 'daemon_stopped'],
    ]);
    expect((await hookd(workspace, ['audit', 'verify'])).code).toBe(0);
  });

  it('runs no tool and no other hook, and leaves nothing of its session', async () => {
    const workspace = makeWorkspace({
      settings: {
        permissions: { deny: ['Bash(touch *)'] },
        hooks: {
          PreToolUse: [{ hooks: [command(answer({ permissionDecision: 'allow' }))] }],
          SessionStart: [{ hooks: [command('touch started')] }],
          SessionEnd: [{ hooks: [command('touch ended')] }],
        },
      },
    });
    const { code, value } = await json(workspace, tryBash('touch made'));
    expect(code).toBe(0);
    expect(value.result.verdict).toBe('allow');
    expect(value.rules).toMatchObject({ behavior: 'deny' });
    expect(readdirSync(workspace.project)).toEqual([]);
    expect(readdirSync(join(workspace.home, 'sessions'))).toEqual([]);
  });

  it('gives the payload of a session, with an empty transcript and a directory to share', async () => {
    const workspace = makeWorkspace({
      settings: preToolUse(
        command('cat; echo; wc -c < "$(jq -r .transcript_path /dev/stdin)"; stat -c %a "$HOOKD_SESSION_DIR"'),
      ),
    });
    const { value } = await json(workspace, tryBash('ls'));
    const [payload, , size, mode] = value.runs[0].stdout.split('\n');
    expect(basename(JSON.parse(payload).transcript_path)).toBe(`${value.session}.jsonl`);
    expect(JSON.parse(payload)).toMatchObject({
      ...{ session_id: value.session, cwd: workspace.project, hook_event_name: 'PreToolUse' },
      ...{ permission_mode: 'default', tool_name: 'Bash', tool_input: { command: 'ls' } },
    });
    expect([size, mode]).toEqual(['0', '700']);
  });

  it('says which hooks of the event do not run, and why', async () => {
    const workspace = makeWorkspace({
      settings: {
        hooks: {
          PreToolUse: [
            { matcher: 'Write', hooks: [command('echo a')] },
            { hooks: [command('echo b', { if: 'Bash(git *)' }), command('echo c'), command('echo c')] },
          ],
        },
      },
    });
    const { code, stdout } = await hookd(workspace, ['hooks', ...tryBash('ls')]);
    expect(code).toBe(0);
    expect(stdout).toContain('● echo c');
    expect(stdout).toContain('its matcher does not fit "Bash"');
    expect(stdout).toContain('its "if" (Bash(git *)) does not fit');
    expect(stdout).toContain('it repeats another hook that runs');
    expect(stdout).toContain('RESULT  no opinion.');
  });

  it('shows a failed guard and what that amounts to, and what nobody waits for', async () => {
    const workspace = makeWorkspace({
      settings: preToolUse(command('kill -9 $$'), command('exit 2', { async: true })),
    });
    const { code, stdout } = await hookd(workspace, ['hooks', ...tryBash('ls')]);
    expect(code).toBe(0);
    expect(stdout).toContain('ended by SIGKILL');
    expect(stdout).toContain('onFailure: ask');
    expect(stdout).toContain('RESULT  a person is asked; where there is none, it is refused.');
    expect(stdout).toContain('async: nobody waits for it');
  });

  it.each([
    ['Stop', 'echo more >&2; exit 2', 3, 'sent on: the model works on'],
    ['UserPromptSubmit', 'exit 2', 3, 'refused: what was about to happen does not'],
    ['UserPromptSubmit', 'echo the date', 0, 'The model also reads: UserPromptSubmit'],
    ['Notification', 'exit 2', 0, 'no opinion.'],
    ['SessionStart', 'echo export FOO=1 > "$CLAUDE_ENV_FILE"', 0, 'Later Bash calls get FOO.'],
    ['PreModelRequest', `echo '{"continue":false,"stopReason":"enough"}'`, 3, 'The turn ends. enough'],
  ])('on %s of %s: exit %i, "%s"', async (event, text, exit, words) => {
    const workspace = makeWorkspace({ settings: { hooks: { [event]: [{ hooks: [command(text)] }] } } });
    const { code, stdout } = await hookd(workspace, ['hooks', 'run', event]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: expect.stringContaining(words) });
  });

  it('says what of CLAUDE_ENV_FILE is not understood', async () => {
    const lines = command('printf "%s\\n" "export A=1" ". y" "unset HOME" > "$CLAUDE_ENV_FILE"');
    const workspace = makeWorkspace({ settings: { hooks: { SessionStart: [{ hooks: [lines] }] } } });
    const { stdout, stderr } = await hookd(workspace, ['hooks', 'run', 'SessionStart']);
    expect(stdout).toContain('Later Bash calls get A.');
    expect(stderr).toContain('line 2 (. y) is not understood');
    expect(stderr).toContain('line 3 does not count, commands have their own HOME');
  });

  it('takes a whole payload from a file', async () => {
    const workspace = makeWorkspace({ settings: preToolUse(command('cat')) });
    const payload = {
      ...{
        hook_event_name: 'PreToolUse',
        session_id: 'mine',
        transcript_path: '/t',
        permission_mode: 'plan',
      },
      ...{ tool_name: 'bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_7' },
    };
    writeFileSync(join(workspace.project, 'p.json'), JSON.stringify(payload));
    const { value } = await json(workspace, ['run', 'PreToolUse', '--payload', 'p.json']);
    expect(JSON.parse(value.runs[0].stdout)).toMatchObject({ ...payload, tool_name: 'Bash' });
    const { transcript_path: _, ...less } = payload;
    writeFileSync(join(workspace.project, 'less.json'), JSON.stringify(less));
    const { value: named } = await json(workspace, ['run', 'PreToolUse', '--payload', 'less.json']);
    expect(basename(JSON.parse(named.runs[0].stdout).transcript_path)).toBe('mine.jsonl');
    const other = await hookd(workspace, ['hooks', 'run', 'Stop', '--payload', 'p.json']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('one of "PreToolUse", not of Stop');
  });

  it.each([
    ['an unknown event', ['Stopp'], 'Did you mean Stop?'],
    ['an event that never fires', ['SubagentStop'], 'never fires here'],
    ['no tool', ['PreToolUse'], '--tool NAME'],
    ['an unknown tool', ['PreToolUse', '--tool', 'Foo', '--input', '{}'], 'There is no tool named "Foo"'],
    ['an input that does not fit', ['PreToolUse', '--tool', 'Bash', '--input', '{}'], 'does not fit Bash'],
    ['an input that is no JSON', ['PreToolUse', '--tool', 'Bash', '--input', 'ls'], '--input is not JSON'],
    ['a tool where there is none', ['Stop', '--tool', 'Bash'], 'not about a tool call'],
    ['a payload that is not there', ['Stop', '--payload', 'none.json'], 'cannot be read'],
  ])('with %s is exit code 2 and a line that says so', async (_, args, words) => {
    const { code, stdout, stderr } = await hookd(makeWorkspace(), ['hooks', 'run', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('ends its hooks when it is interrupted', async () => {
    const workspace = makeWorkspace({ settings: preToolUse(command('echo $$ > pid; sleep 60')) });
    const running = startHookd(workspace, ['hooks', ...tryBash('ls')]);
    const file = join(workspace.project, 'pid');
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), 'the hook');
    running.child.kill('SIGINT');
    expect((await running.finished).code).toBe(130);
    expect(() => process.kill(Number(readFileSync(file, 'utf8')), 0)).toThrow();
    expect(kindsOf(auditRecords(workspace)).slice(-3)).toEqual([
      'tool_result',
      'session_ended',
      'daemon_stopped',
    ]);
  });

  it('runs nothing when the audit cannot be written', async () => {
    const workspace = makeWorkspace({ settings: preToolUse(command('touch ran')) });
    writeFileSync(join(workspace.home, 'audit'), '');
    const { code } = await hookd(workspace, ['hooks', ...tryBash('ls')]);
    expect(code).toBe(4);
    expect(existsSync(join(workspace.project, 'ran'))).toBe(false);
  });
});

describe('hooks lint', () => {
  it('finds nothing in a sound project', async () => {
    const { code, stdout } = await hookd(makeWorkspace({ settings: preToolUse(command('true')) }), [
      'hooks',
      'lint',
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ok: 1 hook in 1 file, nothing found\n' });
  });

  it('names each finding with its place, the reason and what to do, in projects that are not trusted too', async () => {
    const workspace = makeWorkspace({
      projectSettings: {
        hooks: {
          PreToolUse: [
            { matcher: 'Bash(git *)', hooks: [command('true')] },
            {
              hooks: [
                command('true', { if: 'Bash(a) | Bash(b)' }),
                command('"$CLAUDE_PROJECT_DIR"/h/crlf.sh'),
              ],
            },
            {
              hooks: [
                command('"$CLAUDE_PROJECT_DIR"/h/one.sh'),
                command('"$CLAUDE_PROJECT_DIR"/h/one.sh --twice'),
              ],
            },
          ],
          SubagentStop: [{ hooks: [command('true')] }],
        },
      },
      files: { 'h/crlf.sh': '#!/bin/sh\r\nexit 2\r\n', 'h/one.sh': '#!/bin/sh\nexit 1\n' },
    });
    for (const name of ['crlf.sh', 'one.sh']) chmodSync(join(workspace.project, 'h', name), 0o755);
    const { code, value } = await json(workspace, ['lint']);
    expect(code).toBe(1);
    expect(
      value.findings.map(({ rule, file, line }: never) => [rule, String(file).split('/').at(-1), line]),
    ).toEqual([
      ['rule-as-matcher', 'settings.json', 5],
      ['dead-condition', 'settings.json', 18],
      ['event-never-fires', 'settings.json', 39],
      ['crlf-shebang', 'crlf.sh', 1],
      ['exit-1-blocks-nothing', 'one.sh', 2],
    ]);
    for (const { what, why, fix } of value.findings)
      expect([what, why, fix].every((text) => text.length > 5)).toBe(true);
    const { stdout } = await hookd(workspace, ['hooks', 'lint']);
    expect(stdout).toContain('h/one.sh:2: it exits with 1');
    expect(stdout).toContain('5 findings: 5 hooks in 1 file');
  });

  it('looks at the files that are given: settings of Claude Code, programs', async () => {
    const workspace = makeWorkspace({
      files: {
        'other/.claude/settings.json': JSON.stringify(preToolUse(command('./x.sh', { onFailure: 'ask' }))),
        'other/x.sh': '#!/bin/sh\nexit 2\n',
      },
    });
    const settings = 'other/.claude/settings.json';
    const both = await json(workspace, ['lint', settings, 'other/x.sh']);
    const rules = both.value.findings.map(({ rule }: { rule: string }) => rule);
    expect(rules.sort()).toEqual(['ask-for-claude-code', 'not-executable', 'not-executable']);
    chmodSync(join(workspace.project, 'other/x.sh'), 0o755);
    expect((await json(workspace, ['lint', 'other/x.sh'])).value.findings).toEqual([]);
    expect((await hookd(workspace, ['hooks', 'lint', 'none.json'])).code).toBe(2);
  });

  it('tells of an http hook that is never sent, as list and settings check do', async () => {
    const http = { type: 'http', url: 'http://intranet.example/guard' };
    const workspace = makeWorkspace({
      settings: preToolUse(http as never),
      files: { 'other/.hookd/settings.json': JSON.stringify(preToolUse(http as never)) },
    });
    const why = 'its URL is neither https nor on this machine, and no setting of the user allows it';
    const other = 'other/.hookd/settings.json';
    const told = async (...files: string[]) => {
      const { value } = await json(workspace, ['lint', ...files]);
      const { stdout } = await hookd(workspace, ['settings', 'check', ...files]);
      return [value.findings.map(({ rule }: { rule: string }) => rule), stdout.split(why).length - 1];
    };
    expect((await json(workspace, ['list'])).value.hooks).toMatchObject([{ problems: [why] }]);
    expect([await told(), await told(other)]).toEqual([
      [['refused-address'], 1],
      [['refused-address'], 1],
    ]);
    const allowed = { allowedHttpHookUrls: ['http://intranet.example/*'] };
    const user = join(workspace.home, 'settings.json');
    writeFileSync(user, JSON.stringify({ ...preToolUse(http as never), ...allowed }));
    expect([await told(), await told(other)]).toEqual([
      [[], 0],
      [[], 0],
    ]);
  });

  it('tells what is wrong with a file that keeps sessions from starting', async () => {
    const workspace = makeWorkspace({ settings: { hooks: { PreTolUse: [] } } });
    const { code, value } = await json(workspace, ['lint']);
    expect(code).toBe(1);
    expect(value.findings).toMatchObject([{ rule: 'settings', why: 'no session starts with this file' }]);
  });
});

describe('hooks new', () => {
  it('writes a hook that may be executed, says how to switch it on, and never overwrites', async () => {
    const workspace = makeWorkspace();
    mkdirSync(join(workspace.project, '.git'));
    const out = '.hookd/hooks/mine.py';
    const first = await json(workspace, ['new', 'PreToolUse', '--out', out]);
    const file = join(workspace.project, out);
    expect(first.value).toMatchObject({ event: 'PreToolUse', language: 'python', file });
    expect(statSync(file).mode & 0o777).toBe(0o755);
    expect(readFileSync(file, 'utf8')).toBe(first.value.text);
    writeFileSync(file, 'changed');
    const again = await hookd(workspace, ['hooks', 'new', 'Stop', '--lang', 'sh', '--out', out]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('there is something already');
    expect(readFileSync(file, 'utf8')).toBe('changed');
  });

  it('hands out settings that list and run take as they are', async () => {
    const workspace = makeWorkspace();
    const { value } = await json(workspace, ['new', 'PreToolUse', '--out', 'my hook.mjs']);
    writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify(value.settings));
    const listed = await json(workspace, ['list']);
    expect(listed.value.hooks).toMatchObject([{ event: 'PreToolUse', program: value.file, problems: [] }]);
    const played = await json(workspace, tryBash('ls'));
    expect(played).toMatchObject({ code: 0, value: { result: { verdict: 'none' } } });
    expect((await hookd(workspace, ['hooks', 'lint'])).code).toBe(0);
  });

  it('prints it without --out, and asks for a language that it cannot tell', async () => {
    const workspace = makeWorkspace();
    const printed = await hookd(workspace, ['hooks', 'new', 'Stop', '--lang', 'perl']);
    expect(printed.stdout).toMatch(/^#!\/usr\/bin\/env perl\n# Event: Stop\./);
    const { code, stderr } = await hookd(workspace, ['hooks', 'new', 'Stop']);
    expect(code).toBe(2);
    expect(stderr).toContain('--lang sh|python|node|perl');
  });
});
