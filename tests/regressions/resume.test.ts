/** Faults of other agents that went on with a conversation, held as tests: the ids are those of `conformance/bugs.json`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeLeftCalls } from '../../src/agent/left-calls.ts';
import { readTranscript } from '../../src/agent/read-transcript.ts';
import { Transcript } from '../../src/agent/transcript.ts';
import { TranscriptFile } from '../../src/agent/transcript-file.ts';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { HookdError } from '../../src/core/errors.ts';
import type { ModelResponse, SessionId, ToolUseId } from '../../src/core/vocabulary.ts';
import { NO_USAGE } from '../../src/model/message.ts';
import { requestFault } from '../support/messages-api-rules.ts';

let root: string;
let path: string;
let trail: Trail;
/** A conversation with everything in it, as its file. */
let whole: Buffer;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'hookd-resumed-'));
  path = join(root, 'transcript.jsonl');
  trail = new Trail(AuditWriter.create(join(root, 'audit', 'test')));
  const file = open(path);
  const transcript = new Transcript(file);
  transcript.appendPrompt(trail.record('prompt', { text: 'go' }), [
    trail.record('context_added', { event: 'SessionStart', text: 'it is Monday' }),
  ]);
  for (const round of [1, 2]) {
    transcript.appendResponse(trail.record('model_response', response(round)));
    for (const use of transcript.open) transcript.append([result(use.id)]);
    transcript.addContext([trail.record('context_added', { event: 'PostToolBatch', text: 'now' })]);
  }
  const by = { event: 'Stop', name: 'check.sh', file: '/settings.json', line: 3 };
  transcript.appendFeedback(trail.record('stop_blocked', { by, reason: 'tests fail', count: 1 }));
  whole = readFileSync(path);
  expect(readTranscript(path).messages).toEqual(transcript.messages());
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function open(path: string): TranscriptFile {
  const sessionId = '0c2f4d2e-0000-4000-8000-000000000001' as SessionId;
  return new TranscriptFile({
    ...{ path, sessionId, cwd: root, version: '1.2.3' },
    permissionMode: () => 'default',
    warn: (text) => expect.unreachable(text),
  });
}

function response(round: number): ModelResponse {
  const uses = [1, 2].map(
    (use) => ({ type: 'tool_use', id: `u${round}${use}`, name: 'Bash', input: {} }) as const,
  );
  const content = [{ type: 'text', text: 'I look' } as const, ...uses];
  return { id: `msg_${round}`, model: 'scripted', content, stopReason: 'tool_use', usage: NO_USAGE };
}

function result(id: string) {
  return trail.record('tool_result', { id: id as ToolUseId, outcome: 'ok', text: 'hi' });
}

it('cut at any byte, a transcript gives a valid conversation, or clearly none (anthropics/claude-code#31328)', () => {
  const cut = join(root, 'cut.jsonl');
  const lengths = new Set<number>();
  for (let end = 0; end <= whole.length; end += 23) {
    writeFileSync(cut, whole.subarray(0, end));
    const firstLine = whole.indexOf('\n') + 1;
    if (end < firstLine) {
      expect(() => readTranscript(cut)).toThrow(/holds no conversation/);
      continue;
    }
    const stored = readTranscript(cut);
    expect(stored.bytes + stored.tornBytes).toBe(end);
    const transcript = new Transcript();
    transcript.restore(trail.record('session_resumed', stored));
    closeLeftCalls(trail, transcript, [], true);
    const messages = transcript.messages();
    expect(requestFault({ model: 'm', max_tokens: 1, messages })).toBeUndefined();
    lengths.add(messages.length);
  }
  expect([...lengths]).toEqual([1, 2, 3, 4, 5]);
});

it('NUL bytes or half a line at the end take no whole line with them (anthropics/claude-code#53821)', () => {
  const torn = join(root, 'torn.jsonl');
  for (const tail of ['\0\0\0\0', '{"type":"user","mess', `{"a":"${'x'.repeat(70_000)}`]) {
    writeFileSync(torn, Buffer.concat([whole, Buffer.from(tail)]));
    expect(readTranscript(torn)).toMatchObject({
      tornBytes: tail.length,
      messages: readTranscript(path).messages,
    });
  }
});

it('a line of 80 MB is read (earendil-works/pi#2991)', () => {
  const big = join(root, 'big.jsonl');
  const file = open(big);
  file.prompt('go');
  file.response(response(1));
  // It stands in its line twice: as the model reads it, and as hooks do.
  file.results([{ id: 'u11' as ToolUseId, outcome: 'ok', text: 'x'.repeat(40_000_000) }]);
  const { answers } = readTranscript(big);
  expect(answers.map(({ content }) => content.length)).toEqual([40_000_000]);
  rmSync(big);
});

it('a result whose call is missing is never passed on: the file and the line are named (anthropics/claude-code#31328)', () => {
  const lines = whole.toString('utf8').split('\n').slice(0, -1);
  const faults = lines.slice(0, -1).map((_, missing) => {
    const holed = join(root, 'holed.jsonl');
    writeFileSync(holed, `${lines.filter((_, index) => index !== missing).join('\n')}\n`);
    try {
      readTranscript(holed);
      return `line ${missing + 1} is not missed`;
    } catch (error) {
      return error instanceof HookdError
        ? `${error.code} ${/:\d+:/.exec(error.message)?.[0]}`
        : String(error);
    }
  });
  expect(faults).toEqual(lines.slice(0, -1).map((_, missing) => `SESSION_NOT_RESUMABLE :${missing + 1}:`));
});
