import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HookdError } from '../../src/core/errors.ts';
import type { ScriptedTurn } from '../../src/model/script.ts';
import { createScriptedModel, readScript } from '../../src/model/scripted.ts';
import { answerOf, openRequests, type Requests } from './recorded-request.ts';

let requests: Requests;
let directory: string;

beforeEach(async () => {
  requests = openRequests();
  directory = await mkdtemp(join(tmpdir(), 'hookd-script-'));
});
afterEach(async () => {
  await requests.remove();
  await rm(directory, { recursive: true });
});

async function read(text: string): Promise<readonly ScriptedTurn[] | HookdError> {
  const path = join(directory, 'script.json');
  await writeFile(path, text);
  return readScript(path);
}

/** The text of the refusal, with the file's path shortened. */
async function faultsOf(text: string): Promise<string> {
  const result = await read(text);
  expect(result).toBeInstanceOf(HookdError);
  expect(result).toMatchObject({ code: 'MODEL_SCRIPT_INVALID' });
  return (result as HookdError).message.replaceAll(join(directory, 'script.json'), 'F');
}

const USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

test('a script is played turn by turn, then says done, whatever the requests hold', async () => {
  const model = createScriptedModel([
    [
      { type: 'text', text: 'I read it. 😀😀' },
      { type: 'tool_use', name: 'Read', input: { file_path: '/a' } },
      { type: 'tool_use', id: 'toolu_s02', name: 'nothing like it', input: 'not an object' },
      { type: 'tool_use', name: 'Read', input: {} },
    ],
    { content: [{ type: 'text', text: 'cut' }], stop_reason: 'max_tokens' },
    [{ type: 'text', text: 'The end.' }],
  ]);
  const first = await answerOf(model, requests.record({ tools: [] }));
  expect(first.texts).toEqual(['I re', 'ad i', 't. 😀', '😀']);
  expect(first.inputs).toEqual({
    1: ['{"fil', 'e_pat', 'h":"/', 'a"}'],
    2: ['"not', ' an ', 'obje', 'ct"'],
    3: ['{', '}'],
  });
  expect(first.response).toEqual({
    id: 'msg_s01',
    model: 'claude-test-1',
    content: [
      { type: 'text', text: 'I read it. 😀😀' },
      { type: 'tool_use', id: 'toolu_s01', name: 'Read', input: { file_path: '/a' } },
      { type: 'tool_use', id: 'toolu_s02', name: 'nothing like it', input: 'not an object' },
      { type: 'tool_use', id: 'toolu_s03', name: 'Read', input: {} },
    ],
    stopReason: 'tool_use',
    usage: USAGE,
  });
  const rest = [];
  for (let turn = 2; turn <= 5; turn += 1) {
    const { response } = await answerOf(model, requests.record());
    rest.push([response.id, response.stopReason, response.content]);
  }
  expect(rest).toEqual([
    ['msg_s02', 'max_tokens', [{ type: 'text', text: 'cut' }]],
    ['msg_s03', 'end_turn', [{ type: 'text', text: 'The end.' }]],
    ['msg_s04', 'end_turn', [{ type: 'text', text: 'done' }]],
    ['msg_s05', 'end_turn', [{ type: 'text', text: 'done' }]],
  ]);
});

test('an error turn fails as an endpoint would, and the next request gets the next turn', async () => {
  const error = { status: 529, type: 'overloaded_error', message: 'Overloaded' };
  const model = createScriptedModel([{ error }, [{ type: 'text', text: 'back' }]]);
  await expect(answerOf(model, requests.record())).rejects.toMatchObject({
    code: 'MODEL_FAILED',
    message: 'The script is overloaded (529 overloaded_error: Overloaded).',
  });
  const { response } = await answerOf(model, requests.record());
  expect(response.content).toEqual([{ type: 'text', text: 'back' }]);
});

test('an abort between two pieces of text ends the response with the reason of the signal', async () => {
  const model = createScriptedModel([[{ type: 'text', text: 'a long text' }]]);
  const controller = new AbortController();
  const reason = new Error('interrupted');
  const texts: string[] = [];
  const reading = (async () => {
    for await (const event of model.respond(requests.record(), controller.signal)) {
      if (event.kind === 'text') texts.push(event.text);
      controller.abort(reason);
    }
  })();
  await expect(reading).rejects.toBe(reason);
  expect(texts).toHaveLength(1);
});

test('a request that was not recorded gets no answer, even through a cast', async () => {
  const model = createScriptedModel([]);
  const forged = { ...requests.record() } as ReturnType<Requests['record']>;
  await expect(answerOf(model, forged)).rejects.toMatchObject({ code: 'INTERNAL' });
});

test('a good file is read as its turns', async () => {
  const turns = [
    [{ type: 'text', text: 'a' }],
    { content: [{ type: 'tool_use', name: 'Read', input: {} }], stop_reason: 'max_tokens' },
    { error: { message: 'no' } },
    [],
  ];
  expect(await read(JSON.stringify(turns))).toEqual(turns);
  expect(await read('[]')).toEqual([]);
});

test('every fault of a script is told at once, with place, key, expected and found', async () => {
  const script = `[
  [{"type": "txt", "text": "a"}, {"type": "text"}],
  {"content": [{"type": "tool_use", "id": 7}], "stop_reason": null},
  {"error": {"status": "529"}},
  "hello", {}
]`;
  expect((await faultsOf(script)).split('\n')).toEqual([
    'F:2:13: turns[0][0].type: expected "text" or "tool_use", found string "txt"',
    'F:2:34: turns[0][1].text: expected a string, found nothing',
    'F:3:16: turns[1].content[0].name: expected a string, found nothing',
    'F:3:43: turns[1].content[0].id: expected a string, found number 7',
    'F:3:16: turns[1].content[0].input: expected the input of the tool, found nothing',
    'F:3:63: turns[1].stop_reason: expected a string, found null',
    'F:4:13: turns[2].error.message: expected a string, found nothing',
    'F:4:24: turns[2].error.status: expected a number, found string "529"',
    'F:5:3: turns[3]: expected a list of content blocks, or an object, found string "hello"',
    'F:5:12: turns[4].content: expected a list of content blocks, found nothing',
  ]);
});

test.each([
  ['', 'F:1:1: expected JSON, found the end of the text (ValueExpected)'],
  ['{"turns": []}', 'F:1:1: turns: expected a list of turns, found an object'],
  ['[\n  [],,\n]', 'F:2:6: expected JSON, found "," (ValueExpected)'],
  ['[] // no comments', 'F:1:4: expected JSON, found "// no comments" (InvalidCommentToken)'],
])('%j is no script', async (text, message) => {
  expect(await faultsOf(text)).toBe(message);
});

test('a file that is not there is told', async () => {
  const path = join(directory, 'missing.json');
  expect(await readScript(path)).toMatchObject({
    code: 'MODEL_SCRIPT_INVALID',
    message: expect.stringContaining(`The script cannot be read: ENOENT`) as string,
  });
});

test('a script that nests ten thousand levels deep is refused with its place', async () => {
  const input = '['.repeat(10_000) + ']'.repeat(10_000);
  expect(await faultsOf(`[[\n{"type":"tool_use","name":"Read","input":${input}}]]`)).toBe(
    'F:2:239: expected at most 200 levels of lists and objects, found more',
  );
  expect(await faultsOf('['.repeat(10_000))).toMatch(/^F:1:201: /);
});

test('brackets in a text are no levels', async () => {
  expect(await read(JSON.stringify([[{ type: 'text', text: '["\\"['.repeat(300) }]]))).toHaveLength(1);
});
