/** What no shipped hook may do, whatever it is given: hang, die of a signal, show a stack trace, or let a guard go. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  afterTool,
  bashResponse,
  beforeTool,
  COMMON,
  HOOKS,
  missing,
  oddDirectory,
  runHook,
} from './run-hook.ts';

const GUARDS = ['secret-guard.py', 'git-guard.py', 'context-meter.mjs'];
const READS_NOTHING = ['prompt-context.sh'];

/** A payload that fits every event and holds the text six times. */
function everything(text: string): object {
  return {
    ...beforeTool('Bash', { command: 'true', file_path: '/p/a b.txt', description: text, content: text }),
    ...afterTool('Bash', { command: 'true', file_path: '/p/a b.txt', content: text }, bashResponse(text)),
    transcript_path: '/nowhere/with blanks/ünï.jsonl',
    prompt: text,
    message: text,
    last_assistant_message: text,
    context_tokens: 10,
    stop_hook_active: true,
    reason: 'other',
  };
}

const UNREADABLE: readonly (readonly [string, string | Buffer])[] = [
  ['nothing', ''],
  ['no JSON', 'rm -rf /'],
  ['half JSON', '{"tool_name":"Bash","tool_input":{'],
  ['a list', '[1,2]'],
  ['null', 'null'],
  ['2 MB of brackets', '['.repeat(2_000_000)],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0xfe, 0x7d])],
];

describe.concurrent.each(HOOKS)('%s', (hook) => {
  const env = () => {
    const directory = oddDirectory();
    return {
      HOOKD_SESSION_DIR: directory,
      CLAUDE_PROJECT_DIR: directory,
      HOOK_NOTIFY_LOG: join(directory, 'log'),
      HOOK_SESSION_LOG: join(directory, 'log'),
    };
  };
  const args = hook === 'tests-before-stop.py' ? ['true'] : [];

  it.for(UNREADABLE)('says in one line what is wrong with %s', async ([, payload], { skip }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const ran = await runHook(hook, payload, { env: env(), args });
    if (READS_NOTHING.includes(hook)) {
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      return;
    }
    expect([ran.code, ran.stdout]).toEqual([GUARDS.includes(hook) ? 2 : 1, '']);
    expect(ran.stderr).toMatch(new RegExp(`^${hook.replace(/\.\w+$/, '')}: .*\\n$`));
  });

  it.for([
    ['2 MB of text', 'x'.repeat(330_000)],
    ['2 MB of escapes and quotes', '\x1b[1m"\\\'\r\n'.repeat(20_000)],
    ['letters of all kinds', 'žluťoučký 🐎 \u202e\u0000 日本'],
  ] as const)('reads a payload with %s', async ([, text], { skip }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const ran = await runHook(hook, everything(text), { env: env(), args });
    // The one transcript that does not exist is the one thing that is wrong.
    const code = hook === 'session-summary.py' ? 1 : 0;
    expect([ran.code, code === 0 ? ran.stderr : '']).toEqual([code, '']);
    if (ran.stdout.startsWith('{')) expect(() => JSON.parse(ran.stdout)).not.toThrow();
  });

  it('gets by with half a surrogate pair', async ({ skip }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const ran = await runHook(hook, everything('\ud800'), { env: env(), args });
    // Perl's parser refuses it.
    const code = hook.endsWith('.pl') || hook === 'session-summary.py' ? 1 : 0;
    expect([ran.code, code === 0 ? ran.stderr : '']).toEqual([code, '']);
  });

  it('refuses or warns where the fields are missing', async ({ skip }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const ran = await runHook(hook, { hook_event_name: COMMON.session_id }, { env: env(), args });
    if (READS_NOTHING.includes(hook) || hook === 'notify.pl') expect(ran.code).toBe(0);
    else expect([ran.code, ran.stdout]).toEqual([GUARDS.includes(hook) ? 2 : 1, '']);
    expect(ran.stderr).not.toMatch(/Traceback|at .* line \d|node:internal/);
  });
});
