/** Plays one case of tests/conformance/hooks.json against the built hookd, and compares what the README there says can be compared. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HOOKD } from '../support/hookd.ts';
import { lostWords } from './hook-words.ts';

/** Of a run that never asks its model. */
const LONGEST_MS = 60_000;

type Json = Record<string, unknown>;
type FileText = string | { readonly base64: string };

export interface HookCase {
  readonly id: string;
  readonly area: string;
  readonly settings?: Json;
  readonly localSettings?: Json;
  readonly userSettings?: Json;
  readonly flagSettings?: Json;
  readonly files?: Readonly<Record<string, FileText>>;
  readonly homeFiles?: Readonly<Record<string, FileText>>;
  readonly projName?: string;
  readonly cwd?: string;
  readonly prompt?: string | null;
  readonly stdin?: string;
  readonly format?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly trusted?: boolean;
  readonly script?: readonly (
    | readonly Json[]
    | { readonly error: { status: number; type: string; message: string } }
  )[];
  readonly mock?: { readonly inTokens?: number };
  readonly httpHook?: Readonly<
    Record<string, { status?: number; headers?: Record<string, string>; body?: unknown; delay?: number }>
  >;
  readonly lingerMs?: number;
  readonly expected: {
    readonly core: Core;
    /** What the model was told: results, and what hooks added. */
    readonly tool_results?: unknown;
    readonly injected?: unknown;
    /** Objects are payloads; strings are lines by which hooks tell that they ran. */
    readonly hook_payloads?: readonly unknown[];
  };
}

interface Core {
  readonly tool_status: Readonly<Record<string, string>>;
  readonly exit_code: number | null;
  readonly terminal_reason: string | null;
  readonly final_text?: string;
  readonly side_files: Readonly<Record<string, string>> | readonly string[];
  readonly project_files: Readonly<Record<string, string>> | readonly string[];
}

export interface Seen {
  readonly tool_status: Readonly<Record<string, string>>;
  readonly exit_code: number | null;
  readonly terminal_reason: string | null;
  readonly side_files: readonly string[];
  readonly project_files: readonly string[];
  /** All that the model was sent, and what hooks wrote down of what they were given. */
  readonly heard: string;
  readonly payloads: readonly Json[];
  /** The other lines of the log. */
  readonly lines: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
}

export async function playCase(written: HookCase): Promise<Seen> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-case-')));
  const place = {
    project: join(root, written.projName ?? 'proj'),
    home: join(root, 'home'),
    log: join(root, 'hook.log'),
    scratch: join(root, 'scratch'),
  };
  const api = await serveModel();
  const http = await serveHooks();
  try {
    const one = substitute(written, {
      $PROJ: place.project,
      $HOME_DIR: place.home,
      $LOG: place.log,
      $TMPD: place.scratch,
      $HTTPPORT: String(portOf(http.server)),
      $PORT: String(portOf(api.server)),
    }) as HookCase;
    api.play(one);
    http.play(one);
    prepare(one, place);
    const { code, stdout, stderr } = await run(one, place, portOf(api.server), root, api.asked);
    await new Promise((resolve) => setTimeout(resolve, one.lingerMs ?? 0));
    return observe(one, place, { code, stdout, stderr, results: api.results(), heard: api.heard() });
  } finally {
    for (const { server } of [api, http]) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(root, { recursive: true, force: true });
  }
}

interface Place {
  readonly project: string;
  readonly home: string;
  readonly log: string;
  readonly scratch: string;
}

function prepare(one: HookCase, { project, home, scratch }: Place): void {
  for (const directory of [project, scratch, join(home, '.claude'), join(project, '.claude')])
    mkdirSync(directory, { recursive: true });
  const put = (base: string, files: HookCase['files']) => {
    for (const [name, text] of Object.entries(files ?? {})) {
      const path = join(base, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof text === 'string' ? text : Buffer.from(text.base64, 'base64'));
      if (/\.(sh|mjs|py)$/.test(name)) chmodSync(path, 0o755);
    }
  };
  put(project, one.files);
  put(home, one.homeFiles);
  const settings = (path: string, content: Json | undefined) => {
    if (content !== undefined) writeFileSync(path, JSON.stringify(content));
  };
  settings(join(project, '.claude/settings.json'), one.settings);
  settings(join(project, '.claude/settings.local.json'), one.localSettings);
  settings(join(home, '.claude/settings.json'), one.userSettings);
  if (one.cwd !== undefined) mkdirSync(one.cwd, { recursive: true });
}

async function run(
  one: HookCase,
  { project, home }: Place,
  port: number,
  root: string,
  asked: Promise<void>,
) {
  const flags = [...(one.flags ?? [])];
  if (one.flagSettings !== undefined) {
    const path = join(root, 'flag-settings.json');
    writeFileSync(path, JSON.stringify(one.flagSettings));
    flags.push('--settings', path);
  }
  const args = [
    '-p',
    ...(one.prompt === null ? [] : [one.prompt ?? 'do it']),
    '--output-format',
    one.format ?? 'json',
    ...(one.format === 'stream-json' ? ['--verbose'] : []),
    '--claude-settings',
    ...(one.trusted === false ? [] : ['--trust-project']),
    ...flags,
  ];
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    HOOKD_HOME: join(root, 'hookd-home'),
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: 'sk-fake-loopback-test',
    ...one.env,
  };
  const child = spawn(process.execPath, [HOOKD, ...args], {
    cwd: one.cwd ?? project,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined).end(one.stdin ?? '');
  // A case that is about the end of its time begins with the first request: how long a start takes is not its matter.
  let timer = setTimeout(() => child.kill('SIGTERM'), LONGEST_MS);
  void asked.then(() => {
    clearTimeout(timer);
    timer = setTimeout(() => child.kill('SIGTERM'), (one.timeout ?? 30) * 1000);
  });
  const code = await new Promise<number | null>((done) => child.on('close', (code) => done(code)));
  clearTimeout(timer);
  return { code, stdout, stderr };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Of a tool use: whether its result is an error. */
  readonly results: ReadonlyMap<string, boolean>;
  readonly heard: string;
}

function observe(
  one: HookCase,
  { project, scratch, log }: Place,
  { code, stdout, stderr, results, heard }: Ended,
): Seen {
  const lines = stdout
    .trimEnd()
    .split('\n')
    .flatMap((line) => parsedLine(line));
  const result = lines.findLast((line) => line['type'] === 'result');
  const denials = new Set(
    ((result?.['permission_denials'] ?? []) as { tool_use_id: string }[]).map(
      ({ tool_use_id }) => tool_use_id,
    ),
  );
  const told = new Map(results);
  // What an interrupted run says about the calls it left open, no model reads.
  const unread = result?.['terminal_reason'] === 'interrupted';
  for (const line of unread ? [] : lines) {
    const { content } = (line['message'] ?? {}) as { content?: Json[] };
    if (line['type'] !== 'user' || !Array.isArray(content)) continue;
    for (const block of content)
      if (block['type'] === 'tool_result' && !told.has(String(block['tool_use_id'])))
        told.set(String(block['tool_use_id']), block['is_error'] === true);
  }
  const status = Object.fromEntries(
    toolUseIds(one).map((id) => {
      const failed = told.get(id);
      return [id, denials.has(id) ? 'denied' : failed === undefined ? 'no_result' : failed ? 'error' : 'ran'];
    }),
  );
  const logged = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return {
    tool_status: status,
    exit_code: code,
    terminal_reason: typeof result?.['terminal_reason'] === 'string' ? result['terminal_reason'] : null,
    side_files: filesIn(scratch).filter((name) => !/env|ul$|^ps$/.test(name)),
    project_files: filesIn(project),
    heard,
    payloads: logged.flatMap(parsedLine),
    lines: logged
      .filter((line) => line.trim() !== '' && parsedLine(line).length === 0)
      .map((line) => line.replaceAll(project, '$PROJ')),
    stdout,
    stderr,
  };
}

/** What differs, in words; empty when nothing comparable does. */
export function compareCase(one: HookCase, seen: Seen): readonly string[] {
  const want = one.expected.core;
  const differences: string[] = [];
  const compare = (what: string, expected: unknown, actual: unknown) => {
    if (JSON.stringify(expected) !== JSON.stringify(actual))
      differences.push(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  };
  compare('tool_status', want.tool_status, seen.tool_status);
  compare('side_files', namesOf(want.side_files), seen.side_files);
  compare('project_files', namesOf(want.project_files), seen.project_files);
  compare('exit_code is zero', want.exit_code === 0, seen.exit_code === 0);
  if (want.terminal_reason !== null)
    compare('terminal_reason', meaningOf(want.terminal_reason), meaningOf(seen.terminal_reason));
  // Hooks of one event finish in any order.
  const lines = (one.expected.hook_payloads ?? []).filter((line) => typeof line === 'string').sort();
  if (lines.length > 0) compare('lines of hooks', lines, [...seen.lines].sort());
  const lost = lostWords(one, { model: seen.heard, result: seen.stdout });
  if (lost.length > 0) differences.push(`words of hooks: ${lost.join(', ')} went lost`);
  return differences;
}

/** Reasons are compared by meaning: our words for the same ends. */
function meaningOf(reason: string | null): string | null {
  if (reason === 'prompt_refused') return 'completed';
  // PermissionRequest `interrupt: true`: both end the turn as failed, with exit code 1.
  if (reason === 'api_error' || reason === 'model_error' || reason === 'aborted_tools') return 'error';
  return reason;
}

function namesOf(files: Core['side_files']): readonly string[] {
  return (Array.isArray(files) ? [...files] : Object.keys(files)).sort();
}

function filesIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.isFile())
    .sort();
}

function toolUseIds(one: HookCase): readonly string[] {
  const ids = (one.script ?? []).flatMap((turn) =>
    Array.isArray(turn)
      ? turn.filter((block) => block['type'] === 'tool_use').map((block) => String(block['id']))
      : [],
  );
  return [...new Set(ids)];
}

function parsedLine(line: string): Json[] {
  try {
    return [JSON.parse(line) as Json];
  } catch {
    return [];
  }
}

function substitute(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') {
    const repeated = value.replace(/\$REPEAT\((.),(\d+)\)/g, (_, character: string, times: string) =>
      character.repeat(Number(times)),
    );
    return Object.entries(names).reduce(
      (text, [name, replacement]) => text.split(name).join(replacement),
      repeated,
    );
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, names));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [substitute(key, names), substitute(item, names)]),
    );
  }
  return value;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

/** The scripted model of the cases: plain, not strict, because some cases send what the real API would refuse. */
async function serveModel() {
  let one: HookCase | undefined;
  let turn = 0;
  const results = new Map<string, boolean>();
  let heard = '';
  let tellAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  const server = createServer(async (request, response) => {
    tellAsked();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
      messages?: { content: unknown }[];
      model?: string;
    };
    // Each request holds all messages before it.
    heard = JSON.stringify(body.messages);
    for (const { content } of body.messages ?? []) {
      if (!Array.isArray(content)) continue;
      for (const block of content as Json[])
        if (block['type'] === 'tool_result')
          results.set(String(block['tool_use_id']), block['is_error'] === true);
    }
    const next = one?.script?.[turn++] ?? [{ type: 'text', text: 'done' }];
    if ('error' in next) {
      response.writeHead(next.error.status, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ type: 'error', error: { type: next.error.type, message: next.error.message } }),
      );
      return;
    }
    const blocks = next.map(({ rawInput: _, ...block }) => block);
    const stop = blocks.some((block) => block['type'] === 'tool_use') ? 'tool_use' : 'end_turn';
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: `msg_${turn}`,
        type: 'message',
        role: 'assistant',
        model: body.model ?? 'm',
        content: blocks,
        stop_reason: stop,
        stop_sequence: null,
        usage: {
          input_tokens: one?.mock?.inTokens ?? 10,
          output_tokens: 5,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
        },
      }),
    );
  });
  await listen(server);
  return {
    server,
    play: (next: HookCase) => {
      one = next;
    },
    results: () => results,
    heard: () => heard,
    /** The first request has come. */
    asked,
  };
}

async function serveHooks() {
  let one: HookCase | undefined;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const answer = one?.httpHook?.[request.url ?? ''] ?? { status: 404, body: '' };
      setTimeout(() => {
        response.writeHead(answer.status ?? 200, answer.headers ?? { 'content-type': 'application/json' });
        response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
      }, answer.delay ?? 0);
    });
  });
  await listen(server);
  return {
    server,
    play: (next: HookCase) => {
      one = next;
    },
  };
}
