/** Faults that tools of other agents have had, by the public thread that reported each, and what happens here. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAnthropicModel } from '../../src/model/anthropic.ts';
import { runningInGroup } from '../lib/children.ts';
import { makeWorkspace, until } from '../support/hookd.ts';
import { type PlayOptions, play, text, toolUse } from '../support/in-process.ts';
import { event, messageOf, streamOf } from '../support/message-events.ts';
import { startMessagesApi } from '../support/messages-api.ts';

const ALLOWED = { settings: { permissions: { allow: ['Bash', 'Write', 'Edit'] } } };

interface Use {
  readonly type: 'tool_use';
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** What these calls answer, one after another, and the process groups that they started. */
async function calls(uses: readonly Use[], options: PlayOptions = ALLOWED) {
  const played = await play([...uses.map((use) => [use]), [text('done')]], options);
  const groups = played.records
    .filter(({ kind }) => kind === 'process_started')
    .map(({ process }) => (process as { processGroup: number }).processGroup);
  return { ...played, groups, result: played.results[0] };
}

const bash = (command: string, timeout?: number) =>
  toolUse('Bash', timeout === undefined ? { command } : { command, timeout });
const edit = (old_string: string, new_string: string, replace_all = false) =>
  toolUse('Edit', { file_path: 'f.txt', old_string, new_string, replace_all });

describe('a command whose time is up', () => {
  it.each([
    ['is gone when the model is told (anthropics/claude-code#84647)', 'echo begun; sleep 600'],
    [
      'takes what it put in the background with it (anthropics/claude-code#82433)',
      'echo begun; (while :; do :; done) & sleep 100',
    ],
    [
      'is not waited for when it ignores the request to end, and its children hold the output (earendil-works/pi#9460)',
      `echo begun; timeout 1 bash -c "trap '' TERM; sleep 100 & wait"`,
    ],
  ])('%s', async (_, command) => {
    const { result, groups } = await calls([bash(command, 300)]);
    expect(result).toMatchObject({
      outcome: 'failed',
      text: expect.stringMatching(/timed out[\s\S]*\nbegun$/),
    });
    expect(groups).toHaveLength(1);
    expect(groups.flatMap(runningInGroup)).toEqual([]);
  });
});

it('an interrupted command has a group of its own and does not finish its work (openclaw/openclaw#120386)', async () => {
  const workspace = makeWorkspace(ALLOWED);
  const turn = new AbortController();
  const played = play([[bash('touch begun; sleep 3; touch late')], [text('never')]], {
    workspace,
    signal: turn.signal,
  });
  await until(() => existsSync(join(workspace.project, 'begun')), 'the command');
  turn.abort();
  const { end, results, records } = await played;
  expect([end.reason, results[0]?.outcome]).toEqual(['interrupted', 'interrupted']);
  const started = records.find(({ kind }) => kind === 'process_started')?.['process'] as {
    processGroup: number;
  };
  expect(started.processGroup).not.toBe(process.pid);
  expect(runningInGroup(started.processGroup)).toEqual([]);
  expect(readdirSync(workspace.project)).toEqual(['begun']);
});

it('a flood of output is cut, with a note, and the memory stays bounded (QwenLM/qwen-code#2079)', async () => {
  const before = process.memoryUsage().rss;
  const { result } = await calls([bash('yes | head -c 100000000')]);
  expect(result?.text).toMatch(/\n\.\.\. \(99950000 characters left out\) \.\.\.\n/);
  expect(result?.text.length).toBeLessThan(51_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
});

it('a startup file that ends the shell is not read (anthropics/claude-code#19663)', async () => {
  const workspace = makeWorkspace(ALLOWED);
  const quits = 'case $- in *i*) ;; *) exit;; esac\n';
  for (const name of ['.bashrc', '.bash_profile', '.profile'])
    writeFileSync(join(workspace.root, 'user', name), quits);
  const { result } = await calls([bash('echo hi')], { workspace });
  expect(result).toEqual({ outcome: 'ok', text: 'hi' });
});

describe('an edit', () => {
  async function edited(content: string | Buffer, ...uses: readonly Use[]) {
    const workspace = makeWorkspace(ALLOWED);
    const file = join(workspace.project, 'f.txt');
    writeFileSync(file, content);
    const { results } = await calls(uses, { workspace });
    return { outcomes: results.map(({ outcome }) => outcome), results, content: readFileSync(file) };
  }

  it('of a file that is not UTF-8 leaves every byte (anthropics/claude-code#85842)', async () => {
    const before = Buffer.from('const x = 1;\n// caf\xe9\n', 'latin1');
    const { content, results } = await edited(before, edit('x = 1', 'x = 2'));
    expect(content).toEqual(before);
    expect(results[0]).toMatchObject({ outcome: 'failed', text: expect.stringContaining('not UTF-8') });
  });

  it.each([false, true])(
    'finds text across CRLF, which stays (replace_all %s) (earendil-works/pi#355)',
    async (all) => {
      const { content } = await edited('alpha\r\nbeta\r\ngamma\nend', edit('alpha\nbeta', 'one\ntwo', all));
      expect(content.toString()).toBe('one\r\ntwo\r\ngamma\nend');
    },
  );

  it.each([false, true])(
    'puts in $&, $$ and the like as they are (replace_all %s) (anomalyco/opencode#45892)',
    async (all) => {
      const literal = "$& $$ $1 $' $` \\1";
      const { content } = await edited('a done b', edit('done', literal, all));
      expect(content.toString()).toBe(`a ${literal} b`);
    },
  );

  it('at the same time as another of the same file is there, or fails in words (macanderson/stella#5502)', async () => {
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}.`);
    const workspace = makeWorkspace({ ...ALLOWED, files: { 'f.txt': lines.join('\n') } });
    const half = (parity: number) =>
      lines.filter((_, n) => n % 2 === parity).map((line) => edit(line, `${line} done`));
    const both = await Promise.all([0, 1].map((parity) => calls(half(parity), { workspace })));
    const results = both.flatMap((one) => one.results);
    const refused = results.filter(({ outcome }) => outcome !== 'ok');
    for (const { text } of refused) expect(text).toMatch(/changed (since it was read|while it was being)/);
    const content = readFileSync(join(workspace.project, 'f.txt'), 'utf8');
    expect(content.match(/ done/g)).toHaveLength(20 - refused.length);
    expect(content.replaceAll(' done', '')).toBe(lines.join('\n'));
  });
});

it('a write over a file that changed since it was read is refused, and the change stays (openclaw/openclaw#146096)', async () => {
  const workspace = makeWorkspace({ ...ALLOWED, files: { 'f.txt': 'one' } });
  const file = join(workspace.project, 'f.txt');
  const uses = [
    toolUse('Read', { file_path: 'f.txt' }),
    toolUse('Write', { file_path: 'f.txt', content: 'from the old text' }),
  ];
  const { results } = await calls(uses, {
    workspace,
    onEvent: (event) => {
      if (event.kind === 'tool_result' && event.use.name === 'Read') writeFileSync(file, 'changed outside');
    },
  });
  expect(results[1]).toMatchObject({
    outcome: 'failed',
    text: expect.stringContaining('changed since it was read'),
  });
  expect(readFileSync(file, 'utf8')).toBe('changed outside');
});

it('characters and escapes that the stream cuts in two arrive whole (anthropics/claude-code#46712)', async () => {
  const content = 'end € and \u{1F600}';
  const input = JSON.stringify({ file_path: 'f.txt', content }).replace('\u{1F600}', '\\ud83d\\ude00');
  const message = messageOf([toolUse('Write', { file_path: '', content: '' }, 'toolu_1')], 'm');
  const pieces = [...input].map((partial_json) =>
    event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } }),
  );
  const stream = streamOf(message).filter((one) => !one.includes('input_json_delta'));
  const at = stream.findIndex((one) => one.includes('content_block_stop'));
  const bytes = Buffer.from([...stream.slice(0, at), ...pieces, ...stream.slice(at)].join(''));
  // The cuts fall inside the three bytes of the €.
  const euro = bytes.indexOf('€');
  const chunks = [bytes.subarray(0, euro + 1), bytes.subarray(euro + 1, euro + 2), bytes.subarray(euro + 2)];
  const api = await startMessagesApi([{ chunks }]);
  try {
    const model = createAnthropicModel({ apiKey: 'k', baseUrl: api.url });
    const { workspace, results } = await play([], { ...ALLOWED, model: { model, name: 'm' } });
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok']);
    expect(readFileSync(join(workspace.project, 'f.txt'), 'utf8')).toBe(content);
  } finally {
    await api.close();
  }
});

it('no tool goes through a link of the workspace to what lies outside (anomalyco/opencode#43336)', async () => {
  const workspace = makeWorkspace({
    settings: {
      permissions: { deny: ['Edit(//**/outside/**)', 'Read(//**/outside/**)'], allow: ['Write', 'Edit'] },
    },
  });
  const outside = join(workspace.root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'b.txt'), 'secret');
  symlinkSync(outside, join(workspace.project, 'outbox'));
  const uses = [
    toolUse('Write', { file_path: 'outbox/a.txt', content: 'x' }),
    toolUse('Edit', { file_path: 'outbox/b.txt', old_string: 'secret', new_string: 'x' }),
    toolUse('Read', { file_path: 'outbox/b.txt' }),
    toolUse('Glob', { pattern: 'outbox/*' }),
  ];
  const { results } = await calls(uses, { workspace });
  expect(results.map(({ outcome }) => outcome)).toEqual(['denied', 'denied', 'denied', 'denied']);
  expect(readdirSync(outside)).toEqual(['b.txt']);
  expect(readFileSync(join(outside, 'b.txt'), 'utf8')).toBe('secret');
});
