/** What is said reaches the transcript's file before anything follows from it, although nothing waits for the file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { LateTranscript } from '../../src/agent/late-transcript.ts';
import { transcriptPath } from '../../src/agent/transcript-file.ts';
import type { SessionId } from '../../src/core/vocabulary.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import type { Model } from '../../src/model/model.ts';
import { createScriptedModel } from '../../src/model/scripted.ts';
import { defineTool } from '../../src/tools/tool.ts';
import { makeWorkspace, type Workspace } from '../support/hookd.ts';
import { text, toolUse } from '../support/in-process.ts';

function noting() {
  const told: string[] = [];
  const late = new LateTranscript({
    prompt: (text) => told.push(text),
    response: ({ id }) => told.push(id),
    results: (results) => told.push(...results.map(({ text }) => text)),
    added: (kind, text) => told.push(`${kind} ${text}`),
    compacted: ({ trigger }) => told.push(trigger),
  });
  return { late, told };
}

it('hands on what it was told in its order, once: when it is asked to, or at the end of this turn of the event loop', async () => {
  const { late, told } = noting();
  late.prompt('go');
  late.added('context', 'it is Monday');
  expect(told).toEqual([]);
  late.catchUp();
  expect(told).toEqual(['go', 'context it is Monday']);
  late.added('feedback', 'tests fail');
  await new Promise((resolve) => setImmediate(resolve));
  late.catchUp();
  expect(told).toEqual(['go', 'context it is Monday', 'feedback tests fail']);
});

/** What stands in each line of the only session's transcript. */
function linesIn({ home }: Workspace): string {
  const [id = ''] = readdirSync(join(home, 'sessions'));
  const lines = readFileSync(transcriptPath(home, id as SessionId), 'utf8')
    .trimEnd()
    .split('\n');
  return lines
    .map((line) => JSON.parse(line) as { message: { content: string | readonly [{ type: string }] } })
    .map(({ message: { content } }) => (typeof content === 'string' ? content : content[0].type))
    .join(', ');
}

it('the file holds what was said when a tool runs, when a request leaves, and when the turn is over', async () => {
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Look'] } } });
  const seen: string[] = [];
  const look = defineTool({
    name: 'Look',
    description: 'Looks at the transcript.',
    inputSchema: Type.Object({}),
    readOnly: false,
    specifiers: () => ({ kind: 'none' }),
    async run() {
      seen.push(`tool: ${linesIn(workspace)}`);
      return { ok: true, text: 'looked' };
    },
  });
  const scripted = createScriptedModel([[toolUse('Look', {})], [text('ok')]]);
  const model: Model = {
    async *respond(request, signal) {
      seen.push(`request: ${linesIn(workspace)}`);
      yield* scripted.respond(request, signal);
    },
  };
  const daemon = await Daemon.open({ env: workspace.env });
  const session = await daemon.startSession({
    startDirectory: workspace.project,
    flags: {},
    approvals: nobody,
    model: { model, name: 'm' },
    moreTools: [look],
    onEvent: () => undefined,
  });
  await session.prompt('go', new AbortController().signal);
  seen.push(`over: ${linesIn(workspace)}`);
  await daemon.close('test');
  expect(seen).toEqual([
    'request: go',
    'tool: go, tool_use',
    'request: go, tool_use, tool_result',
    'over: go, tool_use, tool_result, text',
  ]);
});

it('the file holds the call about which a person is asked: a question may wait for days, and hookd be killed meanwhile', async () => {
  const workspace = makeWorkspace({ settings: { permissions: { ask: ['Bash'] } } });
  const daemon = await Daemon.open({ env: workspace.env });
  const asked: string[] = [];
  const session = await daemon.startSession({
    startDirectory: workspace.project,
    flags: {},
    approvals: {
      async ask() {
        asked.push(linesIn(workspace));
        return { answer: 'deny', client: 'test' };
      },
    },
    model: {
      model: createScriptedModel([[toolUse('Bash', { command: 'true' })], [text('ok')]]),
      name: 'm',
    },
    onEvent: () => undefined,
  });
  await session.prompt('go', new AbortController().signal);
  await daemon.close('test');
  expect(asked).toEqual(['go, tool_use']);
});
