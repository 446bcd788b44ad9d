/** One agent plays one script: how long each step took, what memory and processor time it needed. */
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Contestant, filled } from './contestants.ts';
import type { MessagesApi, Turn } from './messages-api.ts';

export interface Play {
  readonly turns: readonly Turn[];
  readonly streams: boolean;
  readonly hooks: readonly string[];
  /** Rules that are about something else than the calls, beside the one that allows `true`. */
  readonly rules: number;
  /** Called before the answer to request `index` leaves. */
  readonly onRequest?: (index: number, settings: string) => void;
}

export interface Played {
  /** From the start of the process to its first request. */
  readonly firstMs: number;
  readonly firstCpuMs: number;
  /** From an answer to the next request. */
  readonly gapsMs: readonly number[];
  /** Of the process itself, children left out, from the first to the last request. */
  readonly cpuMsACall: number;
  readonly peakMb: number;
  /** By call: its result was an error. */
  readonly refused: readonly boolean[];
}

/** A play that takes longer has hung. */
const LONGEST_MS = 120_000;

export async function play(api: MessagesApi, contestant: Contestant, script: Play): Promise<Played> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-bench-')));
  try {
    return await playIn(root, api, contestant, script);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function playIn(root: string, api: MessagesApi, contestant: Contestant, script: Play): Promise<Played> {
  const samples: { readonly cpuMs: number; readonly peakMb: number }[] = [];
  const refused: boolean[] = [];
  const last = script.turns.length;
  let settings = '';
  const places: Record<string, string> = {
    home: join(root, 'home'),
    project: join(root, 'project'),
    spec: join(root, 'spec.json'),
    prompt: 'go',
  };
  const playing = api.play({
    turns: script.turns,
    streams: script.streams,
    onRequest: (index, messages) => {
      if ((index === 0 || index === last) && child.pid !== undefined) samples.push(sample(child.pid));
      if (index > 0) refused.push(JSON.stringify(messages.at(-1)).includes('"is_error":true'));
      script.onRequest?.(index, settings);
    },
  });
  places['url'] = playing.url;
  mkdirSync(places['home'] ?? '');
  mkdirSync(places['project'] ?? '');
  writeFileSync(join(root, 'project/a.txt'), 'a line of text\n'.repeat(20));
  writeFileSync(places['spec'] ?? '', JSON.stringify({ hooks: script.hooks, streams: script.streams }));
  if (contestant.settings !== undefined) {
    settings = filled(contestant.settings, places);
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, settingsText(script.hooks, script.rules));
  }
  const [program = '', ...args] = contestant.command.map((word) => filled(word, places));
  const environment = Object.entries(contestant.environment).map(([name, text]) => [
    name,
    filled(text, places),
  ]);
  const { PATH = '', TMPDIR = tmpdir() } = process.env;
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: places['project'],
    env: { PATH, TMPDIR, HOME: places['home'], ...Object.fromEntries(environment) },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
  });
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), LONGEST_MS);
  const code = await new Promise<number | null>((done, failed) => {
    child.on('error', failed).on('close', done);
  });
  clearTimeout(timer);
  const { requestedAt, answeredAt } = playing;
  const first = samples[0];
  const end = samples.at(-1);
  if (code !== 0 || requestedAt.length !== last + 1 || first === undefined || end === undefined) {
    throw new Error(
      `${contestant.name} ended with ${code} after ${requestedAt.length} of ${last + 1} requests: ${said}`,
    );
  }
  return {
    firstMs: (requestedAt[0] ?? Number.NaN) - began,
    firstCpuMs: first.cpuMs,
    gapsMs: requestedAt.slice(1).map((time, index) => time - (answeredAt[index] ?? Number.NaN)),
    cpuMsACall: (end.cpuMs - first.cpuMs) / Math.max(1, last),
    peakMb: end.peakMb,
    refused,
  };
}

/** What the kernel knows of a process: processor time of all its threads, the most memory it ever held. */
function sample(pid: number): { readonly cpuMs: number; readonly peakMb: number } {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      return 0; // it has just ended
    }
  });
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6, peakMb: Number(peak) / 1024 };
}

/** Settings with so many hooks, and so many rules about other things than the calls of the bench. */
export function settingsText(hooks: readonly string[], rules: number, deny: readonly string[] = []): string {
  const lists: Record<'allow' | 'ask' | 'deny', string[]> = {
    allow: ['Bash(true)', 'Read'],
    ask: [],
    deny: [...deny],
  };
  const order = [lists.allow, lists.ask, lists.deny];
  const texts = [
    (n: number) => `Bash(tool${n} *)`,
    (n: number) => `Bash(tool${n} run:*)`,
    (n: number) => `Read(gen${n}/**)`,
    (n: number) => `Edit(out${n}/*.ts)`,
  ];
  for (let n = 0; n < rules; n++) order[n % 3]?.push(texts[n % 4]?.(n) ?? '');
  const groups = hooks.map((command) => ({ matcher: '*', hooks: [{ type: 'command', command }] }));
  return JSON.stringify({
    permissions: lists,
    ...(groups.length === 0 ? {} : { hooks: { PreToolUse: groups } }),
  });
}
