/** The built hookd against a Messages API on loopback: whole conversations, and the requests compared whole. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { processStartTime } from '../../src/lib/proc.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import {
  auditRecords,
  hookd,
  kindsOf,
  makeWorkspace,
  startHookd,
  until,
  type Workspace,
  type WorkspaceOptions,
} from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { type MessagesApi, type ScriptedAnswer, startMessagesApi } from '../support/messages-api.ts';

let api: MessagesApi | undefined;

afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function serve(
  turns: readonly ScriptedAnswer[],
  options: WorkspaceOptions & { stream?: boolean } = {},
): Promise<Workspace> {
  api = await startMessagesApi(turns, { stream: options.stream ?? true });
  return makeWorkspace({
    ...options,
    env: {
      ...options.env,
      ANTHROPIC_API_KEY: 'sk-test-not-a-key',
      ANTHROPIC_BASE_URL: api.url,
      MODEL_ID: 'test-model',
    },
  });
}

interface Body {
  readonly system: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

function bodies(): readonly Body[] {
  return (api?.requests ?? []).map(({ body }) => body as Body);
}

/** The whole of every request: only the messages differ from one to the next. */
function expectRequests(workspace: Workspace, conversations: readonly (readonly Message[])[]): void {
  expect(api?.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
    conversations.map(() => 'POST /v1/messages'),
  );
  expect(bodies()).toEqual(
    conversations.map((messages) => ({
      model: 'test-model',
      max_tokens: 8000,
      stream: true,
      system: [{ type: 'text', text: expect.stringContaining(workspace.project), ...MARK }],
      tools: TOOLS.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      })),
      messages: marked(messages),
    })),
  );
}

/** Up to here an endpoint may keep what it has read. */
const MARK = { cache_control: { type: 'ephemeral' } };

/** The last block of all is marked. */
function marked(messages: readonly Message[]): readonly Message[] {
  return messages.map((message, index) => {
    if (index < messages.length - 1) return message;
    const content = message.content.with(-1, { ...(message.content.at(-1) as object), ...MARK });
    return { ...message, content };
  });
}

interface Message {
  readonly role: string;
  readonly content: readonly unknown[];
}

const user = (content: string | readonly unknown[]): Message => ({
  role: 'user',
  content: typeof content === 'string' ? [text(content)] : content,
});
const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const answered = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content });
const failedWith = (id: string, content: unknown) => ({ ...answered(id, content), is_error: true });

/** A stand-in for the interpreter, so that the test needs none: it prints what `print('…')` would. */
function withPython(): { env: Record<string, string> } {
  const bin = join(makeWorkspace().root, 'bin');
  mkdirSync(bin);
  const python = join(bin, 'python3');
  writeFileSync(python, `#!/bin/sh\nsed -n "s/^print('\\(.*\\)')$/\\1/p" "$1"\n`);
  chmodSync(python, 0o755);
  return { env: { PATH: `${bin}:${process.env['PATH']}` } };
}

describe.each([true, false])('with an endpoint that streams: %s', (stream) => {
  it('creates hello.py and runs it', async () => {
    const write = toolUse('Write', { file_path: 'hello.py', content: "print('hello')\n" }, 'u1');
    const run = toolUse('Bash', { command: 'python3 hello.py' }, 'u2');
    const workspace = await serve([[text('First the file.'), write], [run], [text('It says hello.')]], {
      stream,
      ...withPython(),
      settings: { permissions: { allow: ['Write', 'Bash(python3 hello.py)'] } },
    });
    const { code, stdout, stderr } = await hookd(workspace, ['-p', 'create hello.py and run it']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'It says hello.\n', stderr: '' });
    const file = join(workspace.project, 'hello.py');
    expect(readFileSync(file, 'utf8')).toBe("print('hello')\n");
    const first = [user('create hello.py and run it')];
    const second = [
      ...first,
      assistant(text('First the file.'), write),
      user([answered('u1', `Wrote 15 bytes to ${file}`)]),
    ];
    const third = [...second, assistant(run), user([answered('u2', expect.stringContaining('hello'))])];
    expectRequests(workspace, [first, second, third]);
  });

  it('reads two files in one turn and writes a third', async () => {
    const uses = [
      toolUse('Read', { file_path: 'README.md' }, 'u1'),
      toolUse('Read', { file_path: 'package.json' }, 'u2'),
    ];
    const write = toolUse('Write', { file_path: 'SUMMARY.md', content: 'A thing.\n' }, 'u3');
    const workspace = await serve([uses, [write], [text('Written.')]], {
      stream,
      settings: { permissions: { allow: ['Write'] } },
      files: { 'README.md': '# Thing\n', 'package.json': '{"name":"thing"}\n' },
    });
    const prompt = 'read README.md and package.json, write SUMMARY.md';
    const { code, stdout } = await hookd(workspace, ['run', prompt]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Written.\n' });
    expect(readFileSync(join(workspace.project, 'SUMMARY.md'), 'utf8')).toBe('A thing.\n');
    const first = [user(prompt)];
    const second = [
      ...first,
      assistant(...uses),
      user([
        answered('u1', expect.stringContaining('# Thing')),
        answered('u2', expect.stringContaining('"name":"thing"')),
      ]),
    ];
    const third = [
      ...second,
      assistant(write),
      user([answered('u3', `Wrote 9 bytes to ${workspace.project}/SUMMARY.md`)]),
    ];
    expectRequests(workspace, [first, second, third]);
  });
});

it('a denied command never runs; the model reads why and takes another way', async () => {
  const denied = toolUse('Bash', { command: 'touch forbidden && echo so' }, 'u1');
  const other = toolUse('Bash', { command: 'echo allowed' }, 'u2');
  const workspace = await serve([[denied], [other], [text('Done another way.')]], {
    settings: { permissions: { allow: ['Bash'], deny: ['Bash(touch:*)'] } },
  });
  const { code, stdout } = await hookd(workspace, ['-p', 'make it', '--output-format', 'json']);
  expect(code).toBe(0);
  expect(existsSync(join(workspace.project, 'forbidden'))).toBe(false);
  expect(JSON.parse(stdout)).toEqual({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'Done another way.',
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    num_turns: 3,
    stop_reason: 'end_turn',
    terminal_reason: 'completed',
    duration_ms: expect.any(Number),
    usage: expect.objectContaining({ input_tokens: expect.any(Number), output_tokens: expect.any(Number) }),
    permission_denials: [{ tool_name: 'Bash', tool_use_id: 'u1', tool_input: denied.input }],
    warnings: [],
    audit: {
      file: expect.stringContaining(`${workspace.home}/audit/`),
      head: auditRecords(workspace).at(-1)?.hash,
      records: auditRecords(workspace).length,
    },
  });
  const first = [user('make it')];
  const reason = expect.stringMatching(/Bash\(touch:\*\).*settings\.json:\d+/);
  const second = [...first, assistant(denied), user([failedWith('u1', reason)])];
  const third = [...second, assistant(other), user([answered('u2', expect.stringContaining('allowed'))])];
  expectRequests(workspace, [first, second, third]);
});

it('an unknown tool, a bad input and a tool that fails are results, and the conversation goes on', async () => {
  const uses = [
    toolUse('Teleport', { to: 'moon' }, 'u1'),
    toolUse('Read', { file_path: 7 }, 'u2'),
    toolUse('Read', { file_path: 'missing.txt' }, 'u3'),
    toolUse('Bash', { command: 'cat missing.txt' }, 'u4'),
  ];
  const workspace = await serve([uses, [text('All failed.')]]);
  const { code, stdout } = await hookd(workspace, ['-p', 'try']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'All failed.\n' });
  const first = [user('try')];
  const results = [
    failedWith('u1', 'There is no tool named "Teleport". The tools are: Bash, Read, Write, Edit, Glob.'),
    failedWith('u2', expect.stringContaining('file_path must be a string, not')),
    failedWith('u3', expect.stringContaining('missing.txt')),
    failedWith('u4', expect.stringContaining('No such file')),
  ];
  expectRequests(workspace, [first, [...first, assistant(...uses), user(results)]]);
});

it('an interrupt ends the running command, its group too, and answers every use', async () => {
  const uses = [
    toolUse('Bash', { command: 'sleep 300 & sleep 300' }, 'u1'),
    toolUse('Bash', { command: 'echo late' }, 'u2'),
  ];
  const workspace = await serve([uses, [text('never')]], { settings: { permissions: { allow: ['Bash'] } } });
  const { child, finished } = startHookd(workspace, ['-p', 'wait', '--output-format', 'json']);
  await until(
    () =>
      existsSync(join(workspace.home, 'audit')) &&
      kindsOf(auditRecords(workspace)).includes('process_started'),
    'the command',
  );
  child.kill('SIGINT');
  const { code, stdout } = await finished;
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({
    subtype: 'error_during_execution',
    terminal_reason: 'interrupted',
    is_error: true,
  });
  expect(bodies()).toHaveLength(1);
  const records = auditRecords(workspace);
  expect(kindsOf(records)).toEqual([
    'daemon_started',
    'settings_loaded',
    'session_started',
    'prompt',
    'model_request',
    'model_response',
    'tool_use',
    'tool_use',
    'tool_call',
    'hooked_call',
    'permission',
    'tool_started',
    'process_started',
    'tool_result',
    'tool_result',
    'turn_ended',
    'session_ended',
    'daemon_stopped',
  ]);
  expect(records.filter(({ kind }) => kind === 'tool_result').map((record) => record['outcome'])).toEqual([
    'interrupted',
    'not_run',
  ]);
  const started = records.find(({ kind }) => kind === 'process_started')?.['process'] as {
    pid: number;
    startTime: string;
  };
  expect(processStartTime(started.pid)).not.toBe(started.startTime);
});

it('an interrupt while the model is silent ends the turn at once', async () => {
  const workspace = await serve([{ chunks: [], end: 'hang' }]);
  const { child, finished } = startHookd(workspace, ['-p', 'wait']);
  await api?.nextRequest();
  child.kill('SIGINT');
  const { code, stderr } = await finished;
  expect({ code, stderr }).toEqual({ code: 130, stderr: 'hookd: interrupted.\n' });
  expect(auditRecords(workspace).find(({ kind }) => kind === 'turn_ended')).toMatchObject({
    reason: 'interrupted',
  });
});

it('a refused key is a clear line and exit code 1, and the key is nowhere in the log', async () => {
  const workspace = await serve([
    { error: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' } },
  ]);
  const { code, stderr, stdout } = await hookd(workspace, ['-p', 'hi']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/401.*key/s);
  expect(JSON.stringify(auditRecords(workspace))).not.toContain('sk-test-not-a-key');
});

it('the key does not reach a command', async () => {
  const use = toolUse('Bash', { command: 'env' }, 'u1');
  const workspace = await serve([[use], [text('ok')]], { settings: { permissions: { allow: ['Bash'] } } });
  await hookd(workspace, ['-p', 'look']);
  const [, second] = bodies();
  expect(JSON.stringify(second)).toContain('CLAUDECODE=1');
  expect(JSON.stringify(second)).not.toContain('sk-test-not-a-key');
});

it('the key is masked in the log, even when a command digs it out', async () => {
  const use = toolUse('Bash', { command: 'echo sk-test-not-a-key' }, 'u1');
  const workspace = await serve([[use], [text('ok')]]);
  await hookd(workspace, ['-p', 'look']);
  expect(bodies()).toHaveLength(2);
  expect(JSON.stringify(auditRecords(workspace))).not.toContain('sk-test-not-a-key');
});

it('stream-json tells every step, one object a line, the result last', async () => {
  const use = toolUse('Bash', { command: 'touch x' }, 'u1');
  const workspace = await serve([[text('Trying.'), use], [text('No.')]]);
  const { stdout } = await hookd(workspace, ['-p', 'go', '--output-format', 'stream-json', '--verbose']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; subtype?: string });
  expect(lines.map(({ type, subtype }) => (subtype === undefined ? type : `${type}/${subtype}`))).toEqual([
    'system/init',
    'assistant',
    'assistant',
    'system/permission_denied',
    'user',
    'assistant',
    'result/success',
  ]);
});
