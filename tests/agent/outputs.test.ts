/** What commands print, through the whole gate: shown as it comes, kept whole, and read again by the session that ran them. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/core/protocol.ts';
import type { SessionId } from '../../src/core/vocabulary.ts';
import { nobody } from '../../src/daemon/approvals.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import type { ScriptedTurn } from '../../src/model/script.ts';
import { createScriptedModel } from '../../src/model/scripted.ts';
import { makeWorkspace } from '../support/hookd.ts';
import { type PlayOptions, play, text, toolUse } from '../support/in-process.ts';

const LONG = 'seq 1 20000';
const ALLOWED = { settings: { permissions: { allow: ['Bash(seq *)'] } } };

/** Runs the command, then what `next` makes of the file that the result names. */
async function playLong(
  next: (path: string) => ScriptedTurn,
  { onEvent, ...options }: PlayOptions = ALLOWED,
  command = LONG,
) {
  const turns: ScriptedTurn[] = [[toolUse('Bash', { command }, 'toolu_long')]];
  let path = '';
  const played = await play(turns, {
    ...options,
    onEvent(event) {
      onEvent?.(event);
      const named = event.kind === 'tool_result' ? /is in (\S+):/.exec(event.result.text)?.[1] : undefined;
      if (named === undefined || turns.length > 1) return;
      path = named;
      turns.push(next(path), [text('ok')]);
    },
  });
  return { ...played, path };
}

describe('an output that is longer than what is shown of it', () => {
  it('ends with the file that has all of it, which Read pages through', async () => {
    const { results, path, records } = await playLong((path) => [
      toolUse('Read', { file_path: path, offset: 10_000, limit: 2 }),
    ]);
    expect(results[0]?.text).toMatch(
      /^1\n2\n[\s\S]*\n\.\.\. \(58894 characters left out\) \.\.\.\n[\s\S]*\n20000\n\(The whole output, 20000 lines, is in \S+: page through it with Read, offset and limit\.\)$/,
    );
    expect(results[1]).toEqual({ outcome: 'ok', text: '10000\n10001\n... (9999 more lines)' });
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(20_001);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(records.filter(({ kind }) => kind === 'permission').at(-1)).toMatchObject({
      decision: 'allow',
      cause: { kind: 'builtin', name: 'kept-output' },
      target: path,
    });
  });

  it('is kept whole of a command that fails, too', async () => {
    const { results } = await playLong(() => [text('ok')], ALLOWED, 'seq 1 20000; seq x');
    expect(results[0]?.outcome).toBe('failed');
    expect(results[0]?.text).toMatch(/^Exit code 1\n1\n2\n[\s\S]*The whole output, 20002 lines, is in /);
  });

  it('is nobody else’s: not of Bash, nor to be written, nor of another session', async () => {
    const { results, workspace, path } = await playLong(
      (path) => [
        toolUse('Bash', { command: `cat ${path}` }),
        toolUse('Bash', { command: `seq 1 2 >> ${path}` }),
        toolUse('Write', { file_path: path, content: 'x' }),
        toolUse('Read', { file_path: `${dirname(path)}/../${basename(join(path, '../..'))}.jsonl` }),
        toolUse('Glob', { pattern: '*', path: dirname(path) }),
      ],
      { settings: { permissions: { allow: ['Bash', 'Write', 'Read', 'Glob'] } } },
    );
    expect(results.slice(1).map(({ outcome }) => outcome)).toEqual(Array(5).fill('denied'));
    const other = await play([[toolUse('Read', { file_path: path })], [text('ok')]], { workspace });
    expect(other.results[0]?.outcome).toBe('denied');
    expect(readFileSync(path, 'utf8')).toMatch(/20000\n$/);
  });

  it('is not read where a deny rule says so', async () => {
    const deny = ['Read(~/.hookd/sessions/**)'];
    const { results } = await playLong((path) => [toolUse('Read', { file_path: path })], {
      settings: { permissions: { allow: ['Bash(seq *)'], deny } },
    });
    expect(results[1]).toMatchObject({ outcome: 'denied', text: expect.stringContaining(deny[0] ?? '') });
  });

  it('is removed when a hook puts another in its place', async () => {
    const workspace = makeWorkspace();
    const answer = {
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: { stdout: 'hidden' } },
    };
    const payload = join(workspace.root, 'payload.json');
    writeFileSync(join(workspace.root, 'answer.json'), JSON.stringify(answer));
    const command = `cat > ${payload}; cat ${workspace.root}/answer.json`;
    const settings = {
      ...ALLOWED.settings,
      hooks: { PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] },
    };
    writeFileSync(join(workspace.home, 'settings.json'), JSON.stringify(settings));
    const { results } = await play([[toolUse('Bash', { command: LONG })], [text('ok')]], { workspace });
    expect(results.map(({ text }) => text)).toEqual(['hidden']);
    const { tool_response } = JSON.parse(readFileSync(payload, 'utf8'));
    expect(tool_response).toMatchObject({ persistedOutputSize: 108_894 });
    expect(existsSync(tool_response.persistedOutputPath)).toBe(false);
    expect(readdirSync(dirname(tool_response.persistedOutputPath))).toEqual([]);
  });
});

it.each([
  ['at exit 1', [{ answer: 'R', after: '; exit 1' }], 'R'],
  ['the last of several', [{ answer: 'R1' }, { answer: 'R2' }], 'R2'],
  ['inside other text', [{ before: 'echo debug; ', answer: 'R' }], /^The output is withheld/],
  [
    'withheld by one, shown by another',
    [{ before: 'echo debug; ', answer: 'R1' }, { answer: 'R2' }],
    /withheld/,
  ],
])('an output that hooks replace is not seen: %s', async (_name, hooks, expected) => {
  const commands = hooks.map(({ before = '', answer, after = '' }: Record<string, string>) => {
    const updatedToolOutput = { stdout: answer };
    const said = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } });
    return { type: 'command', command: `${before}echo '${said}'${after}` };
  });
  const settings = { permissions: { allow: ['Bash'] }, hooks: { PostToolUse: [{ hooks: commands }] } };
  const { results, messages } = await play([[toolUse('Bash', { command: 'echo secret' })], [text('ok')]], {
    settings,
  });
  expect(results.map(({ text }) => text)).toEqual([expect.stringMatching(expected)]);
  expect(JSON.stringify(messages.slice(2))).not.toContain('secret');
});

it('what a command prints is shown while it runs, with the call that prints it', async () => {
  const shown: Extract<SessionEvent, { kind: 'tool_output' }>[] = [];
  const flag = 'seen';
  const workspace = makeWorkspace({ settings: { permissions: { allow: ['Bash'] } } });
  const command = `echo begun; until [ -e ${flag} ]; do sleep 0.05; done; echo done`;
  const { results } = await play([[toolUse('Bash', { command }, 'toolu_1')], [text('ok')]], {
    workspace,
    onEvent(event) {
      if (event.kind !== 'tool_output') return;
      shown.push(event);
      writeFileSync(join(workspace.project, flag), '');
    },
  });
  expect(results[0]?.text).toBe('begun\ndone');
  expect(shown.map(({ text }) => text).join('')).toBe('begun\ndone\n');
  expect(shown[0]).toEqual({
    kind: 'tool_output',
    use: { id: 'toolu_1', name: 'Bash', input: { command } },
    text: 'begun\n',
  });
});

it('a session that goes on reads what its commands printed before; another does not', async () => {
  const workspace = makeWorkspace(ALLOWED);
  const playIn = async (turns: readonly ScriptedTurn[], resume?: SessionId) => {
    const daemon = await Daemon.open({ env: workspace.env });
    const results: string[] = [];
    const session = await daemon.startSession({
      startDirectory: workspace.project,
      flags: {},
      approvals: nobody,
      model: { model: createScriptedModel(turns), name: 'scripted' },
      onEvent: (event) => {
        if (event.kind === 'tool_result') results.push(event.result.text);
      },
      ...(resume === undefined ? {} : { resume }),
    });
    await session.prompt('go', new AbortController().signal);
    await daemon.close('test');
    return { id: session.id, results };
  };
  const { id, results } = await playIn([[toolUse('Bash', { command: LONG }, 'toolu_1')], [text('ok')]]);
  const path = / is in (\S+):/.exec(results[0] ?? '')?.[1] ?? '';
  const read = [[toolUse('Read', { file_path: path, offset: 20_000 }, 'toolu_2')], [text('ok')]];
  expect((await playIn(read, id)).results).toEqual(['20000\n']);
  expect((await playIn(read)).results[0]).toMatch(/belongs to hookd itself/);
});
