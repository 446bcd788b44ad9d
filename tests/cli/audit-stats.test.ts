/** `audit stats` and `audit export` over the log of a real session. */
import { join } from 'node:path';
import picocolors from 'picocolors';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Tallies, Tally, timesOf } from '../../src/audit/tally.ts';
import { csvCell, exportCommand } from '../../src/cli/audit-export.ts';
import { statsCommand } from '../../src/cli/audit-stats.ts';
import type { Output } from '../../src/cli/output.ts';
import { play, text, toolUse } from '../support/in-process.ts';

function saidBy(command: (output: Output) => number): readonly string[] {
  const said: string[] = [];
  const output: Output = {
    result: (line) => void said.push(line),
    modelText: () => undefined,
    note: () => undefined,
    progress: () => undefined,
    colours: picocolors.createColors(false),
    isClosed: () => false,
  };
  expect(command(output)).toBe(0);
  return said;
}

let auditDirectory: string;
beforeAll(async () => {
  const guard = { matcher: 'Write', hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] };
  const { workspace } = await play(
    [
      [
        toolUse('bash', { command: 'echo =1+1' }),
        toolUse('Bash', { command: 'rm a' }),
        toolUse('Bash', { command: 'rm b' }),
      ],
      [toolUse('Write', { file_path: 'x', content: 'y' }), toolUse('Nothing', {})],
      [toolUse('Bash', { command: 'touch x' })],
      [text('done')],
    ],
    {
      settings: {
        permissions: { allow: ['Bash(echo *)'], deny: ['Bash(rm *)'], ask: ['Bash(touch *)'] },
        hooks: { PreToolUse: [guard] },
      },
      approvals: { ask: async () => ({ answer: 'deny', client: 'test' }) },
    },
  );
  auditDirectory = join(workspace.home, 'audit');
});

describe('the counts', () => {
  it('are by tool, by cause of denials, by hook, and of the questions to people', () => {
    const [line = ''] = saidBy((output) => statsCommand({ auditDirectory, filter: {}, json: true }, output));
    const { sessions, calls, tools, denials, hooks, approvals } = JSON.parse(line) as Tallies;
    expect({ sessions, calls }).toEqual({ sessions: 1, calls: 6 });
    expect(tools.map(({ tool, outcomes }) => [tool, outcomes])).toEqual([
      ['Bash', { denied: 3, ok: 1 }],
      ['Nothing', { unknown_tool: 1 }],
      ['Write', { denied: 1 }],
    ]);
    expect(tools[0]?.ms).toMatchObject({ count: 1, p50: expect.any(Number) });
    expect(denials).toMatchObject([
      { count: 2, cause: { kind: 'rule', rule: { text: 'Bash(rm *)' } } },
      { count: 1, cause: { kind: 'human', client: 'test' } },
      { count: 1, cause: { kind: 'hook', hook: { event: 'PreToolUse' } } },
    ]);
    expect(hooks).toMatchObject([{ event: 'PreToolUse', blocked: 1, failed: 0, ms: { count: 1 } }]);
    expect(approvals).toMatchObject({ allow: 0, deny: 1, unanswered: 0, waited_ms: { count: 1 } });
  });

  it('fit 80 columns, and those of a session that is not there are 0', () => {
    const lines = saidBy((output) => statsCommand({ auditDirectory, filter: {}, json: false }, output));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.join('\n')).toMatch(/^ {8}2 {2}deny rule Bash\(rm \*\) \(settings\.json:\d+\)$/m);
    const none = saidBy((output) =>
      statsCommand({ auditDirectory, filter: { session: 'other' }, json: false }, output),
    );
    expect(none[0]).toBe('0 calls in 0 sessions');
  });

  it('name a denial that no permission explains: every denied call is among the denials', () => {
    const tally = new Tally();
    const of = { v: 1, seq: 1, prev: '', time: 't', session: 's', tool_use_id: 'toolu_1', hash: '' };
    tally.add({ ...of, kind: 'tool_result', outcome: 'denied' });
    tally.add({ ...of, kind: 'tool_use', name: 'Glob' });
    expect(tally.result().denials).toEqual([{ cause: null, count: 1 }]);
  });

  it('take percentiles by the nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, n) => 100 - n);
    expect(timesOf(hundred)).toEqual({ count: 100, p50: 50, p95: 95, max: 100, total: 5050 });
    expect(timesOf([7])).toEqual({ count: 1, p50: 7, p95: 7, max: 7, total: 7 });
    expect(timesOf([])).toBeUndefined();
  });
});

describe('the export', () => {
  it('is CSV with a line of columns, CR LF, and a row a record', () => {
    const filter = { kinds: ['permission'], decision: 'deny' };
    const lines = saidBy((output) => exportCommand({ auditDirectory, filter, format: 'csv' }, output));
    expect(lines[0]).toBe(
      'time,writer,seq,session,turn,kind,tool_use_id,tool,result,cause,end,ms,summary,hash\r',
    );
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toMatch(
      /^\d{4}-.*,permission,[^,]+,Bash,deny,deny rule Bash\(rm \*\) \(.*settings\.json:\d+\),.*,[0-9a-f]{64}\r$/,
    );
  });

  it('is the records as they are stored with jsonl', () => {
    const lines = saidBy((output) =>
      exportCommand({ auditDirectory, filter: { kinds: ['prompt'] }, format: 'jsonl' }, output),
    );
    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(['prompt']);
  });

  it.each([
    ['plain', 'plain'],
    [12, '12'],
    [undefined, ''],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\t=1', "'\t=1"],
    ['\uff1d1', "'\uff1d1"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['\u001b[2J', '\\u001b[2J'],
  ])('writes the cell %j so that nothing runs and everything can be read', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });
});
