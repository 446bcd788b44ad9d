/**
 * The floor: the least that an agent loop can do through the SDK. No rules, no audit, no settings, no limits.
 *   node floor-agent.mjs URL SPEC PROMPT
 * SPEC is a JSON file: { "hooks": ["shell command", …], "streams": true }. Each tool call starts all hooks at once
 * (payload on stdin), waits for them, then runs the tool.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import Anthropic from '@anthropic-ai/sdk';

const [url, specFile, prompt] = process.argv.slice(2);
const { hooks, streams } = JSON.parse(readFileSync(specFile, 'utf8'));
const client = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 });

const text = { type: 'string' };
const tools = [
  {
    name: 'Read',
    description: 'Reads a file.',
    input_schema: { type: 'object', properties: { file_path: text } },
  },
  {
    name: 'Bash',
    description: 'Runs a command.',
    input_schema: { type: 'object', properties: { command: text } },
  },
];

function shell(command, input) {
  return new Promise((done) => {
    const child = spawn('/bin/sh', ['-c', command], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
    });
    child.stderr.resume();
    child.stdin.on('error', () => undefined).end(input);
    child.on('close', () => done(output));
  });
}

async function answer({ id, name, input }) {
  const payload = { hook_event_name: 'PreToolUse', cwd: process.cwd(), tool_name: name, tool_input: input };
  await Promise.all(hooks.map((command) => shell(command, JSON.stringify(payload))));
  const output = name === 'Read' ? await readFile(input.file_path, 'utf8') : await shell(input.command, '');
  return { type: 'tool_result', tool_use_id: id, content: output || '(no output)' };
}

const messages = [{ role: 'user', content: prompt }];
for (;;) {
  const request = { model: 'scripted', max_tokens: 1024, tools, messages };
  const { content } = streams
    ? await client.messages.stream(request).finalMessage()
    : await client.messages.create(request);
  messages.push({ role: 'assistant', content });
  const uses = content.filter(({ type }) => type === 'tool_use');
  if (uses.length === 0) break;
  messages.push({ role: 'user', content: await Promise.all(uses.map(answer)) });
}
