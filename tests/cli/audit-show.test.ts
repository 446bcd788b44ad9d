/** `audit show`: the whole story of one call, told from a real session's log. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import picocolors from 'picocolors';
import { beforeAll, describe, expect, it } from 'vitest';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { showCommand } from '../../src/cli/audit-show.ts';
import { diffInputs } from '../../src/cli/call-diff.ts';
import type { Output } from '../../src/cli/output.ts';
import type { HookedCall, SessionId, ToolUseId } from '../../src/core/vocabulary.ts';
import { ownIdentity } from '../../src/lib/proc.ts';
import { play, text, toolUse } from '../support/in-process.ts';

function show(auditDirectory: string, id: string, more: { session?: string; json?: boolean } = {}) {
  const said: string[] = [];
  const output: Output = {
    result: (line) => void said.push(line),
    modelText: () => undefined,
    note: () => undefined,
    progress: () => undefined,
    colours: picocolors.createColors(false),
    isClosed: () => false,
  };
  const { session, json = false } = more;
  showCommand({ auditDirectory, id, session, json }, output);
  return said;
}

/** Times differ from run to run; a path is as long as the directory for temporary files wants it. */
const steady = (lines: readonly string[]) =>
  lines
    .join('\n')
    .replaceAll(/\s*\+[\d.]+ (ms|s)/g, '\n+T')
    .replaceAll(/[\d.]+ (ms|s)\b/g, 'T')
    .replaceAll(/\n {20,}(?![ │+-])/g, ' ')
    .replaceAll(/\(\S*\/settings\.json/g, '(settings.json')
    .replaceAll(/pid \d+/g, 'pid N')
    .split('\n')
    .map((line) => line.trim());

describe('the story of a call', () => {
  let audit: string;
  beforeAll(async () => {
    const rewrite = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'echo rewritten' } },
    };
    const hooks = [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: `printf '%s' '${JSON.stringify(rewrite)}'`, if: 'Bash(echo first)' },
        ],
      },
      { matcher: 'Write', hooks: [{ type: 'command', command: "echo 'not here' >&2; exit 2" }] },
    ];
    const { workspace } = await play(
      [
        [toolUse('Bash', { command: 'echo first' }, 'toolu_rewritten')],
        [toolUse('Write', { file_path: 'x', content: 'y' }, 'toolu_refused')],
        [toolUse('Bash', { command: 'touch x', description: '\u001b[2Jy' }, 'toolu_asked')],
        [text('done')],
      ],
      {
        settings: {
          permissions: { allow: ['Bash(echo *)'], ask: ['Bash(touch *)'] },
          hooks: { PreToolUse: hooks },
        },
        approvals: { ask: async () => ({ answer: 'deny', client: 'test', reason: 'rather not' }) },
      },
    );
    audit = join(workspace.home, 'audit');
  });

  it('tells what was asked, what a hook made of it, what allowed it, how it ended and how long it took', () => {
    expect(steady(show(audit, 'toolu_rew')).slice(2)).toEqual([
      '+T asked      the model asked for Bash',
      '│ echo first',
      expect.stringMatching(
        /^\+T hook {7}no opinion · exit 0, T · PreToolUse printf .*\(settings\.json:15\)$/,
      ),
      expect.stringMatching(/^│ stdout: \{"hookSpecificOutput"/),
      expect.stringMatching(/^\+T rewritten {2}by PreToolUse printf .*\(settings\.json:15\)$/),
      '- command: echo first',
      '+ command: echo rewritten',
      expect.stringMatching(
        /^\+T allowed {4}by allow rule Bash\(echo \*\) \(settings\.json:4\); settings [0-9a-f]{12}$/,
      ),
      '+T begins     Bash; everything above is on the disk',
      '+T process    pid N',
      '+T result     ok after T',
      '│ rewritten',
      '',
      expect.stringMatching(/^time: total T · hooks T · tool T$/),
      expect.stringMatching(/^in .*000001\.jsonl$/),
    ]);
  });

  it('names the hook that refused, with file and line, and what the model was told', () => {
    const story = steady(show(audit, 'toolu_refused')).join('\n');
    expect(story).toMatch(
      /hook {7}block · exit 2, T · PreToolUse echo 'not here' >&2; exit 2 \(settings\.json:25\)/,
    );
    expect(story).toContain('│ stderr: not here');
    expect(story).toMatch(/denied {5}by hook PreToolUse .*\(settings\.json:25\)/);
    expect(story).toMatch(/result {5}denied\n│ .*not here/);
  });

  it('names the rule that asked and the person who answered; what the model wrote cannot move the cursor', () => {
    const lines = show(audit, 'toolu_asked');
    const story = steady(lines).join('\n');
    expect(lines.join('')).not.toContain('\u001b');
    expect(story).toContain('│ description: \\u001b[2Jy');
    expect(story).toMatch(
      /question {3}to a person, because of ask rule Bash\(touch \*\) \(settings\.json:7\)/,
    );
    expect(story).toMatch(/answer {5}deny by test after T: rather not/);
    expect(story).toMatch(/denied {5}by a person \(test\)/);
  });

  it('is one object with --json, the records in it', () => {
    const [line = ''] = show(audit, 'toolu_rewritten', { json: true });
    expect(JSON.parse(line)).toMatchObject({
      tool_use_id: 'toolu_rewritten',
      turn: 1,
      tool: 'Bash',
      end: 'finished',
      asked: { command: 'echo first' },
      input: { command: 'echo rewritten' },
      hooks: [{ hook: { event: 'PreToolUse', line: 15 }, verdict: 'none' }],
      decision: 'allow',
      cause: { kind: 'rule', rule: { text: 'Bash(echo *)', line: 4 } },
      outcome: 'ok',
      timings: { tool_ms: expect.any(Number) },
      records: expect.arrayContaining([expect.objectContaining({ kind: 'tool_result' })]),
    });
  });

  it('keeps to 80 columns where a single word allows it', () => {
    const lines = show(audit, 'toolu_asked').filter((line) => !line.includes('│') && !line.startsWith('in '));
    expect(lines.filter((line) => line.length > 80 && line.trim().includes(' '))).toEqual([]);
  });

  it('names the calls that an id fits, and refuses one that fits none', () => {
    expect(() => show(audit, 'toolu_')).toThrow(
      /fits 3 calls; give more of the id, or --session:\n {2}toolu_rewritten {2}session/,
    );
    expect(() => show(audit, 'toolu_nothing')).toThrow(/No call on record/);
    expect(() => show(audit, 'toolu_rewritten', { session: 'not-this-one' })).toThrow(/No call on record/);
  });
});

describe('a call without a result', () => {
  const ID = 'toolu_1' as ToolUseId;
  const bash = { name: 'Bash', description: '', inputSchema: {}, readOnly: false };
  const call: HookedCall['call'] = {
    id: ID,
    tool: bash,
    input: { command: 'true' },
    specifier: { kind: 'none' },
  };

  function begun(process: { pid: number } = { pid: 2 ** 22 }) {
    const directory = join(mkdtempSync(join(tmpdir(), 'hookd-show-')), 'audit');
    const trail = new Trail(AuditWriter.create(join(directory, 'a')));
    trail.record('daemon_started', {
      ...{ writer: 'a', version: '', node: '', mode: 'foreground', heads: [] },
      process: { ...ownIdentity(), ...process },
    });
    const session = trail.forSession('s' as SessionId);
    session.record('tool_use', { id: ID, name: 'Bash', input: { command: 'true' } });
    return { directory, trail, session };
  }
  const permit = (session: Trail) =>
    session.record('permission', {
      call,
      decision: { behavior: 'allow', reason: 'r', cause: { kind: 'mode', mode: 'bypassPermissions' } },
      policy: 'f'.repeat(64),
    });
  const end = (directory: string) =>
    (JSON.parse(show(directory, ID, { json: true })[0] ?? '') as { end: string }).end;

  it('has not run where hookd ended before its permit', () => {
    const { directory } = begun();
    expect(end(directory)).toBe('not_run');
    expect(show(directory, ID).join('\n')).toContain('it has not run');
  });

  it('may have taken effect where hookd ended after its permit, also before a later start says so', () => {
    const { directory, session } = begun();
    permit(session);
    expect(end(directory)).toBe('unsaid');
    const later = new Trail(AuditWriter.create(join(directory, 'b')));
    later.record('outcome_unknown', {
      ...{ writer: 'a', writerLife: 'dead', session: 's', id: ID, tool: 'Bash', intent: 'f'.repeat(64) },
    });
    expect(end(directory)).toBe('unknown');
    expect(show(directory, ID).join(' ')).toContain('may or may not have taken effect');
  });

  it('is open while its hookd runs', () => {
    const { directory, session } = begun({ pid: ownIdentity().pid });
    permit(session);
    expect(end(directory)).toBe('open');
  });

  it('has not run where its hookd ended in order without a permit', async () => {
    const { directory, trail } = begun({ pid: ownIdentity().pid });
    trail.record('daemon_stopped', { reason: 'r' });
    await trail.close();
    expect(end(directory)).toBe('not_run');
  });
});

describe('the difference that a rewrite makes', () => {
  it('is shown field by field, and of long texts only the lines that differ', () => {
    const diff = diffInputs(
      { same: 1, gone: 'x', content: 'a\nb\nc\nd' },
      { same: 1, content: 'a\nB\nB2\nd', come: true },
    );
    expect(diff.map(({ sign, text }) => `${sign} ${text}`)).toEqual([
      '- gone: x',
      '- content: b',
      '- content: c',
      '+ content: B',
      '+ content: B2',
      '+ come: true',
    ]);
  });

  it('copes with inputs that are no objects', () => {
    expect(diffInputs('a', null)).toEqual([
      { sign: '-', text: 'input: a' },
      { sign: '+', text: 'input: ' },
    ]);
  });
});
