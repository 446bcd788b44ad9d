import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TranscriptFile, transcriptPath } from '../../src/agent/transcript-file.ts';
import type { ModelResponse, SessionId, ToolResult, ToolUseId } from '../../src/core/vocabulary.ts';
import { openDescriptors } from '../lib/children.ts';

const sessionId = '0c2f4d2e-0000-4000-8000-000000000001' as SessionId;
const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

let root: string;
let path: string;
let warnings: string[];
let transcript: TranscriptFile;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hookd transcript '));
  path = transcriptPath(join(root, 'home'), sessionId);
  warnings = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function open(): TranscriptFile {
  return new TranscriptFile({
    path,
    sessionId,
    cwd: root,
    version: '1.2.3',
    permissionMode: () => 'default',
    warn: (text) => warnings.push(text),
    now: () => new Date(0),
  });
}
const text = () => readFileSync(path, 'utf8');
const lines = () =>
  text()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const response = (content: ModelResponse['content'], id = 'msg_1'): ModelResponse => ({
  id,
  model: 'scripted',
  content,
  stopReason: 'tool_use',
  usage,
});
const words = (text: string) => ({ type: 'text', text }) as const;
const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'echo hi' } }) as const;
const result = (id: string, more: Partial<ToolResult> = {}): ToolResult => ({
  id: id as ToolUseId,
  outcome: 'ok',
  text: 'hi',
  ...more,
});

describe('a conversation', () => {
  beforeEach(() => {
    transcript = open();
    transcript.prompt('go');
    transcript.response(response([words('I look'), use('u1'), use('u2')]));
    transcript.results([
      result('u1', { response: { stdout: 'hi', stderr: '' } }),
      result('u2', { outcome: 'failed', text: 'Exit code 1' }),
    ]);
    transcript.response(response([words('done')], 'msg_2'));
  });

  it('has a frame on every line, and each line names the one before it', () => {
    const all = lines();
    expect(all.map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      ...all.slice(0, -1).map(({ uuid }) => uuid),
    ]);
    expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(7);
    for (const line of all) {
      expect(line).toMatchObject({
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        isSidechain: false,
        timestamp: '1970-01-01T00:00:00.000Z',
        sessionId,
        cwd: root,
        version: '1.2.3',
        gitBranch: '',
        userType: 'external',
        permissionMode: 'default',
      });
    }
  });

  it('has one line a prompt, a block and a result, in their order', () => {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage,
    };
    expect(lines().map(({ type, message }) => ({ type, message }))).toEqual([
      { type: 'user', message: { role: 'user', content: 'go' } },
      { type: 'assistant', message: { ...message, content: [words('I look')] } },
      { type: 'assistant', message: { ...message, content: [use('u1')] } },
      { type: 'assistant', message: { ...message, content: [use('u2')] } },
      {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'u1', content: 'hi' }],
        },
      },
      {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'u2', content: 'Exit code 1', is_error: true }],
        },
      },
      { type: 'assistant', message: { ...message, id: 'msg_2', content: [words('done')] } },
    ]);
  });

  it('says what a tool answered in its own shape, or the text, and to which line', () => {
    const all = lines();
    expect(all.slice(4, 6)).toMatchObject([
      { toolUseResult: { stdout: 'hi', stderr: '' }, sourceToolAssistantUUID: all[2]?.['uuid'] },
      { toolUseResult: 'Exit code 1', sourceToolAssistantUUID: all[3]?.['uuid'] },
    ]);
  });

  it('has one request id a response', () => {
    const ids = lines()
      .filter(({ type }) => type === 'assistant')
      .map(({ requestId }) => requestId);
    expect([ids[0] === ids[1], ids[1] === ids[2], ids[2] === ids[3]]).toEqual([true, true, false]);
    expect(ids[0]).toMatch(/^req_/);
  });

  it('is compact JSON in which a hook finds the bytes "role":"assistant" by grep', () => {
    for (const line of text().split('\n').slice(0, -1)) expect(JSON.stringify(JSON.parse(line))).toBe(line);
    expect(execFileSync('grep', ['-c', '"role":"assistant"', path], { encoding: 'utf8' })).toBe('4\n');
    transcript.prompt('say "role":"assistant", please\u2028');
    expect(execFileSync('grep', ['-c', '"role":"assistant"', path], { encoding: 'utf8' })).toBe('4\n');
  });

  it('is readable by its owner alone', () => {
    expect([path, dirname(path), dirname(dirname(path))].map((name) => statSync(name).mode & 0o777)).toEqual([
      0o600, 0o700, 0o700,
    ]);
  });
});

it('the file is there, empty, before anything was said', () => {
  open();
  expect(text()).toBe('');
});

it('what hooks and hookd add is told apart from what the user said', () => {
  transcript = open();
  transcript.added('context', 'Stop hook additional context: x');
  transcript.added('feedback', 'Stop hook feedback:\n[c]: no');
  transcript.notice('hook_no_verdict', 'a guard gave no verdict');
  expect(lines()).toMatchObject([
    { type: 'system', subtype: 'hook_additional_context', content: 'Stop hook additional context: x' },
    { type: 'user', isMeta: true, message: { role: 'user', content: 'Stop hook feedback:\n[c]: no' } },
    { type: 'system', subtype: 'hook_no_verdict', content: 'a guard gave no verdict' },
  ]);
});

it('blocks of a response without an id still belong together', () => {
  open().response(response([words('a'), words('b')], ''));
  const ids = lines().map(({ message }) => (message as { id: string }).id);
  expect(ids[0]).toMatch(/^msg_/);
  expect(ids[0]).toBe(ids[1]);
});

it('a message costs the same however many came before it, and leaves no descriptor open', () => {
  transcript = open();
  const before = openDescriptors();
  const time = () => {
    const began = performance.now();
    for (let index = 0; index < 300; index += 1) transcript.prompt('x'.repeat(1000));
    return performance.now() - began;
  };
  const rounds = Array.from({ length: 10 }, time);
  expect(Math.min(...rounds.slice(5))).toBeLessThan(5 * Math.min(...rounds.slice(0, 5)) + 20);
  expect(lines()).toHaveLength(3000);
  expect(openDescriptors()).toBe(before);
});

describe('a file that another run left', () => {
  it('is continued on a new line where a crash tore the last one', () => {
    open().prompt('one');
    appendFileSync(path, '{"type":"user","mess');
    open().prompt('two');
    const [first, torn, second, ...more] = text().split('\n');
    expect([first, second].map((line) => JSON.parse(line ?? '').message.content)).toEqual(['one', 'two']);
    expect({ torn, more }).toEqual({ torn: '{"type":"user","mess', more: [''] });
  });

  it('is continued on a new line where somebody else added half a line meanwhile', () => {
    transcript = open();
    transcript.prompt('one');
    appendFileSync(path, 'half');
    transcript.prompt('two');
    transcript.prompt('three');
    const [first, half, ...more] = text().trimEnd().split('\n');
    expect(half).toBe('half');
    expect([first, ...more].map((line) => JSON.parse(line ?? '').message.content)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it('is begun anew where somebody removed it', () => {
    transcript = open();
    transcript.prompt('one');
    rmSync(dirname(path), { recursive: true });
    transcript.prompt('two');
    expect(lines()).toMatchObject([{ message: { content: 'two' } }]);
    expect(warnings).toEqual([]);
  });

  it('that is a link is not followed', () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(join(root, 'victim'), 'intact');
    symlinkSync(join(root, 'victim'), path);
    open().prompt('one');
    expect(readFileSync(join(root, 'victim'), 'utf8')).toBe('intact');
    expect(warnings).toHaveLength(1);
  });
});

describe('where the file cannot be written', () => {
  it('the user is warned once, and the lines come when it can', () => {
    mkdirSync(path, { recursive: true });
    transcript = open();
    transcript.prompt('one');
    transcript.prompt('two');
    expect(warnings).toEqual([expect.stringMatching(/^The transcript .* cannot be written \(EISDIR/)]);
    rmSync(path, { recursive: true });
    transcript.prompt('three');
    expect(lines().map(({ message }) => (message as { content: string }).content)).toEqual([
      'one',
      'two',
      'three',
    ]);
    rmSync(path);
    mkdirSync(path);
    transcript.prompt('four');
    expect(warnings).toHaveLength(2);
  });

  /** Mounting takes root; elsewhere this case cannot run, and says so. */
  const canMount = (() => {
    const directory = mkdtempSync(join(tmpdir(), 'hookd-mount-'));
    const mounted = mount(directory);
    if (mounted) execFileSync('umount', [directory]);
    else console.warn('not run: a full disk needs the right to mount');
    rmSync(directory, { recursive: true });
    return mounted;
  })();

  it.skipIf(!canMount)(
    'because the disk is full, no line is torn, and none is lost when there is room again',
    () => {
      const disk = dirname(dirname(dirname(path)));
      mkdirSync(disk, { recursive: true });
      mount(disk);
      try {
        writeFileSync(join(disk, 'other'), Buffer.alloc(40_960));
        transcript = open();
        for (let index = 0; index < 20; index += 1) transcript.prompt(`${index} ${'x'.repeat(3000)}`);
        const whole = lines();
        expect(warnings).toEqual([expect.stringContaining('ENOSPC')]);
        expect(whole.length).toBeGreaterThan(2);
        expect(whole.length).toBeLessThan(20);
        expect(text().endsWith('\n')).toBe(true);
        rmSync(join(disk, 'other'));
        transcript.prompt('20 last');
        const numbers = lines().map(({ message }) =>
          Number((message as { content: string }).content.split(' ')[0]),
        );
        expect(numbers).toEqual(Array.from({ length: 21 }, (_, index) => index));
        expect(lines().map(({ parentUuid }) => parentUuid)).toEqual([
          null,
          ...lines()
            .slice(0, -1)
            .map(({ uuid }) => uuid),
        ]);
      } finally {
        execFileSync('umount', [disk]);
      }
      expect(existsSync(join(disk, 'sessions'))).toBe(false);
    },
  );
});

function mount(directory: string): boolean {
  const options = ['-t', 'tmpfs', '-o', 'size=96k', 'hookd-test', directory];
  return spawnSync('mount', options).status === 0;
}

describe('the branch', () => {
  const branch = () => {
    open().prompt('x');
    return lines().at(-1)?.['gitBranch'];
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: root,
      stdio: 'ignore',
    });

  it('is the one that is checked out, at each message', () => {
    git('init', '-b', 'topic/one');
    expect(branch()).toBe('topic/one');
    git('checkout', '-b', 'two');
    expect(branch()).toBe('two');
    git('commit', '--allow-empty', '-m', 'x');
    git('checkout', '--detach');
    expect(branch()).toBe('HEAD');
  });

  it('of a worktree is its own', () => {
    const main = join(root, 'main');
    mkdirSync(main);
    git('-C', main, 'init', '-b', 'one');
    git('-C', main, 'commit', '--allow-empty', '-m', 'x');
    git('-C', main, 'worktree', 'add', '-b', 'other', join(root, 'tree'));
    root = join(root, 'tree');
    expect(branch()).toBe('other');
    root = dirname(root);
  });

  it('is nothing where HEAD is a pipe, which would never end', () => {
    mkdirSync(join(root, '.git'));
    execFileSync('mkfifo', [join(root, '.git/HEAD')]);
    expect(branch()).toBe('');
  });
});
