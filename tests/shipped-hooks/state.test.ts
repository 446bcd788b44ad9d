/** The shipped hooks that remember something: in the session's directory, in a log. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterTool, bashResponse, beforeTool, COMMON, missing, oddDirectory, runHook } from './run-hook.ts';

const SILENT = { code: 0, stdout: '', stderr: '' };

describe.concurrent('timing.py', () => {
  const beforeCall = (id: string) => beforeTool('Bash', { command: 'ls' }, { tool_use_id: id });
  const afterCall = (id: string) => ({ ...afterTool('Bash', {}, bashResponse('')), tool_use_id: id });
  const timings = (directory: string) =>
    readFileSync(join(directory, 'timings.tsv'), 'utf8').trim().split('\n');

  it('leaves a time before a call and finds it after, whatever the model chose as id', async ({ skip }) => {
    skip(missing('timing.py') !== undefined, missing('timing.py'));
    const directory = oddDirectory();
    const env = { HOOKD_SESSION_DIR: directory };
    const ids = ['toolu_01', '../../escape', 'a b\n', '', '\ud800', 'x'.repeat(5_000)];
    await Promise.all(ids.map((id) => runHook('timing.py', beforeCall(id), { env })));
    expect(readdirSync(directory).filter((name) => name.startsWith('started-'))).toHaveLength(ids.length);
    await Promise.all(ids.map((id) => runHook('timing.py', afterCall(id), { env })));
    expect(readdirSync(directory)).toEqual(['timings.tsv']);
    expect(timings(directory)).toHaveLength(ids.length);
    for (const line of timings(directory)) expect(line).toMatch(/^\d+\.\d{3}\tBash$/);
  });

  it('counts from the first look when a call is judged twice', async ({ skip }) => {
    skip(missing('timing.py') !== undefined, missing('timing.py'));
    const directory = oddDirectory();
    const env = { HOOKD_SESSION_DIR: directory };
    await runHook('timing.py', beforeCall('a'), { env });
    const [mark = ''] = readdirSync(directory);
    const first = readFileSync(join(directory, mark), 'utf8');
    await runHook('timing.py', beforeCall('a'), { env });
    expect(readFileSync(join(directory, mark), 'utf8').split('\n')[0]).toBe(first.trim());
  });

  it('tells the model of a slow call, also of one that failed', async ({ skip }) => {
    skip(missing('timing.py') !== undefined, missing('timing.py'));
    const options = { env: { HOOKD_SESSION_DIR: oddDirectory() }, args: ['0'] };
    await runHook('timing.py', beforeCall('a'), options);
    const failure = { ...afterCall('a'), hook_event_name: 'PostToolUseFailure', error: 'Exit code 1' };
    const { stdout } = await runHook('timing.py', failure, options);
    const { hookEventName, additionalContext } = JSON.parse(stdout).hookSpecificOutput;
    expect(hookEventName).toBe('PostToolUseFailure');
    expect(additionalContext).toMatch(/^Bash took \d+\.\d s, questions and hooks included\.$/);
  });

  it('is silent about a call that it did not see begin', async ({ skip }) => {
    skip(missing('timing.py') !== undefined, missing('timing.py'));
    const directory = oddDirectory();
    const env = { HOOKD_SESSION_DIR: directory };
    expect(await runHook('timing.py', afterCall('unseen'), { env })).toEqual(SILENT);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('makes a private directory where the host gives none, and uses no other', async ({ skip }) => {
    skip(missing('timing.py') !== undefined, missing('timing.py'));
    const env = { TMPDIR: oddDirectory() };
    expect(await runHook('timing.py', beforeCall('a'), { env })).toEqual(SILENT);
    const [made = ''] = readdirSync(env.TMPDIR);
    expect(readdirSync(join(env.TMPDIR, made))).toHaveLength(1);
    chmodSync(join(env.TMPDIR, made), 0o777);
    const { code, stderr } = await runHook('timing.py', beforeCall('b'), { env });
    expect(code).toBe(1);
    expect(stderr).toContain('is not ours alone');
  });
});

describe.concurrent('context-meter.mjs', () => {
  const hook = 'context-meter.mjs';
  const request = (context_tokens: unknown) => ({
    ...COMMON,
    hook_event_name: 'PreModelRequest',
    model: 'm',
    request_index: 2,
    message_count: 3,
    context_tokens,
    usage: null,
  });
  const args = ['100', '200'];

  it('warns once, and again after the conversation was small in between', async () => {
    const options = { args, env: { HOOKD_SESSION_DIR: oddDirectory() } };
    const said = [];
    for (const tokens of [0, 100, 101, 150, 50, 199])
      said.push((await runHook(hook, request(tokens), options)).stdout.match(/holds (\d+) tokens/)?.[1]);
    expect(said).toEqual([undefined, undefined, '101', undefined, undefined, '199']);
  });

  it('lets a summary be asked for above the limit', async () => {
    expect(await runHook(hook, { ...request(201), purpose: 'summary' }, { args })).toEqual(SILENT);
  });

  it('ends the turn above the limit', async () => {
    const { code, stdout } = await runHook(hook, request(201), { args });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      continue: false,
      stopReason: 'context-meter: 201 tokens, more than 200. Compact the conversation or start a new one.',
    });
  });

  it.for([
    ['no count', request(undefined), args],
    ['a count that is no number', request('many'), args],
    ['not JSON', 'nothing', args],
    ['a limit that is no number', request(1), ['much', '200']],
  ] as const)('refuses on %s', async ([, payload, limits]) => {
    const { code, stdout, stderr } = await runHook(hook, payload, { args: limits });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^context-meter: the size of the conversation is unknown \(.+\)\n$/);
  });
});

describe.concurrent('notify.pl', () => {
  const hook = 'notify.pl';

  it('writes a line where there is neither desktop nor terminal, without control characters', async ({
    skip,
  }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const directory = oddDirectory();
    const log = join(directory, 'new', 'log');
    const payload = { ...COMMON, hook_event_name: 'Notification', message: 'žluť\x1b[2J\nneeds you' };
    const env = { HOOK_NOTIFY_LOG: log, CLAUDE_PROJECT_DIR: '/somewhere/my project' };
    expect(await runHook(hook, payload, { env })).toEqual(SILENT);
    expect(readFileSync(log, 'utf8')).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d Agent in my project: žluť \[2J needs you\n$/,
    );
  });

  it('asks notify-send on a desktop, and falls back when that fails', async ({ skip }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const bin = mkdtempSync(join(tmpdir(), 'hooks-bin-'));
    const notifySend = (script: string) => {
      writeFileSync(join(bin, 'notify-send'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, 'notify-send'), 0o755);
    };
    const env = {
      DISPLAY: ':none',
      PATH: `${bin}:${process.env['PATH']}`,
      HOOK_NOTIFY_LOG: join(bin, 'log'),
      CLAUDE_PROJECT_DIR: '/p',
    };
    const payload = { ...COMMON, hook_event_name: 'Stop', last_assistant_message: '-a <b> & "c" $(touch x)' };
    notifySend(`printf '%s|' "$@" > '${bin}/said'`);
    expect(await runHook(hook, payload, { env })).toEqual(SILENT);
    expect(readFileSync(join(bin, 'said'), 'utf8')).toBe('--|Agent in p|-a &lt;b&gt; &amp; "c" $(touch x)|');
    expect(existsSync(env.HOOK_NOTIFY_LOG)).toBe(false);
    notifySend('echo no bus >&2; exit 1');
    expect(await runHook(hook, payload, { env })).toEqual(SILENT);
    expect(readFileSync(env.HOOK_NOTIFY_LOG, 'utf8')).toContain('-a <b> & "c" $(touch x)');
  });
});

describe.concurrent('session-summary.py', () => {
  it('adds up requests, tokens and tool calls, with the slowest', async ({ skip }) => {
    skip(missing('session-summary.py') !== undefined, missing('session-summary.py'));
    const directory = oddDirectory();
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, service_tier: 'x' };
    const line = (id: string, block: object) =>
      JSON.stringify({ type: 'assistant', message: { id, role: 'assistant', usage, content: [block] } });
    const transcript_path = join(directory, 't.jsonl');
    writeFileSync(
      transcript_path,
      [
        JSON.stringify({ type: 'user', message: { role: 'user', content: 'ünï' } }),
        line('1', { type: 'text', text: 'x' }),
        line('1', { type: 'tool_use', id: 'a', name: 'Bash', input: {} }),
        line('2', { type: 'tool_use', id: 'b', name: 'Bash', input: {} }),
        '{"type":"system","content":"a notice"}',
        '{"torn',
      ].join('\n'),
    );
    mkdirSync(join(directory, 'session'));
    writeFileSync(join(directory, 'session', 'timings.tsv'), '0.100\tRead\n9.400\tBash\n');
    const log = join(directory, 'logs', 'sessions');
    const env = { HOOK_SESSION_LOG: log, HOOKD_SESSION_DIR: join(directory, 'session') };
    const payload = { ...COMMON, hook_event_name: 'SessionEnd', reason: 'other', transcript_path };
    expect(await runHook('session-summary.py', payload, { env })).toEqual(SILENT);
    const { HOOKD_SESSION_DIR: _, ...without } = env;
    expect(await runHook('session-summary.py', payload, { env: without })).toEqual(SILENT);
    const said = `${COMMON.session_id} 2 requests, 230 tokens, Bash×2`;
    const lines = readFileSync(log, 'utf8').split('\n');
    expect(lines.map((text) => text.slice('2000-01-01 00:00 '.length))).toEqual([
      `${said}, slowest Bash 9.4 s`,
      said,
      '',
    ]);
  });
});
