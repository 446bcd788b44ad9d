/** Conversations that outgrow the model's context window: what goes, what stays, what is on record, and what hooks have to say. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { readTranscript } from '../../src/agent/read-transcript.ts';
import { RunLog } from '../../src/cli/run-report.ts';
import { eventObjects } from '../../src/cli/stream-json.ts';
import type { Message, ModelRequest } from '../../src/core/vocabulary.ts';
import { modelFailed } from '../../src/model/failure.ts';
import { succeeded } from '../../src/tools/run-context.ts';
import { defineTool } from '../../src/tools/tool.ts';
import {
  type Answer,
  type Answering,
  type Conversation,
  type ConversationOptions,
  converse,
  tokensOf,
} from '../support/conversation.ts';
import { kindsOf, makeWorkspace } from '../support/hookd.ts';

const WINDOW = 20_000;
const LIMITS = { contextWindow: WINDOW, maxTokens: 500, firstRetryMs: 1 };
/** About a tenth of the window. */
const LONG = 'abcdefg '.repeat(1000);

const words = (text: string): Answer => ({ content: [{ type: 'text', text }] });
const call = (id: string, name = 'Fetch', input: object = {}): Answer => ({
  content: [{ type: 'tool_use', id, name, input }],
});
const SUMMARY = words('They want it done; half of it is.');

/** Gives as much as the window has a tenth of. */
const fetchTool = defineTool({
  name: 'Fetch',
  description: 'Gives much text.',
  inputSchema: Type.Object({}),
  readOnly: true,
  specifiers: () => ({ kind: 'none' }),
  run: async () => succeeded(LONG),
});

let open: Conversation | undefined;
afterEach(async () => {
  await open?.end();
  open = undefined;
});

/** `answer` is asked for all but summaries. */
async function begin(
  answer: Answering,
  { summary = () => SUMMARY, ...options }: ConversationOptions & { readonly summary?: Answering } = {},
) {
  const answering: Answering = (request, number) =>
    request.purpose === 'summary' ? summary(request, number) : answer(request, number);
  open = await converse(answering, {
    ...{ moreTools: [fetchTool], ...options },
    limits: { ...LIMITS, ...options.limits },
    settings: { permissions: { allow: ['Bash(touch *)'] }, ...options.settings },
  });
  return open;
}

async function ended(): Promise<Awaited<ReturnType<Conversation['end']>>> {
  const records = (await open?.end()) ?? [];
  open = undefined;
  return records;
}

/** What a later session would go on from. */
function expectResumable({ session, workspace }: Conversation): void {
  const stored = readTranscript(join(workspace.home, 'sessions', session.id, `${session.id}.jsonl`));
  expect(stored.messages).toEqual(session.transcript.messages());
  expect(stored.starts).toEqual(session.transcript.starts);
  expect(stored.prompt).toBe(session.transcript.lastPrompt);
}

const textOf = ({ content }: Message): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
const last = (requests: readonly ModelRequest[]): ModelRequest => requests.at(-1) as ModelRequest;
const summariesOf = (requests: readonly ModelRequest[]) =>
  requests.filter(({ purpose }) => purpose === 'summary');
const aboutCompaction = (records: readonly { readonly kind: string }[]) =>
  records.filter(({ kind }) => kind.startsWith('compact')).map(({ kind }) => kind);

describe('a conversation that nears the context window', () => {
  it('goes on from a summary and its last turns, word for word; all of it is on record', async () => {
    const { prompt, requests, session, events } = await begin(() => words('yes'));
    for (let turn = 1; summariesOf(requests).length === 0; turn += 1) {
      expect(turn).toBeLessThan(12);
      expect(await prompt(`prompt ${turn}: ${LONG}`)).toMatchObject({ reason: 'completed' });
    }
    const [asked] = summariesOf(requests);
    const next = last(requests);
    expect(textOf(asked?.messages.at(-1) as Message)).toMatch(/^Stop here and write a summary/);
    expect(asked?.tools).toEqual(next.tools);
    expect(textOf(next.messages[0] as Message)).toContain('half of it is.');
    // What is kept are the messages of before, and they begin with a prompt.
    const before = requests[requests.indexOf(asked as ModelRequest) - 1] as ModelRequest;
    const kept = next.messages.slice(1);
    expect(textOf(kept[0] as Message)).toMatch(/^prompt \d+: /);
    expect([...before.messages, { role: 'assistant', content: words('yes').content }]).toEqual(
      expect.arrayContaining(kept.slice(0, -1)),
    );
    expect(tokensOf(next)).toBeLessThan(WINDOW / 2);

    const told = events.flatMap((event) => (event.kind === 'compacted' ? [event.compaction] : []));
    expect(told).toMatchObject([{ trigger: 'auto', how: 'summary', usage: { output_tokens: 15 } }]);
    const lines = events.flatMap((event) => eventObjects(event, session.id, false));
    expect(lines).toContainEqual(
      expect.objectContaining({
        subtype: 'compact_boundary',
        compact_metadata: { trigger: 'auto', pre_tokens: told[0]?.before.tokens },
      }),
    );
    const log = new RunLog();
    for (const event of events) log.watch(event);
    const spent = log.report('', session.id, null).usage;
    expect(Object.values(spent).reduce((all, one) => all + one)).toBe(session.tokens);
    expect(session.context.window).toBe(WINDOW);
    expectResumable(open as Conversation);
    const records = await ended();
    const from = records.findIndex(({ kind }) => kind === 'compaction_started');
    expect(kindsOf(records.slice(from, from + 5))).toEqual([
      ...['compaction_started', 'model_request', 'model_response', 'compacted', 'model_request'],
    ]);
    expect(records[from + 1]).toMatchObject({ purpose: 'summary', messages: asked?.messages.length });
    expect(records[from]?.['instructions']).toBe(textOf(asked?.messages.at(-1) as Message));
    expect(records[from + 3]).toMatchObject({
      trigger: 'auto',
      messages_before: told[0]?.before.messages,
      messages_after: next.messages.length,
      replaced: (asked?.messages.length ?? 0) - 1,
      summary: next.messages[0]?.content,
    });
  });

  it('loses old outputs of tools first, and needs no summary then', async () => {
    const { prompt, requests, events } = await begin(({ messages }) =>
      typeof messages.at(-1)?.content === 'string' ? call(`u${messages.length}`) : words('read'),
    );
    for (let turn = 1; turn < 12; turn += 1) await prompt(`read ${turn}`);
    expect(summariesOf(requests)).toEqual([]);
    const shown = JSON.stringify(last(requests).messages);
    expect(shown).toContain('(This output of 8000 characters was cut to save room.');
    expect(shown).toContain('read 1"');
    expectResumable(open as Conversation);
    expect(JSON.stringify(last(requests).messages.slice(-2))).toContain(LONG);
    expect(requests.map(tokensOf).filter((tokens) => tokens > WINDOW)).toEqual([]);
    expect(events.filter(({ kind }) => kind === 'compacted')).toMatchObject([
      { compaction: { how: 'outputs', trigger: 'auto' } },
    ]);
    const [cut] = (await ended()).filter(({ kind }) => kind === 'compacted');
    expect(cut?.['outputs']).toEqual(
      expect.arrayContaining([{ tool_use_id: 'u1', characters: LONG.length }]),
    );
  });

  it('in the middle of one long turn keeps the prompt, and no tool use without its result (anthropics/claude-code#8484)', async () => {
    let calls = 0;
    const answer = () => {
      calls += 1;
      const text = { type: 'text', text: LONG.slice(0, 4000) } as const;
      return calls < 60 ? { content: [text, ...call(`u${calls}`).content] } : words('done');
    };
    const { prompt, requests } = await begin(answer);
    expect(await prompt('Read it all, from A to Z.')).toMatchObject({ reason: 'completed', requests: 60 });
    expect(summariesOf(requests).length).toBeGreaterThan(1);
    expectResumable(open as Conversation);
    for (const { messages } of requests) {
      expect(textOf(messages[0] as Message)).toContain('Read it all, from A to Z.');
    }
    expect(requests.map(tokensOf).filter((tokens) => tokens > WINDOW)).toEqual([]);
  });

  it('of 300 turns never exceeds the window, is valid in every request, and leaves complete records', async () => {
    let calls = 0;
    const answer: Answering = ({ messages }, number) => {
      if (typeof messages.at(-1)?.content === 'string' && number % 3 !== 0) {
        calls += 1;
        return call(`u${calls}`);
      }
      return words(`answer ${number}: ${LONG.slice(0, (number % 7) * 300)}`);
    };
    const { prompt, requests } = await begin(answer, {
      summary: (_, number) => {
        if (number % 5 === 0) throw modelFailed('The model is not in the mood.');
        return number % 7 === 0 ? call(`s${number}`) : words(LONG.slice(0, 3000));
      },
    });
    for (let turn = 1; turn <= 300; turn += 1) {
      const end = await prompt(`prompt ${turn}: ${LONG.slice(0, (turn % 5) * 800)}`);
      expect(end, `turn ${turn}`).toMatchObject({ reason: 'completed' });
      expect(
        textOf(last(requests).messages.findLast(({ content }) => typeof content === 'string') as Message),
      ).toContain(`prompt ${turn}: `);
    }
    expect(requests.map(tokensOf).filter((tokens) => tokens > WINDOW)).toEqual([]);
    expect(summariesOf(requests).length).toBeGreaterThan(10);
    expectResumable(open as Conversation);
    const kinds = aboutCompaction(await ended());
    for (const [index, kind] of kinds.entries()) {
      if (kind === 'compaction_started')
        expect(kinds[index + 1], `after the start ${index}`).toMatch(/^(compacted|compaction_left_out)$/);
    }
  });

  it('changes no byte of what was sent, but at a compaction: the endpoint’s cache is of use until then', async () => {
    const { prompt, requests } = await begin(() => words(LONG));
    for (let turn = 1; turn <= 14; turn += 1) await prompt(`prompt ${turn}`);
    const bytesOf = ({ system, tools, messages }: ModelRequest) =>
      JSON.stringify([system, tools, ...messages]).slice(0, -1);
    const [asked] = summariesOf(requests);
    const at = requests.indexOf(asked as ModelRequest);
    expect(at).toBeGreaterThan(4);
    const beginsAnew = requests.flatMap((request, index) => {
      const before = index === 0 ? '' : bytesOf(requests[index - 1] as ModelRequest);
      return bytesOf(request).startsWith(before) ? [] : [index];
    });
    // The request for the summary is a beginning of the one before it, and its own instruction.
    expect(beginsAnew).toEqual([at, at + 1]);
    const asIs = { ...(asked as ModelRequest), messages: asked?.messages.slice(0, -1) ?? [] };
    expect(bytesOf(requests[at - 1] as ModelRequest).startsWith(bytesOf(asIs))).toBe(true);
  });

  it('is left alone where compaction is switched off', async () => {
    const { prompt, requests, warnings } = await begin(() => words(LONG), { limits: { compactAt: 0 } });
    for (let turn = 1; turn <= 12; turn += 1) await prompt('more');
    expect(tokensOf(last(requests))).toBeGreaterThan(WINDOW);
    expect(summariesOf(requests)).toEqual([]);
    expect(warnings()).toEqual([]);
  });
});

describe('the request for a summary', () => {
  it('runs no call of its answer', async () => {
    const touch = { type: 'tool_use', id: 's1', name: 'Bash', input: { command: 'touch ran' } } as const;
    const { prompt, requests, workspace } = await begin(() => words(LONG), {
      summary: () => ({ content: [touch, ...SUMMARY.content] }),
    });
    for (let turn = 1; turn <= 10; turn += 1) await prompt('more');
    expect(summariesOf(requests)).not.toEqual([]);
    expect(existsSync(join(workspace.project, 'ran'))).toBe(false);
    expect(JSON.stringify(last(requests).messages)).not.toContain('touch ran');
    const records = await ended();
    expect(records.filter(({ kind }) => kind === 'permission')).toEqual([]);
    expect(records.find(({ kind }) => kind === 'tool_result')).toMatchObject({ outcome: 'not_run' });
  });

  it.each<[string, Answering]>([
    [
      'fails',
      () => {
        throw modelFailed('The key was refused.');
      },
    ],
    ['is answered without a text', () => ({ content: [] })],
    ['is answered with more than it stands for', () => words(LONG.repeat(12))],
  ])('that %s is told and on record; the turn goes on', async (_, summary) => {
    const { prompt, requests, warnings } = await begin(() => words(LONG.slice(0, 1500)), { summary });
    while (summariesOf(requests).length === 0)
      expect(await prompt('more')).toMatchObject({ reason: 'completed' });
    expect(warnings()).toEqual([expect.stringMatching(/was not compacted: there is no summary: /)]);
    expect(last(requests).purpose).toBeUndefined();
    expect(await prompt('more')).toMatchObject({ reason: 'completed' });
    // Not with every request: when the conversation has grown.
    expect(summariesOf(requests)).toHaveLength(1);
    expect(aboutCompaction(await ended())).toEqual(['compaction_started', 'compaction_left_out']);
  });

  it('that fails is made up for by cutting what outputs there are', async () => {
    let calls = 0;
    const answer: Answering = ({ messages }) => {
      if (typeof messages.at(-1)?.content !== 'string') return words(LONG.repeat(2));
      calls += 1;
      return call(`u${calls}`);
    };
    const { prompt, requests } = await begin(answer, {
      summary: () => {
        throw modelFailed('No.');
      },
    });
    while (summariesOf(requests).length === 0)
      expect(await prompt('more')).toMatchObject({ reason: 'completed' });
    expect(JSON.stringify(last(requests).messages)).toContain('was cut to save room');
    expect(requests.map(tokensOf).filter((tokens) => tokens > WINDOW)).toEqual([]);
  });

  it('is not waited for after an interrupt', async () => {
    const interrupt = new AbortController();
    const { session, prompt, requests } = await begin(() => words(LONG), {
      summary: () => {
        interrupt.abort();
        interrupt.signal.throwIfAborted();
        return SUMMARY;
      },
    });
    let end = await prompt('more');
    while (end.reason === 'completed') end = await session.prompt('more', interrupt.signal);
    expect(end.reason).toBe('interrupted');
    expect(summariesOf(requests)).toHaveLength(1);
    expect(session.transcript.messages().at(-1)).toMatchObject({ role: 'user' });
    expect((await ended()).filter(({ kind }) => kind.startsWith('compact'))).toMatchObject([
      { kind: 'compaction_started' },
      { kind: 'compaction_left_out', trigger: 'auto', reason: 'it was interrupted' },
    ]);
  });

  it('that somebody asked for and interrupts ends on record', async () => {
    const interrupt = new AbortController();
    const { session, prompt } = await begin(() => words('yes'), {
      summary: () => {
        interrupt.abort(new Error('interrupted by phone'));
        throw interrupt.signal.reason;
      },
    });
    await prompt('one');
    await prompt('two');
    await expect(session.compact('', interrupt.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect((await ended()).filter(({ kind }) => kind.startsWith('compact'))).toMatchObject([
      { kind: 'compaction_started' },
      { kind: 'compaction_left_out', trigger: 'manual', reason: 'it was interrupted' },
    ]);
  });
});

describe('hooks', () => {
  const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }];

  it('PreCompact may refuse: it is left out this time, and said', async () => {
    const hooks = { PreCompact: hook('echo "not now" >&2; exit 2') };
    const { prompt, requests, warnings } = await begin(() => words(LONG), { settings: { hooks } });
    for (let turn = 1; warnings().length === 0; turn += 1) {
      expect(turn).toBeLessThan(12);
      expect(await prompt('more')).toMatchObject({ reason: 'completed' });
    }
    expect(summariesOf(requests)).toEqual([]);
    expect(warnings()).toEqual([
      expect.stringMatching(/^The conversation was not compacted: a PreCompact hook refused: .*not now/s),
    ]);
    const records = await ended();
    expect(records.find(({ kind }) => kind === 'compaction_left_out')).toMatchObject({
      trigger: 'auto',
      by: { event: 'PreCompact' },
    });
  });

  it('PreModelRequest is asked before each request that leaves: for a summary, and for what was made shorter, too', async () => {
    const workspace = makeWorkspace({
      settings: {
        hooks: { PreModelRequest: hook('cat >> ../told'), PostModelResponse: hook('cat >> ../told') },
      },
    });
    let refusals = 0;
    const { prompt, requests } = await begin(
      ({ messages }) => {
        if (messages.length > 8 && refusals === 0) {
          refusals += 1;
          throw modelFailed('400 prompt is too long', { overflow: { tokens: 15_000, most: 12_000 } });
        }
        return words(LONG.slice(0, 4000));
      },
      { workspace },
    );
    while (summariesOf(requests).length === 0)
      expect(await prompt('more')).toMatchObject({ reason: 'completed' });
    const told = (readFileSync(join(workspace.root, 'told'), 'utf8').match(/^\{.*\}$/gm) ?? []).map((line) =>
      JSON.parse(line),
    );
    const seen = (event: string) =>
      told
        .filter(({ hook_event_name }) => hook_event_name === event)
        .map(({ purpose, message_count }) => ({ purpose, ...(message_count && { message_count }) }));
    const sent = requests.map(({ purpose = 'conversation', messages }) => ({
      purpose,
      message_count: messages.length,
    }));
    expect(seen('PreModelRequest')).toEqual(sent);
    const answered = sent.map(({ purpose }) => ({ purpose }));
    answered.splice(-3, 1);
    expect(seen('PostModelResponse')).toEqual(answered);
  });

  it.each([
    ['refuse', 'echo "not to them" >&2; exit 2', 'completed'],
    ['end the turn instead of', `echo '{"continue":false,"stopReason":"not to them"}'`, 'hook_stopped'],
  ])('PreModelRequest may %s the request for a summary', async (_, answer, reason) => {
    const command = `if grep -q '"purpose":"summary"'; then ${answer}; fi`;
    const hooks = { PreModelRequest: hook(command) };
    const { prompt, requests, warnings } = await begin(() => words(LONG), { settings: { hooks } });
    let end = await prompt('more');
    while (warnings().length === 0) {
      expect(end).toMatchObject({ reason: 'completed' });
      end = await prompt('more');
    }
    expect(end).toMatchObject({ reason });
    expect(summariesOf(requests)).toEqual([]);
    expect(warnings()).toEqual([
      expect.stringMatching(/a PreModelRequest hook refused the request for a summary: .*not to them/s),
    ]);
    const records = await ended();
    expect(records.find(({ kind }) => kind === 'compaction_left_out')).toMatchObject({
      trigger: 'auto',
      by: { event: 'PreModelRequest' },
    });
    expect(records.filter(({ kind }) => kind === 'compaction_started')).toEqual([]);
  });

  it('"continue": false of any PreCompact hook ends the turn, and all reasons of refusals are on record', async () => {
    const says = [
      'echo first >&2; exit 2',
      'echo second >&2; exit 2',
      `echo '{"continue":false,"stopReason":"enough"}'`,
    ];
    const hooks = { PreCompact: [{ hooks: says.map((command) => ({ type: 'command', command })) }] };
    const { prompt } = await begin(() => words(LONG), { settings: { hooks } });
    let end = await prompt('more');
    for (let turn = 1; end.reason === 'completed' && turn < 20; turn += 1) end = await prompt('more');
    expect(end).toMatchObject({ reason: 'hook_stopped', detail: 'enough' });
    const leftOut = (await ended()).find(({ kind }) => kind === 'compaction_left_out');
    expect(leftOut?.['reason']).toMatch(/refused: .*first.*second/s);
  });

  it('PreCompact adds no more to the instructions than hooks may add anywhere', async () => {
    const hooks = { PreCompact: hook('printf %30000s end | tr " " x') };
    const { session, prompt, requests } = await begin(() => words('yes'), { settings: { hooks } });
    await prompt('one');
    await prompt('two');
    await session.compact('the names', new AbortController().signal);
    const asked = textOf(last(requests).messages.at(-1) as Message);
    expect(asked.length).toBeLessThan(12_000);
    expect(asked).toMatch(/x\n\.\.\. \(20000 more characters of this hook were left out\)$/);
  });

  it('are told what somebody asks for, what was kept, and that a session begins anew', async () => {
    const workspace = makeWorkspace({
      settings: {
        hooks: {
          PreCompact: hook('cat >> ../told; echo "and the ports"'),
          PostCompact: hook('cat >> ../told'),
          SessionStart: hook('cat >> ../told; echo "it is Monday"'),
        },
      },
    });
    const { session, prompt, requests } = await begin(() => words('yes'), { workspace });
    await prompt('one');
    await prompt('two');
    await session.compact('the names', new AbortController().signal);
    const asked = textOf(last(requests).messages.at(-1) as Message);
    expect(asked).toContain('Keep this in particular: the names');
    expect(asked).toContain('and the ports');
    expect(session.transcript.messages().map(textOf)).toEqual([
      expect.stringContaining('half of it is.'),
      expect.stringMatching(/^two/),
      'yes',
    ]);
    await prompt('three');
    expect(JSON.stringify(last(requests).messages.at(-1))).toContain('it is Monday');
    expectResumable(open as Conversation);
    const told = readFileSync(join(workspace.root, 'told'), 'utf8').match(/^\{.*\}$/gm) ?? [];
    expect(told.map((line) => JSON.parse(line))).toMatchObject([
      { hook_event_name: 'SessionStart', source: 'startup' },
      {
        hook_event_name: 'PreCompact',
        trigger: 'manual',
        custom_instructions: expect.stringMatching(/^the names$/),
      },
      {
        hook_event_name: 'PostCompact',
        trigger: 'manual',
        compact_summary: textOf({ role: 'user', content: 'They want it done; half of it is.' }),
      },
      { hook_event_name: 'SessionStart', source: 'compact' },
    ]);
  });
});

describe('somebody who asks for it', () => {
  it('is told why it was not done', async () => {
    const hooks = { PreCompact: [{ hooks: [{ type: 'command', command: 'touch ../asked' }] }] };
    const { session, prompt, workspace } = await begin(() => words('yes'), { settings: { hooks } });
    const { signal } = new AbortController();
    await expect(session.compact('', signal)).rejects.toMatchObject({ code: 'NOT_COMPACTED' });
    await prompt('one');
    await expect(session.compact('', signal)).rejects.toThrow(/nothing to leave out yet/);
    expect(session.transcript.messages()).toHaveLength(2);
    // Where nothing can be left out, nobody is asked.
    expect(existsSync(join(workspace.root, 'asked'))).toBe(false);
  });

  it('gets it also where it never comes by itself', async () => {
    const { session, prompt } = await begin(() => words('yes'), { limits: { compactAt: 0 } });
    for (const text of ['one', 'two', 'three']) await prompt(text);
    await session.compact('', new AbortController().signal);
    expect(session.transcript.messages().map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
    expect(await prompt('four')).toMatchObject({ reason: 'completed' });
  });
});

describe('a model that says that the conversation is too long', () => {
  const tooLong = () => modelFailed('400 prompt is too long', { overflow: { tokens: 15_000, most: 12_000 } });

  it('is asked once more, with a shorter one; what it said of its window counts from then on', async () => {
    let refusals = 0;
    const { session, prompt, requests, warnings } = await begin(({ messages }) => {
      if (messages.length > 8 && refusals === 0) {
        refusals += 1;
        throw tooLong();
      }
      return words(LONG.slice(0, 4000));
    });
    while (summariesOf(requests).length === 0)
      expect(await prompt('more')).toMatchObject({ reason: 'completed' });
    expect(warnings()).toEqual([expect.stringContaining('takes 12000 tokens')]);
    expect(session.context.window).toBe(12_000);
  });

  it('again and again ends the turn, with what can be done', async () => {
    const { prompt, requests } = await begin(({ messages }) => {
      if (messages.length > 8 || summariesOf(requests).length > 0) throw tooLong();
      return words(LONG.slice(0, 4000));
    });
    let end = await prompt('more');
    while (end.reason === 'completed') end = await prompt('more');
    expect(end).toMatchObject({
      reason: 'error',
      stopReason: 'model_context_window_exceeded',
      detail: expect.stringMatching(/does not fit into the context window.*contextWindow/),
    });
    expect(summariesOf(requests)).toHaveLength(1);
  });

  it('by cutting its answer has the word again, told that it was cut', async () => {
    const { prompt, requests } = await begin((_, number) =>
      number === 3 ? { ...words('half an ans'), stopReason: 'model_context_window_exceeded' } : words('wer'),
    );
    await prompt(LONG);
    await prompt('two');
    expect(await prompt('three')).toMatchObject({ reason: 'completed', stopReason: 'end_turn' });
    expect(last(requests).messages.map(textOf).slice(-3)).toEqual([
      expect.stringMatching(/^three/),
      'half an ans',
      expect.stringContaining('go on from where you were cut'),
    ]);
  });
});

describe('tokens of the session that are spent', () => {
  it('by a summary: the request that it was made for does not leave', async () => {
    const { prompt, requests, session } = await begin(() => words('yes'), {
      // Any: the summary alone goes over it.
      summary: () => words(`short. ${'x'.repeat(4 * 1000)}`),
    });
    while (session.gauge.isFull(session.size + 8_000) === false)
      expect(await prompt(LONG)).toMatchObject({ reason: 'completed' });
    (session.limits as { maxSessionTokens?: number }).maxSessionTokens = session.tokens + 1;
    expect(await prompt(LONG)).toMatchObject({
      reason: 'error',
      detail: expect.stringContaining('maxSessionTokens'),
    });
    expect(last(requests).purpose).toBe('summary');
  });

  it('before: nobody is asked for a summary, whoever wishes one', async () => {
    const { prompt, requests, session } = await begin(() => words(LONG.slice(0, 4000)));
    for (let turn = 1; turn < 4; turn += 1) await prompt('more');
    (session.limits as { maxSessionTokens?: number }).maxSessionTokens = session.tokens;
    const compacted = session.compact('', new AbortController().signal);
    await expect(compacted).rejects.toMatchObject({
      code: 'NOT_COMPACTED',
      message: expect.stringContaining('maxSessionTokens'),
    });
    expect(summariesOf(requests)).toEqual([]);
  });
});
