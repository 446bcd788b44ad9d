/** `audit tail`: the newest records of several chains together, and what follows them. */
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import picocolors from 'picocolors';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RecordFilter } from '../../src/audit/select.ts';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { checkedKinds } from '../../src/cli/audit-kinds.ts';
import { tailCommand } from '../../src/cli/audit-tail.ts';
import type { Output } from '../../src/cli/output.ts';
import { parseSince } from '../../src/cli/since.ts';
import type { SessionId, ToolUseId } from '../../src/core/vocabulary.ts';

const freshAudit = () => join(mkdtempSync(join(tmpdir(), 'hookd-tail-')), 'audit');

/** A chain whose clock is set by hand. */
function chainAt(audit: string, writer: string) {
  const trail = new Trail(AuditWriter.create(join(audit, writer)));
  return {
    trail,
    say: (text: string, at: number) => {
      vi.setSystemTime(at);
      trail.record('prompt', { text });
    },
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

function listening() {
  const said: string[] = [];
  const noted: string[] = [];
  const output: Output = {
    result: (line) => void said.push(line),
    modelText: () => undefined,
    note: (line) => void noted.push(line),
    progress: () => undefined,
    colours: picocolors.createColors(false),
    isClosed: () => false,
  };
  return { said, noted, output };
}

async function tail(
  auditDirectory: string,
  options: { count?: number; filter?: RecordFilter; json?: boolean } = {},
) {
  const { said, noted, output } = listening();
  const { count = 20, filter = {}, json = true } = options;
  const { signal } = new AbortController();
  await tailCommand({ auditDirectory, count, follow: false, json, filter, signal }, output);
  return { said, noted };
}

const textOf = (line: string) => (JSON.parse(line) as { text?: string; kind: string }).text ?? '-';
const texts = async (audit: string, options?: Parameters<typeof tail>[1]) =>
  (await tail(audit, options)).said.map(textOf);

describe('the newest records', () => {
  it('of several chains come in the order of their time', async () => {
    const audit = freshAudit();
    const [a, b] = [chainAt(audit, 'a'), chainAt(audit, 'b')];
    for (const at of [1, 4, 5]) a.say(`a${at}`, at);
    for (const at of [2, 3, 6]) b.say(`b${at}`, at);
    expect(await texts(audit)).toEqual(['a1', 'b2', 'b3', 'a4', 'a5', 'b6']);
    expect(await texts(audit, { count: 3 })).toEqual(['a4', 'a5', 'b6']);
    expect(await texts(audit, { count: 0 })).toEqual([]);
  });

  it('are found across the blocks and files in which they are read', async () => {
    const audit = freshAudit();
    const { trail, say } = chainAt(audit, 'a');
    const long = 'x'.repeat(40_000);
    for (let n = 1; n <= 60; n++) say(`${n} ${long}`, n);
    await trail.durable();
    appendFileSync(join(audit, 'a', '000001.jsonl'), 'x');
    await expect(trail.durable()).rejects.toThrow();
    for (let n = 61; n <= 70; n++) say(`${n} ${long}`, n);
    const numbers = (await texts(audit, { count: 71 })).map((text) => text.split(' ')[0]);
    expect(numbers.filter((number) => number !== '-')).toEqual(
      Array.from({ length: 70 }, (_, n) => String(n + 1)),
    );
  });

  it('come once where a new segment repeats them', async () => {
    const audit = freshAudit();
    const { trail, say } = chainAt(audit, 'a');
    say('durable', 1);
    await trail.durable();
    say('repeated', 2);
    appendFileSync(join(audit, 'a', '000001.jsonl'), 'x');
    await expect(trail.durable()).rejects.toThrow();
    say('after', 3);
    expect(await texts(audit)).toEqual(['durable', '-', 'repeated', 'after']);
  });

  it('are printed with --json byte by byte as they are stored', async () => {
    const audit = freshAudit();
    chainAt(audit, 'a').say('ünï \u001b[2J', 1);
    const file = readFileSync(join(audit, 'a', '000001.jsonl'), 'utf8');
    expect((await tail(audit)).said).toEqual([file.trimEnd()]);
  });

  it('leave a line that is no sound record out, and say so', async () => {
    const audit = freshAudit();
    const { say } = chainAt(audit, 'a');
    say('one', 1);
    say('two', 2);
    const file = join(audit, 'a', '000001.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('one', 'eno'));
    expect(await tail(audit)).toMatchObject({
      said: [expect.stringContaining('two')],
      noted: [
        `hookd: ${file}: 1 line is no sound record and was left out; "hookd audit verify" names the fault`,
      ],
    });
  });

  it('fit 80 columns, and no control character of theirs reaches the terminal', async () => {
    const audit = freshAudit();
    chainAt(audit, 'a').say(
      `\u001b]0;title\u0007\u009b2J\u202e${'long '.repeat(50)}`,
      Date.parse('2026-01-02T03:04:05Z'),
    );
    const { said } = await tail(audit, { json: false });
    expect(said[0]).toBe('2026-01-02 (times are UTC)');
    expect(said[1]).toMatch(/^03:04:05 - {6}prompt {9}\\u001b\]0;title\\u0007\\u009b2J\\u202elong /);
    expect(said[1]?.length).toBe(80);
    expect(said[1]?.endsWith('…')).toBe(true);
  });
});

describe('a filter', () => {
  async function mixed() {
    const audit = freshAudit();
    const { trail } = chainAt(audit, 'a');
    const cause = { kind: 'unanswered', why: 'w' } as const;
    for (const [session, tool, behavior] of [
      ['s-one', 'Bash', 'deny'],
      ['s-two', 'Bash', 'allow'],
      ['s-one', 'Read', 'allow'],
    ] as const) {
      const of = trail.forSession(session as SessionId);
      const id = `toolu_${tool}` as ToolUseId;
      of.record('tool_use', { id, name: tool.toLowerCase(), input: {} });
      const call = { id, tool: { name: tool, description: '', inputSchema: {}, readOnly: true }, input: {} };
      const decision = { behavior, reason: 'r', cause };
      of.record('permission', {
        call: { ...call, specifier: { kind: 'none' } },
        decision,
        policy: 'f'.repeat(64),
      });
    }
    return audit;
  }

  it.each<[string, RecordFilter, readonly string[]]>([
    [
      'a session by the beginning of its id',
      { session: 's-o' },
      ['tool_use', 'permission', 'tool_use', 'permission'],
    ],
    ['kinds', { kinds: ['permission'] }, ['permission', 'permission', 'permission']],
    ['a tool in any case', { tool: 'bash' }, ['tool_use', 'permission', 'tool_use', 'permission']],
    ['a decision', { decision: 'deny' }, ['permission']],
    ['all of it together', { session: 's-one', decision: 'allow', tool: 'Read' }, ['permission']],
  ])('selects %s', async (_, filter, kinds) => {
    const { said } = await tail(await mixed(), { filter });
    expect(said.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(kinds);
  });

  it('by time goes on behind a clock that was set back', async () => {
    const audit = freshAudit();
    const { say } = chainAt(audit, 'a');
    const now = Date.parse('2026-11-30T12:00Z');
    vi.setSystemTime(now);
    const minutes = (ago: number) => now - ago * 60_000;
    say('old', minutes(120));
    say('recent', minutes(5));
    say('set back', minutes(14));
    say('newest', minutes(1));
    const since = parseSince('10m', now);
    const shown = await texts(audit, { filter: { since, kinds: ['prompt'] } });
    expect(shown).toEqual(['recent', 'newest']);
  });

  it('names a kind that there is', () => {
    expect(checkedKinds(['permission', 'segment_started'])).toHaveLength(2);
    expect(() => checkedKinds(['permision'])).toThrow(/Did you mean "permission"\?/);
    expect(() => checkedKinds(['nonsense'])).toThrow(/There are: daemon_started/);
  });

  it.each([
    ['90s', 90_000],
    ['1.5h', 5_400_000],
    ['2d', 172_800_000],
  ])('takes %s as a time ago', (text, ms) => {
    expect(parseSince(text, 1e12)).toBe(1e12 - ms);
  });

  it('takes a date, and nothing else', () => {
    expect(parseSince('2026-11-30T08:00Z')).toBe(Date.parse('2026-11-30T08:00Z'));
    expect(parseSince('2026-11-30')).toBe(new Date(2026, 10, 30).getTime());
    for (const text of ['', '1', 'yesterday', '-1h', '1 h', '2026-13-40'])
      expect(() => parseSince(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});

describe('following', () => {
  async function following(audit: string, act: (said: readonly string[]) => Promise<void>) {
    const { said, noted, output } = listening();
    const stop = new AbortController();
    const texts: string[] = [];
    const done = tailCommand(
      { auditDirectory: audit, count: 1, follow: true, json: true, signal: stop.signal },
      { ...output, result: (line) => void texts.push(textOf(line)) },
    );
    try {
      await act(texts);
    } finally {
      stop.abort();
      await done;
    }
    return { texts, noted, said };
  }
  const shown = (said: readonly string[], text: string) =>
    vi.waitFor(() => expect(said).toContain(text), { timeout: 8000, interval: 20 });

  it('shows what comes, in new files and of new writers, also where no log was', async () => {
    const audit = freshAudit();
    const { texts } = await following(audit, async (said) => {
      const a = chainAt(audit, 'a');
      a.say('first', 1);
      await shown(said, 'first');
      await a.trail.durable();
      appendFileSync(join(audit, 'a', '000001.jsonl'), 'x');
      await expect(a.trail.durable()).rejects.toThrow();
      a.say('in the second file', 2);
      await shown(said, 'in the second file');
      chainAt(audit, 'b').say('of another writer', 3);
      await shown(said, 'of another writer');
    });
    expect(texts).toEqual(['first', '-', 'in the second file', 'of another writer']);
  });

  it('goes on where it was when a file, or the directory that holds it, gets another name', async () => {
    const audit = freshAudit();
    const a = chainAt(audit, 'a');
    a.say('old', 1);
    a.say('newest', 2);
    const { texts } = await following(audit, async (said) => {
      await shown(said, 'newest');
      a.say('before', 3);
      await shown(said, 'before');
      renameSync(join(audit, 'a', '000001.jsonl'), join(audit, 'a', '000007.jsonl'));
      a.say('after the file', 4);
      await shown(said, 'after the file');
      renameSync(join(audit, 'a'), join(audit, 'moved'));
      a.say('after the directory', 5);
      await shown(said, 'after the directory');
    });
    expect(texts).toEqual(['newest', 'before', 'after the file', 'after the directory']);
  });

  it('says that a file has become shorter, or is gone, and goes on', async () => {
    const audit = freshAudit();
    const [a, b] = [chainAt(audit, 'a'), chainAt(audit, 'b')];
    a.say('one', 1);
    const { noted } = await following(audit, async (said) => {
      await shown(said, 'one');
      writeFileSync(join(audit, 'a', '000001.jsonl'), '');
      b.say('two', 2);
      await shown(said, 'two');
      rmSync(join(audit, 'a'), { recursive: true });
      b.say('three', 3);
      await shown(said, 'three');
    });
    expect(noted.join()).toMatch(/000001\.jsonl cannot be read: it has become shorter/);
  });
});
