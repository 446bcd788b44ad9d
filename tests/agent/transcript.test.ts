import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Transcript } from '../../src/agent/transcript.ts';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import type { ModelResponse, ToolUseId } from '../../src/core/vocabulary.ts';

const trail = new Trail(
  AuditWriter.create(join(mkdtempSync(join(tmpdir(), 'hookd-transcript-')), 'audit', 'test')),
);
const by = { event: 'Stop', name: 'check.sh', file: '/settings.json', line: 3 };

const prompt = (text: string) => trail.record('prompt', { text });
const context = (event: string, text: string) => trail.record('context_added', { event, text });
const result = (id: string, text: string) =>
  trail.record('tool_result', { id: id as ToolUseId, outcome: 'ok', text });
const response = (...content: ModelResponse['content']) =>
  trail.record('model_response', {
    id: 'msg_1',
    model: 'scripted',
    content,
    stopReason: 'tool_use',
    usage: {
      input_tokens: 1,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  });
const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} }) as const;
const words = (text: string) => ({ type: 'text', text }) as const;

let told: unknown[][];
let transcript: Transcript;
beforeEach(() => {
  told = [];
  transcript = new Transcript({
    prompt: (text) => told.push(['prompt', text]),
    response: ({ content }) => told.push(['response', content.length]),
    results: (results) => told.push(['results', ...results.map(({ text }) => text)]),
    added: (kind, text) => told.push([kind, text]),
    compacted: ({ change }) => told.push(['compacted', change.how]),
  });
});

describe('what hooks add', () => {
  it('stands after the prompt, in its message', () => {
    transcript.appendPrompt(prompt('go'), [context('SessionStart:startup', 'it is Monday')]);
    expect(transcript.messages()).toEqual([
      {
        role: 'user',
        content: [words('go'), words('it is Monday')],
      },
    ]);
  });

  it('stands after the results, in their message, whether it comes with them or later', () => {
    transcript.appendPrompt(prompt('go'));
    transcript.appendResponse(response(use('u1'), use('u2')));
    transcript.append([result('u1', 'a'), result('u2', 'b')], [context('PostToolUse:Bash', 'one')]);
    transcript.addContext([context('PreModelRequest', 'two')]);
    expect(transcript.messages().at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'u1', content: 'a' },
        { type: 'tool_result', tool_use_id: 'u2', content: 'b' },
        words('one'),
        words('two'),
      ],
    });
  });

  it('opens a message of its own after words of the model', () => {
    transcript.appendPrompt(prompt('go'));
    transcript.appendResponse(response(words('done')));
    transcript.appendFeedback(trail.record('stop_blocked', { by, reason: 'tests fail', count: 1 }));
    transcript.addContext([context('Stop', 'see the log')]);
    expect(transcript.messages().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(transcript.messages().at(-1)?.content).toEqual([words('tests fail'), words('see the log')]);
  });

  it('cannot come between a tool use and its result', () => {
    transcript.appendPrompt(prompt('go'));
    transcript.appendResponse(response(use('u1')));
    expect(() => transcript.addContext([context('PreModelRequest', 'x')])).toThrow(/before the results/);
    transcript.addContext([]);
    expect(transcript.messages()).toHaveLength(2);
  });

  it('changes no request that has left', () => {
    transcript.appendPrompt(prompt('go'));
    const sent = transcript.messages();
    transcript.addContext([context('PreModelRequest', 'x')]);
    expect(sent).toEqual([{ role: 'user', content: 'go' }]);
  });
});

it('an observer is told all that became part of it, once, in order', () => {
  transcript.appendPrompt(prompt('go'), [context('UserPromptSubmit', 'now')]);
  transcript.appendResponse(response());
  transcript.appendResponse(response(words('I look'), use('u1')));
  expect(() => transcript.append([result('u2', 'of another')])).toThrow(/do not answer/);
  transcript.append([result('u1', 'found')]);
  transcript.append([]);
  transcript.appendFeedback(trail.record('stop_blocked', { by, reason: 'no', count: 1 }));
  expect(told).toEqual([
    ['prompt', 'go'],
    ['context', 'now'],
    ['response', 2],
    ['results', 'found'],
    ['feedback', 'no'],
  ]);
});

it('a replaced result answers as well as the tool’s own', () => {
  transcript.appendPrompt(prompt('go'));
  transcript.appendResponse(response(use('u1')));
  const replaced = { id: 'u1' as ToolUseId, outcome: 'ok', text: '[hidden]', by } as const;
  transcript.append([trail.record('output_replaced', replaced)]);
  expect(transcript.messages().at(-1)?.content).toMatchObject([{ content: '[hidden]' }]);
});

it('results come one by one: the observer has each at once, the conversation all of them in one message', () => {
  transcript.appendPrompt(prompt('go'));
  transcript.appendResponse(response(use('u1'), use('u2')));
  transcript.append([result('u1', 'a')]);
  expect(transcript.open).toEqual([use('u2')]);
  expect(transcript.messages()).toHaveLength(2);
  expect(() => transcript.addContext([context('PostToolUse:Bash', 'too early')])).toThrow(
    /before the results/,
  );
  expect(() => transcript.append([result('u1', 'again')])).toThrow(/do not answer/);
  transcript.append([result('u2', 'b')]);
  expect(transcript.messages().at(-1)?.content).toMatchObject([{ content: 'a' }, { content: 'b' }]);
  expect(told.slice(2)).toEqual([
    ['results', 'a'],
    ['results', 'b'],
  ]);
});

it('takes no blank words of a hook: the API refuses them', () => {
  transcript.appendPrompt(prompt('go'), [context('UserPromptSubmit', ' \n')]);
  transcript.appendResponse(response(words('done')));
  transcript.appendFeedback(trail.record('stop_blocked', { by, reason: '', count: 1 }));
  expect(transcript.messages()).toHaveLength(2);
  expect(told.at(-1)).toEqual(['response', 1]);
});
