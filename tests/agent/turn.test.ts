import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { succeeded } from '../../src/tools/run-context.ts';
import { defineTool } from '../../src/tools/tool.ts';
import { makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const ALLOW_TOUCH = { settings: { permissions: { allow: ['Bash(touch:*)', 'Write', 'Edit'] } } };

describe('the loop', () => {
  it('runs the calls of a response one after another, and answers them in one message, in the order of the model', async () => {
    const { messages, workspace } = await play(
      [
        [
          toolUse('Write', { file_path: 'a', content: '1' }, 'u1'),
          toolUse('Edit', { file_path: 'a', old_string: '1', new_string: '2' }, 'u2'),
          toolUse('Read', { file_path: 'a' }, 'u3'),
        ],
        [text('done')],
      ],
      ALLOW_TOUCH,
    );
    expect(readFileSync(join(workspace.project, 'a'), 'utf8')).toBe('2');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(messages[2]?.content).toMatchObject([
      { tool_use_id: 'u1' },
      { tool_use_id: 'u2' },
      { tool_use_id: 'u3' },
    ]);
  });

  it('stops at its limit of requests with every use answered', async () => {
    const turns = Array.from({ length: 5 }, () => [toolUse('Glob', { pattern: '*' })]);
    const { end, messages } = await play(turns, { settings: { maxTurns: 3 } });
    expect(end).toMatchObject({ reason: 'max_turns', requests: 3 });
    expect(messages).toHaveLength(7);
  });

  it('ends with the error of the model, on record', async () => {
    const { end, records } = await play([
      { error: { status: 401, type: 'authentication_error', message: 'no' } },
    ]);
    expect(end.reason).toBe('error');
    expect(records.find(({ kind }) => kind === 'model_failed')).toMatchObject({ code: 'MODEL_FAILED' });
  });

  it('refuses a call whose judging breaks, and puts the fault into the operational log', async () => {
    const { results, workspace } = await play([[toolUse('Bash', { command: 'touch x' })], [text('ok')]], {
      approvals: {
        ask: async () => {
          throw new Error('a fault in the question');
        },
      },
    });
    expect(results).toEqual([
      { outcome: 'denied', text: 'The call was refused, because judging it failed: a fault in the question' },
    ]);
    expect(existsSync(join(workspace.project, 'x'))).toBe(false);
    const log = JSON.parse(readFileSync(join(workspace.home, 'hookd.log'), 'utf8')) as {
      err: { stack: string };
    };
    expect(log.err.stack).toContain('a fault in the question');
  });

  it('takes a sixth tool without knowing it: one definition, one line', async () => {
    const shout = defineTool({
      name: 'Shout',
      aliases: { names: ['shout'], fields: { words: 'text' } },
      description: 'Says it louder.',
      inputSchema: Type.Object({ text: Type.String() }),
      readOnly: true,
      specifiers: () => ({ kind: 'none' }),
      run: async ({ text }) => succeeded(text.toUpperCase()),
    });
    const { results } = await play(
      [[toolUse('Shout', { text: 'a' }), toolUse('shout', { words: 'b' })], [text('ok')]],
      { moreTools: [shout] },
    );
    expect(results).toEqual([
      { outcome: 'ok', text: 'A' },
      { outcome: 'ok', text: 'B' },
    ]);
  });

  it('resolves the aliases of the five tools and of their fields', async () => {
    const { results, workspace } = await play(
      [
        [
          toolUse('write_file', { path: 'n.txt', content: 'old' }),
          toolUse('edit_file', { path: 'n.txt', old_text: 'old', new_text: 'new' }),
          toolUse('read_file', { path: 'n.txt' }),
          toolUse('glob', { pattern: '*.txt' }),
          toolUse('bash', { command: 'cat n.txt' }),
        ],
        [text('ok')],
      ],
      ALLOW_TOUCH,
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    expect(readFileSync(join(workspace.project, 'n.txt'), 'utf8')).toBe('new');
  });
});

describe('a rule saved between two calls', () => {
  it('governs the very next one', async () => {
    const workspace = makeWorkspace(ALLOW_TOUCH);
    const settings = join(workspace.home, 'settings.json');
    const { results, records } = await play(
      [[toolUse('Bash', { command: 'touch one' }), toolUse('Bash', { command: 'touch two' })], [text('ok')]],
      {
        workspace,
        onEvent: (event) => {
          if (
            event.kind === 'tool_result' &&
            event.use.input !== undefined &&
            JSON.stringify(event.use.input).includes('one')
          ) {
            writeFileSync(
              settings,
              JSON.stringify({ permissions: { allow: ['Bash(touch:*)'], deny: ['Bash(touch two)'] } }),
            );
          }
        },
      },
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'denied']);
    expect(records.find(({ kind }) => kind === 'settings_changed')).toMatchObject({
      added: ['deny Bash(touch two)'],
    });
    expect(existsSync(join(workspace.project, 'two'))).toBe(false);
  });

  it('that is broken leaves the last good ones in force, on record and told', async () => {
    const workspace = makeWorkspace({
      settings: { permissions: { allow: ['Bash(touch:*)'], deny: ['Bash(touch two)'] } },
    });
    const warnings: string[] = [];
    const { results, records } = await play(
      [[toolUse('Bash', { command: 'touch one' }), toolUse('Bash', { command: 'touch two' })], [text('ok')]],
      {
        workspace,
        onEvent: (event) => {
          if (event.kind === 'warning') warnings.push(event.text);
          if (event.kind === 'tool_result')
            writeFileSync(join(workspace.home, 'settings.json'), '{ "permissions": { "allow": ["Bash"] }');
        },
      },
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'denied']);
    expect(records.filter(({ kind }) => kind === 'settings_rejected')).toHaveLength(1);
    expect(warnings.join()).toContain('settings.json:1:');
  });

  it('bites after a yes, when it was saved while a person thought about it', async () => {
    const workspace = makeWorkspace();
    const { results, records } = await play([[toolUse('Bash', { command: 'touch x' })], [text('ok')]], {
      workspace,
      approvals: {
        ask: async () => {
          writeFileSync(
            join(workspace.home, 'settings.json'),
            JSON.stringify({ permissions: { deny: ['Bash(touch:*)'] } }),
          );
          return { answer: 'allow', client: 'test' };
        },
      },
    });
    expect(results[0]?.outcome).toBe('denied');
    expect(existsSync(join(workspace.project, 'x'))).toBe(false);
    expect(records.find(({ kind }) => kind === 'permission')).toMatchObject({
      decision: 'deny',
      cause: { kind: 'rule' },
    });
  });
});
