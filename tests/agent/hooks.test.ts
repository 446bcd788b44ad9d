/** Hooks through the whole data path: what they refuse, rewrite, add and end. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { HookdError } from '../../src/core/errors.ts';
import type { SessionEvent } from '../../src/core/protocol.ts';
import { Background } from '../../src/hooks/background.ts';
import { TurnNotes } from '../../src/hooks/host.ts';
import { kindsOf, makeWorkspace, type Workspace } from '../support/hookd.ts';
import { type Played, type PlayOptions, play, text, toolUse } from '../support/in-process.ts';

type HookEntry = Record<string, unknown>;

/** A workspace whose user has these hooks: event → handlers. */
function withHooks(
  hooks: Record<string, readonly HookEntry[]>,
  permissions: object = { allow: ['Bash', 'Write', 'Edit'] },
): Workspace {
  const groups = Object.fromEntries(
    Object.entries(hooks).map(([event, entries]) => [event, [{ hooks: entries }]]),
  );
  return makeWorkspace({ settings: { permissions, hooks: groups } });
}

const command = (script: string, more: object = {}): HookEntry => ({
  type: 'command',
  command: script,
  ...more,
});
const says = (answer: object): HookEntry => command(`cat > /dev/null; echo '${JSON.stringify(answer)}'`);
const decides = (decision: object) =>
  says({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } });

function bash(line: string, options: PlayOptions): Promise<Played> {
  return play([[toolUse('Bash', { command: line }, 'u1')], [text('ok')]], options);
}

describe('a PreToolUse hook', () => {
  it('that exits with 2 refuses the call; the model reads its words, the log who it was', async () => {
    const workspace = withHooks({ PreToolUse: [command('echo not that >&2; exit 2')] });
    const { results, records } = await bash('touch marker', { workspace });
    expect(existsSync(join(workspace.project, 'marker'))).toBe(false);
    expect(results[0]).toMatchObject({ outcome: 'denied', text: expect.stringContaining('not that') });
    expect(kindsOf(records).slice(6, 12)).toEqual([
      'tool_use',
      'tool_call',
      'hook_started',
      'process_started',
      'hook_run',
      'permission',
    ]);
    expect(records.find(({ kind }) => kind === 'permission')).toMatchObject({
      decision: 'deny',
      cause: { kind: 'hook', hook: { event: 'PreToolUse', file: join(workspace.home, 'settings.json') } },
    });
  });

  it('that rewrites the input: rules judge the rewritten one, those who watch are told of it, and the log has both', async () => {
    const rewrite = decides({ permissionDecision: 'allow', updatedInput: { command: 'touch rewritten' } });
    const workspace = withHooks(
      { PreToolUse: [rewrite] },
      { allow: ['Bash(touch rewritten)'], deny: ['Bash(touch original)'] },
    );
    const told: SessionEvent[] = [];
    const { results, records } = await bash('touch original', {
      workspace,
      onEvent: (event) => void (event.kind === 'input_rewritten' && told.push(event)),
    });
    expect(results[0]?.outcome).toBe('ok');
    expect(readdirSync(workspace.project)).toEqual(['rewritten']);
    expect(told).toEqual([
      {
        kind: 'input_rewritten',
        use: { id: 'u1', name: 'Bash', input: { command: 'touch rewritten' } },
        changed: ['command'],
        by: expect.objectContaining({ event: 'PreToolUse' }),
      },
    ]);
    expect(records.find(({ kind }) => kind === 'input_rewritten')).toMatchObject({
      before: { command: 'touch original' },
      after: { command: 'touch rewritten' },
    });
  });

  it('that rewrites into something denied is denied by the rule', async () => {
    const workspace = withHooks(
      { PreToolUse: [decides({ updatedInput: { command: 'touch bad' } })] },
      { allow: ['Bash'], deny: ['Bash(touch bad)'] },
    );
    const { results } = await bash('touch good', { workspace });
    expect(results[0]?.outcome).toBe('denied');
    expect(readdirSync(workspace.project)).toEqual([]);
  });

  it('that crashes has not said yes: a person is asked, and where none is, the call does not run', async () => {
    const workspace = withHooks({ PreToolUse: [command('kill -9 $$')] });
    const { results } = await bash('touch marker', { workspace });
    expect(results[0]?.outcome).toBe('denied');
    const asked: string[] = [];
    const yes = {
      ask: async (request: { value: { decision: { reason: string } } }) => {
        asked.push(request.value.decision.reason);
        return { answer: 'allow' as const, client: 'test' };
      },
    };
    const allowed = await bash('touch marker', { workspace, approvals: yes });
    expect(allowed.results[0]?.outcome).toBe('ok');
    expect(asked.join()).toContain('kill -9 $$');
  });

  it('that asks is put to a person, never to PermissionRequest hooks', async () => {
    const workspace = withHooks({
      PreToolUse: [decides({ permissionDecision: 'ask', permissionDecisionReason: 'look at this' })],
      PermissionRequest: [command('touch "$HOOKD_PROJECT_DIR/asked-hook"')],
    });
    const { results, records } = await bash('touch marker', { workspace });
    expect(results[0]).toMatchObject({ outcome: 'denied', text: expect.stringContaining('look at this') });
    expect(readdirSync(workspace.project)).toEqual([]);
    expect(kindsOf(records)).toContain('approval_requested');
  });

  it('that allows lifts the default question, but no rule that asks or denies', async () => {
    const allow = decides({ permissionDecision: 'allow', permissionDecisionReason: 'fine' });
    const free = withHooks({ PreToolUse: [allow] }, {});
    expect((await bash('touch marker', { workspace: free })).results[0]?.outcome).toBe('ok');
    for (const list of ['ask', 'deny']) {
      const ruled = withHooks({ PreToolUse: [allow] }, { [list]: ['Bash(touch:*)'] });
      expect((await bash('touch marker', { workspace: ruled })).results[0]?.outcome).toBe('denied');
    }
  });

  it('that says continue:false keeps the call from running, and ends the turn', async () => {
    const workspace = withHooks({ PreToolUse: [says({ continue: false, stopReason: 'enough' })] });
    const { results, end } = await play(
      [
        [toolUse('Bash', { command: 'touch one' }), toolUse('Bash', { command: 'touch two' })],
        [text('never')],
      ],
      { workspace },
    );
    expect(readdirSync(workspace.project)).toEqual([]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['denied', 'not_run']);
    expect(end).toMatchObject({ reason: 'hook_stopped', requests: 1 });
  });

  it('that asks, or failed, where nobody is there: no allow rule is said to help', async () => {
    for (const hook of [decides({ permissionDecision: 'ask' }), command('exit 127')]) {
      const { results } = await bash('touch x', { workspace: withHooks({ PreToolUse: [hook] }) });
      expect(results[0]?.text).toContain('A hook asks, and no allow rule lifts that');
      expect(results[0]?.text).not.toContain('would permit it');
    }
    const { results } = await bash('touch x', { workspace: withHooks({}, {}) });
    expect(results[0]?.text).toContain('An allow rule would permit it: Bash(touch x). ');
  });

  it('gets the payload of Claude Code, and its transcript is complete', async () => {
    const workspace = withHooks({
      PreToolUse: [
        command(
          "cat > payload.json; cp \"$(python3 -c \"import json;print(json.load(open('payload.json'))['transcript_path'])\" 2>/dev/null || node -p \"JSON.parse(require('fs').readFileSync('payload.json','utf8')).transcript_path\")\" transcript.jsonl",
        ),
      ],
    });
    await bash('true', { workspace });
    const payload = JSON.parse(readFileSync(join(workspace.project, 'payload.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    const { transcript_path, ...rest } = payload;
    // Hooks take the file's name for the session's key.
    expect(basename(String(transcript_path), '.jsonl')).toBe(payload['session_id']);
    expect(rest).toEqual({
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cwd: workspace.project,
      hook_event_name: 'PreToolUse',
      prompt_id: expect.any(String),
      permission_mode: 'default',
      tool_name: 'Bash',
      tool_input: { command: 'true' },
      tool_use_id: 'u1',
    });
    const transcript = readFileSync(join(workspace.project, 'transcript.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(transcript.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      'user',
      'assistant',
    ]);
  });
});

it('rewrites compose in configured order, and no verdict is taken on a stale input', async () => {
  for (const [slow, fast] of [
    [0.05, 0],
    [0, 0.05],
  ]) {
    const append = (word: string, delay: number | undefined) =>
      command(
        `node -e 'const p=JSON.parse(require("fs").readFileSync(0,"utf8"));const c=p.tool_input.command;setTimeout(()=>console.log(JSON.stringify({hookSpecificOutput:{hookEventName:"PreToolUse",updatedInput:{command:c.includes("${word}")?c:c+" ${word}"}}})),${(delay ?? 0) * 1000})'`,
      );
    const judge = command(
      `grep -q 'a b' && exit 0; echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`,
    );
    const workspace = withHooks(
      { PreToolUse: [append('a', slow), append('b', fast), judge] },
      { ask: ['Bash(nothing)'] },
    );
    const { results, records } = await bash('touch', { workspace });
    // The judge allows only what lacks "a b": on the final input it has no opinion, so the default asks.
    expect(results[0]?.outcome).toBe('denied');
    const rewrites = records
      .filter(({ kind }) => kind === 'input_rewritten')
      .map((record) => record['after']);
    expect(rewrites).toEqual([{ command: 'touch a' }, { command: 'touch a b' }]);
  }
});

describe('other events', () => {
  it('PostToolUse: feedback and context reach the model beside the result', async () => {
    const workspace = withHooks({ PostToolUse: [command('echo look again >&2; exit 2')] });
    const { messages, results } = await bash('echo hi', { workspace });
    expect(results[0]?.outcome).toBe('ok');
    expect(JSON.stringify(messages[2])).toContain('look again');
  });

  it('UserPromptSubmit: a refused prompt never reaches the model; an allowed one carries the context', async () => {
    const refused = withHooks({ UserPromptSubmit: [command('echo no prompts >&2; exit 2')] });
    const { end, messages } = await play([[text('never')]], { workspace: refused });
    expect(end).toMatchObject({
      reason: 'prompt_refused',
      requests: 0,
      detail: expect.stringContaining('no prompts'),
    });
    expect(messages).toEqual([]);
    const helped = withHooks({
      UserPromptSubmit: [command('echo it is Monday')],
      SessionStart: [command('echo welcome')],
    });
    const played = await play([[text('ok')]], { workspace: helped });
    expect(JSON.stringify(played.messages[0])).toContain('it is Monday');
    expect(JSON.stringify(played.messages[0])).toContain('welcome');
  });

  it('Stop: an objection sends the model on, at most eight times', async () => {
    const workspace = withHooks({ Stop: [command('echo keep going >&2; exit 2')] });
    const { end, messages, records } = await play([[text('done 1')]], { workspace });
    expect(end).toMatchObject({ reason: 'completed', requests: 9 });
    expect(records.filter(({ kind }) => kind === 'stop_blocked')).toHaveLength(8);
    expect(JSON.stringify(messages[2])).toContain('keep going');
  });

  it('PermissionRequest: may answer in the place of a person; the strictest counts', async () => {
    const answer = (behavior: string) =>
      says({
        hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, message: behavior } },
      });
    const allowed = withHooks({ PermissionRequest: [answer('allow')] }, {});
    expect((await bash('touch x', { workspace: allowed })).results[0]?.outcome).toBe('ok');
    const denied = withHooks({ PermissionRequest: [answer('allow'), answer('deny')] }, {});
    expect((await bash('touch x', { workspace: denied })).results[0]?.outcome).toBe('denied');
  });

  it('hooks of one session share a directory, which goes with the session', async () => {
    const workspace = withHooks({
      PreToolUse: [command('echo started > "$HOOKD_SESSION_DIR/t"')],
      PostToolUse: [command('cp "$HOOKD_SESSION_DIR/t" found; echo "$HOOKD_SESSION_DIR" > where')],
    });
    await bash('true', { workspace });
    expect(readFileSync(join(workspace.project, 'found'), 'utf8')).toBe('started\n');
    expect(existsSync(readFileSync(join(workspace.project, 'where'), 'utf8').trim())).toBe(false);
  });

  it('CLAUDE_ENV_FILE: what SessionStart exports reaches Bash, as data', async () => {
    const workspace = withHooks({
      SessionStart: [command('echo "export GREETING=\'hi there\'" >> "$CLAUDE_ENV_FILE"')],
    });
    const { results } = await bash('echo "$GREETING"', { workspace });
    expect(results[0]?.text).toBe('hi there');
  });

  it('a call whose environment cannot be made is refused, and is not on record as started', async () => {
    const workspace = withHooks({
      SessionStart: [command('rm -f "$CLAUDE_ENV_FILE"; mkdir "$CLAUDE_ENV_FILE"')],
    });
    const { results, records } = await bash('touch x', { workspace });
    expect(results).toMatchObject([
      { outcome: 'denied', text: expect.stringContaining('session-env is not a regular file') },
    ]);
    expect(kindsOf(records)).not.toContain('tool_started');
    expect(existsSync(join(workspace.project, 'x'))).toBe(false);
  });

  it('a call that runs no command needs no environment', async () => {
    const workspace = withHooks({
      SessionStart: [command('rm -f "$CLAUDE_ENV_FILE"; mkdir "$CLAUDE_ENV_FILE"')],
    });
    writeFileSync(join(workspace.project, 'a.txt'), 'hello');
    const responses = [[toolUse('Read', { file_path: 'a.txt' }, 'u1')], [text('ok')]];
    const { results } = await play(responses, { workspace });
    expect(results).toMatchObject([{ outcome: 'ok', text: 'hello' }]);
  });

  it('async hooks are not awaited, and are on record before the session ends', async () => {
    const workspace = withHooks({ PreToolUse: [command('sleep 0.3; exit 2', { async: true })] });
    const { results, records } = await bash('touch x', { workspace });
    expect(results[0]?.outcome).toBe('ok');
    const kinds = kindsOf(records);
    expect(kinds.indexOf('hook_run')).toBeGreaterThan(kinds.indexOf('tool_result'));
    expect(kinds.indexOf('hook_run')).toBeLessThan(kinds.indexOf('session_ended'));
  });

  it.each([
    [401, 'authentication_failed'],
    [429, 'rate_limit'],
    [400, 'unknown'],
  ])('StopFailure: an answer with status %s is %s, for hooks that care about some', async (status, kind) => {
    const workspace = withHooks({});
    const entry = (name: string) => ({ matcher: name, hooks: [command(`touch ${name}`)] });
    const kinds = ['authentication_failed', 'rate_limit', 'unknown'];
    writeFileSync(
      join(workspace.home, 'settings.json'),
      JSON.stringify({ maxRetries: 0, hooks: { StopFailure: kinds.map(entry) } }),
    );
    await play([{ error: { status, type: 'some_error', message: 'no' } }], { workspace });
    expect(readdirSync(workspace.project)).toEqual([kind]);
  });

  it('PreModelRequest: may end the turn before a request leaves', async () => {
    const workspace = withHooks({ PreModelRequest: [command('echo too much >&2; exit 2')] });
    const { end, records } = await play([[text('never')]], { workspace });
    expect(end.requests).toBe(0);
    expect(kindsOf(records)).not.toContain('model_request');
  });
});

it('a project that is not trusted runs none of its hooks', async () => {
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash'] } } });
  mkdirSync(join(workspace.project, '.hookd'));
  const script = join(workspace.project, 'hook.sh');
  writeFileSync(script, '#!/bin/sh\ntouch hook-ran\n');
  chmodSync(script, 0o755);
  writeFileSync(
    join(workspace.project, '.hookd/settings.json'),
    JSON.stringify({ hooks: { PreToolUse: [{ hooks: [command('./hook.sh')] }] } }),
  );
  const { results } = await bash('true', { workspace });
  expect(results[0]?.outcome).toBe('ok');
  expect(existsSync(join(workspace.project, 'hook-ran'))).toBe(false);
});

it('a fault after a call has run does not say that it did not run', async () => {
  const workspace = withHooks({ PostToolUse: [command('echo look >&2; exit 2')] });
  const fault = vi.spyOn(TurnNotes.prototype, 'addContext').mockImplementation(() => {
    throw new Error('a fault of hookd');
  });
  const { results, records } = await bash('touch ran', { workspace });
  fault.mockRestore();
  expect(readdirSync(workspace.project)).toEqual(['ran']);
  expect(results.map(({ outcome }) => outcome)).toEqual(['ok']);
  expect(records.filter(({ kind }) => kind === 'tool_result').map((record) => record['outcome'])).toEqual([
    'ok',
  ]);
  expect(readFileSync(join(workspace.home, 'hookd.log'), 'utf8')).toContain('a fault of hookd');
});

it('a failed record of an async hook fails the session once, not for ever', () => {
  const background = new Background();
  background.add(Promise.reject(new HookdError('AUDIT_UNAVAILABLE', 'full')));
  return background.end().then(
    () => expect.unreachable(),
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
      expect(background.takeContext()).toEqual([]);
    },
  );
});
