/** Going on with sessions: the transcript of an earlier process is read back, and what it left open is said as it is. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approvals } from '../../src/agent/ask-human.ts';
import type { Session } from '../../src/agent/session.ts';
import type { SessionEvent } from '../../src/core/protocol.ts';
import type { ModelRequest, SessionId } from '../../src/core/vocabulary.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import type { SessionRequest } from '../../src/daemon/open-session.ts';
import type { Model } from '../../src/model/model.ts';
import type { ScriptedTurn } from '../../src/model/script.ts';
import { createScriptedModel } from '../../src/model/scripted.ts';
import { auditRecords, makeWorkspace, until, type Workspace } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';
import { requestFault } from '../support/messages-api-rules.ts';

const never = new Promise<never>(() => undefined);
const signal = new AbortController().signal;

let workspace: Workspace;
let daemon: Daemon;
let events: SessionEvent[];
/** What the model was shown, request after request. */
let shown: ModelRequest['messages'][];
/** What the API would say of each. */
let faults: (string | undefined)[];

beforeEach(async () => {
  workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash'] } } });
  daemon = await Daemon.open({ env: workspace.env });
  events = [];
  shown = [];
  faults = [];
});
afterEach(async () => {
  await daemon.close('test');
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  rmSync(workspace.root, { recursive: true });
});

function open(turns: readonly ScriptedTurn[], more: Partial<SessionRequest> = {}): Promise<Session> {
  const scripted = createScriptedModel(turns);
  const model: Model = {
    async *respond(request, signal) {
      shown.push(request.value.messages);
      faults.push(requestFault({ model: 'm', max_tokens: 1, messages: request.value.messages }));
      yield* scripted.respond(request, signal);
    },
  };
  return daemon.startSession({
    startDirectory: workspace.project,
    flags: {},
    approvals: nobody,
    model: { model, name: 'scripted' },
    onEvent: (event) => events.push(event),
    ...more,
  });
}

const home = (id: string) => join(workspace.home, 'sessions', id);
const transcriptOf = (id: string) => join(home(id), `${id}.jsonl`);
const earlierTranscriptOf = (id: string) => join(home(id), 'transcript.jsonl');
const linesOf = (id: string) => readFileSync(transcriptOf(id), 'utf8').split('\n').slice(0, -1);
const recordsOf = (id: string) => auditRecords(workspace).filter(({ session }) => session === id);
const last = (id: string, kind: string) => recordsOf(id).findLast((record) => record.kind === kind);
const warnings = () => events.flatMap((event) => (event.kind === 'warning' ? [event.text] : []));
const resultsIn = (messages: ModelRequest['messages'] | undefined) =>
  (messages ?? []).flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])),
  );

/** As if the process that has the session had died: its lock is left by nobody. */
function die({ id }: Session): void {
  for (const name of readdirSync(home(id))) if (name.startsWith('lock.')) rmSync(join(home(id), name));
}

describe('a session that is resumed', () => {
  it('where its transcript has the name that all had in earlier versions goes on in one with its own', async () => {
    const first = await open([[text('hi')]]);
    await first.prompt('go', signal);
    die(first);
    renameSync(transcriptOf(first.id), earlierTranscriptOf(first.id));
    const second = await open([[text('again')]], { resume: first.id });
    await second.prompt('more', signal);
    expect(shown.at(-1)).toHaveLength(3);
    expect(existsSync(earlierTranscriptOf(first.id))).toBe(false);
    expect(linesOf(first.id)).toHaveLength(4);
    expect(last(first.id, 'session_resumed')).toMatchObject({ transcript: transcriptOf(first.id) });
  });

  it('shows the model the very same conversation, and says on record which', async () => {
    const first = await open([[text('I look'), toolUse('Bash', { command: 'echo hi' }, 'u1')], [text('hi')]]);
    await first.prompt('go', signal);
    const before = first.transcript.messages();
    die(first);
    const bytes = readFileSync(transcriptOf(first.id));
    const second = await open([[text('again')]], { resume: first.id });
    expect(second.id).toBe(first.id);
    expect(second.transcript.messages()).toEqual(before);
    expect(last(first.id, 'session_resumed')).toMatchObject({
      transcript: transcriptOf(first.id),
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      messages: 4,
    });
    await second.prompt('more', signal);
    expect(shown.at(-1)).toEqual([...before, { role: 'user', content: 'more' }]);
    expect(last(first.id, 'prompt')?.['turn']).toBe(2);
    const lines = linesOf(first.id).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      ...lines.slice(0, -1).map(({ uuid }) => uuid),
    ]);
  });

  it('is told to SessionStart hooks, with what it costs to go on', async () => {
    const first = await open([[text('hi')]]);
    await first.prompt('go', signal);
    die(first);
    const seen = join(workspace.root, 'seen');
    const hook = { type: 'command', command: `cat > ${seen}` };
    writeFileSync(
      join(workspace.home, 'settings.json'),
      JSON.stringify({ hooks: { SessionStart: [{ matcher: 'resume', hooks: [hook] }] } }),
    );
    await open([], { resume: first.id });
    expect(JSON.parse(readFileSync(seen, 'utf8'))).toMatchObject({
      session_id: first.id,
      source: 'resume',
      model: 'scripted',
      seconds_since_last_response: expect.any(Number),
      context_tokens: 0,
      prompt_cache_likely_expired: false,
    });
  });

  it('goes on in its own start directory, under the settings of now', async () => {
    const inside = join(workspace.project, 'inside');
    mkdirSync(inside);
    const first = await open([[text('hi')]], { startDirectory: inside });
    await first.prompt('go', signal);
    die(first);
    writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify({ permissions: { deny: ['Bash'] } }));
    const second = await open([[toolUse('Bash', { command: 'pwd' })]], { resume: first.id });
    expect(second.gate.toolbox.workplace.cwd).toBe(inside);
    await second.prompt('more', signal);
    expect(last(first.id, 'permission')).toMatchObject({ decision: 'deny' });
  });

  it('with another model says so', async () => {
    const first = await open([[text('hi')]]);
    await first.prompt('go', signal);
    die(first);
    await open([], { resume: first.id, model: { model: createScriptedModel([]), name: 'other' } });
    expect(warnings()).toContain('The conversation was held with scripted; it goes on with other.');
  });

  it('without what was not written to the end: the rest of a last line goes, the next begins a line of its own', async () => {
    const first = await open([[text('hi')]]);
    await first.prompt('go', signal);
    die(first);
    const before = readFileSync(transcriptOf(first.id), 'utf8');
    appendFileSync(transcriptOf(first.id), '{"type":"user","message":{"role":"us\0\0\0\0');
    const second = await open([[text('again')]], { resume: first.id });
    expect(warnings().join()).toMatch(/last line of the transcript was not finished \(40 bytes\)/);
    expect(last(first.id, 'session_resumed')?.['torn_bytes']).toBe(40);
    await second.prompt('more', signal);
    expect(readFileSync(transcriptOf(first.id), 'utf8').startsWith(`${before}{"parentUuid"`)).toBe(true);
    for (const line of linesOf(first.id)) JSON.parse(line);
  });

  it('keeps counting tokens against its budget', async () => {
    const first = await open([[text('hi')]]);
    await first.prompt('go', signal);
    die(first);
    const path = transcriptOf(first.id);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"input_tokens":0', '"input_tokens":900'));
    const second = await open([], { resume: first.id, limits: { maxSessionTokens: 500 } });
    expect(await second.prompt('more', signal)).toMatchObject({
      reason: 'error',
      detail: expect.stringContaining('900 tokens of its 500'),
    });
  });
});

describe('a call without a result', () => {
  it('that ran when hookd ended has an unknown outcome; those after it did not run; none runs again', async () => {
    const ran = join(workspace.root, 'ran');
    const calls = [
      toolUse('Bash', { command: `echo 1 >> ${ran}` }, 'u1'),
      toolUse('Bash', { command: `echo 2 >> ${ran}; exec sleep 60` }, 'u2'),
      toolUse('Bash', { command: `echo 3 >> ${ran}` }, 'u3'),
    ];
    const first = await open([calls]);
    const interrupt = new AbortController();
    const dying = first.prompt('go', interrupt.signal);
    await until(() => existsSync(ran) && readFileSync(ran, 'utf8') === '1\n2\n', 'the second call');
    die(first);
    const second = await open([[text('I see')]], { resume: first.id });
    expect(second.unfinished).toBe('answer');
    await second.prompt('and now?', signal);
    expect(resultsIn(shown.at(-1))).toEqual([
      expect.objectContaining({ tool_use_id: 'u1', content: '(no output)' }),
      {
        type: 'tool_result',
        tool_use_id: 'u2',
        content: expect.stringMatching(/^Outcome unknown: hookd was ended while this call ran/),
        is_error: true,
      },
      {
        type: 'tool_result',
        tool_use_id: 'u3',
        content: expect.stringMatching(/^It did not run/),
        is_error: true,
      },
    ]);
    expect(
      recordsOf(first.id)
        .filter(({ kind }) => kind === 'tool_result')
        .map((r) => [r.tool_use_id, r['outcome']]),
    ).toEqual([
      ['u1', 'ok'],
      ['u2', 'unknown'],
      ['u3', 'not_run'],
    ]);
    expect(readFileSync(ran, 'utf8')).toBe('1\n2\n');
    interrupt.abort();
    await dying;
  });

  it('that ended, but whose hooks were still at work, is not shown: they might have hidden its output', async () => {
    const hook = { type: 'command', command: `touch ${workspace.root}/hook; exec sleep 60` };
    writeFileSync(
      join(workspace.home, 'settings.json'),
      JSON.stringify({ permissions: { allow: ['Bash'] }, hooks: { PostToolUse: [{ hooks: [hook] }] } }),
    );
    const first = await open([[toolUse('Bash', { command: 'echo secret' }, 'u1')]]);
    const interrupt = new AbortController();
    const dying = first.prompt('go', interrupt.signal);
    await until(() => existsSync(join(workspace.root, 'hook')), 'the hook');
    die(first);
    const second = await open([[text('I see')]], { resume: first.id });
    await second.goOn(signal);
    expect(resultsIn(shown.at(-1))).toMatchObject([
      { content: expect.stringMatching(/^The call ended \(ok\), but/) },
    ]);
    interrupt.abort();
    await dying;
  });

  it('of which the log does not tell is unknown', async () => {
    const first = await open([[text('hi')]]);
    await first.prompt('go', signal);
    die(first);
    const line = JSON.parse(linesOf(first.id).at(-1) ?? '') as { message: object; uuid: string };
    const content = [{ type: 'tool_use', id: 'nowhere', name: 'Bash', input: {} }];
    appendFileSync(
      transcriptOf(first.id),
      `${JSON.stringify({ ...line, parentUuid: line.uuid, message: { ...line.message, content } })}\n`,
    );
    const second = await open([], { resume: first.id });
    expect(resultsIn(second.transcript.messages())).toMatchObject([
      {
        tool_use_id: 'nowhere',
        content: expect.stringMatching(/^Outcome unknown: hookd was ended, and the audit log/),
      },
    ]);
  });
});

describe('a call that waited for a person when hookd ended', () => {
  const asked: string[] = [];
  const waiting: Approvals = {
    ask: ({ value }) => {
      asked.push(value.id);
      return never;
    },
  };
  const yes: Approvals = {
    ask: ({ value }) => {
      asked.push(value.id);
      return Promise.resolve({ answer: 'allow', client: 'test' });
    },
  };
  const calls = () => [
    toolUse('Bash', { command: `echo 1 >> ${workspace.root}/ran` }, 'u1'),
    toolUse('Bash', { command: `echo 2 >> ${workspace.root}/ran` }, 'u2'),
  ];
  const ran = () => readFileSync(join(workspace.root, 'ran'), 'utf8');

  async function leftWaiting(): Promise<Session> {
    asked.length = 0;
    writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify({ permissions: { ask: ['Bash'] } }));
    const first = await open([calls()], { approvals: waiting });
    void first.prompt('go', signal);
    await until(() => asked.length === 1, 'the question');
    die(first);
    return first;
  }

  it('is asked about again, under the same id; after a yes the turn goes on', async () => {
    const first = await leftWaiting();
    const second = await open([[text('done')]], { resume: first.id, approvals: yes });
    expect(second.unfinished).toBe('question');
    expect(await second.goOn(signal)).toMatchObject({ reason: 'completed' });
    expect(asked).toHaveLength(3);
    expect(asked[1]).toBe(asked[0]);
    expect(asked[2]).not.toBe(asked[0]);
    expect(ran()).toBe('1\n2\n');
    expect(second.unfinished).toBeUndefined();
    expect(second.transcript.messages()).toHaveLength(4);
  });

  it('goes through the whole gate: a rule that was saved meanwhile denies it', async () => {
    const first = await leftWaiting();
    writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify({ permissions: { deny: ['Bash'] } }));
    const second = await open([[text('done')]], { resume: first.id, approvals: yes });
    await second.prompt('and?', signal);
    expect(asked).toHaveLength(1);
    expect(existsSync(join(workspace.root, 'ran'))).toBe(false);
    expect(resultsIn(shown.at(-1)).map(({ is_error }) => is_error)).toEqual([true, true]);
    expect(shown.at(-1)?.at(-1)).toEqual({ role: 'user', content: 'and?' });
  });

  it('in a fork did not run: the question is the old session’s', async () => {
    const first = await leftWaiting();
    const fork = await open([[text('done')]], { resume: first.id, fork: true, approvals: yes });
    await fork.goOn(signal);
    expect(asked).toHaveLength(1);
    expect(resultsIn(shown.at(-1)).map(({ content }) => content)).toEqual([
      'It did not run: the conversation was forked before this call began.',
      'It did not run: the conversation was forked before this call began.',
    ]);
    const resumed = await open([[text('done')]], { resume: first.id, approvals: yes });
    expect(resumed.unfinished).toBe('question');
  });
});

describe('a fork', () => {
  it('has a new id and a copy; the old session is as it was', async () => {
    const first = await open([[text('hi')]]);
    await first.prompt('go', signal);
    const before = readFileSync(transcriptOf(first.id), 'utf8');
    const fork = await open([[text('again')]], { resume: first.id, fork: true });
    expect(fork.id).not.toBe(first.id);
    await fork.prompt('more', signal);
    expect(shown.at(-1)).toHaveLength(3);
    expect(readFileSync(transcriptOf(first.id), 'utf8')).toBe(before);
    expect(last(fork.id, 'session_resumed')).toMatchObject({ fork_of: first.id, messages: 2 });
    const [line] = linesOf(fork.id).map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(line).toMatchObject({ sessionId: fork.id, forkedFrom: { sessionId: first.id } });
    expect(existsSync(transcriptOf(fork.id))).toBe(true);
  });

  it('of a session whose transcript has the name that all had in earlier versions leaves it where it is', async () => {
    const first = await open([[text('hi')]]);
    await first.prompt('go', signal);
    renameSync(transcriptOf(first.id), earlierTranscriptOf(first.id));
    const fork = await open([[text('again')]], { resume: first.id, fork: true });
    await fork.prompt('more', signal);
    expect(shown.at(-1)).toHaveLength(3);
    expect(existsSync(earlierTranscriptOf(first.id))).toBe(true);
    expect(readdirSync(home(fork.id))).toContain(`${fork.id}.jsonl`);
  });
});

describe('what cannot be resumed', () => {
  const refusal = (id: string, more: Partial<SessionRequest> = {}) =>
    open([], { resume: id as SessionId, ...more }).then(
      () => 'resumed',
      (error: unknown) => String(error),
    );

  it('a session that is live is named with where it runs', async () => {
    const first = await open([[text('hi')]]);
    await first.prompt('go', signal);
    expect(await refusal(first.id)).toMatch(new RegExp(`${first.id} is going on here`));
  });

  it('one that there is not, and what is no id', async () => {
    expect(await refusal('0c2f4d2e-0000-4000-8000-000000000001')).toMatch(/There is no session/);
    expect(await refusal('../../etc')).toMatch(/There is no session/);
  });

  it('one without a conversation', async () => {
    const first = await open([]);
    die(first);
    expect(await refusal(first.id)).toMatch(/holds no conversation/);
  });

  it('one whose directory is gone', async () => {
    const gone = join(workspace.root, 'gone');
    mkdirSync(gone);
    const first = await open([[text('hi')]], { startDirectory: gone });
    await first.prompt('go', signal);
    die(first);
    renameSync(gone, `${gone}.old`);
    expect(await refusal(first.id)).toMatch(/worked in .*gone, which is not there any more/);
  });

  it.each([
    ['garbage', () => 'no json', /:2: expected one JSON object/],
    ['a hole', () => '', /:2: expected one JSON object, found 0 characters/],
    [
      'a message of nobody',
      (line: string) => line.replace('"role":"assistant"', '"role":"x"'),
      /:2: expected a message of role "assistant", found "x"/,
    ],
    [
      'a block of another kind',
      (line: string) => line.replace('"type":"text"', '"type":"image"'),
      /:2: expected a block "text" or "tool_use", found "image"/,
    ],
    ['a line that is not there', () => undefined, /:2: expected the line after /],
  ])('one with %s in its transcript: file and line are named', async (_, damage, message) => {
    const first = await open([[text('hi')], [text('again')]]);
    await first.prompt('go', signal);
    await first.prompt('more', signal);
    die(first);
    const lines = linesOf(first.id).flatMap((line, index) => (index === 1 ? (damage(line) ?? []) : [line]));
    writeFileSync(transcriptOf(first.id), `${lines.join('\n')}\n`);
    expect(await refusal(first.id)).toMatch(message);
    // It is let go of again.
    expect(await refusal(first.id)).toMatch(message);
  });
});

it('a session gets the id that was asked for, once', async () => {
  const sessionId = '0c2f4d2e-0000-4000-8000-00000000000a' as SessionId;
  expect((await open([], { id: sessionId })).id).toBe(sessionId);
  await expect(open([], { id: sessionId })).rejects.toThrow(/There is a session .* already/);
  await expect(open([], { id: 'mine' as SessionId })).rejects.toThrow(/is a UUID/);
});

it('a start that fails leaves no session', async () => {
  writeFileSync(join(workspace.home, 'settings.json'), '{');
  await expect(open([])).rejects.toThrow();
  expect(readdirSync(join(workspace.home, 'sessions'))).toEqual([]);
});
