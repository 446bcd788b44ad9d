/** Faults that hooks of other hosts have had, by the public thread that reported each, and what happens here. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '../../src/model/script.ts';
import { runningInGroup } from '../lib/children.ts';
import { makeWorkspace, type Workspace } from '../support/hookd.ts';
import { type Played, type PlayOptions, play, text, toolUse } from '../support/in-process.ts';

type Entry = Readonly<Record<string, unknown>>;

const command = (script: string, more: object = {}): Entry => ({ type: 'command', command: script, ...more });
const says = (answer: object) => command(`cat > /dev/null; echo '${JSON.stringify(answer)}'`);
const decides = (decision: object) =>
  says({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } });

/** A workspace whose user has these hooks, of any matcher. */
function withHooks(
  hooks: Readonly<Record<string, readonly Entry[]>>,
  permissions: object = { allow: ['Bash', 'Write', 'Edit'] },
): Workspace {
  const groups = Object.entries(hooks).map(([event, entries]) => [event, [{ hooks: entries }]]);
  return makeWorkspace({ settings: { permissions, hooks: Object.fromEntries(groups) } });
}

interface PlayedWithWarnings extends Played {
  readonly warnings: readonly string[];
  readonly files: readonly string[];
}

async function calls(
  workspace: Workspace,
  turns: readonly ScriptedTurn[],
  options: PlayOptions = {},
): Promise<PlayedWithWarnings> {
  const warnings: string[] = [];
  const played = await play([...turns, [text('done')]], {
    ...options,
    workspace,
    onEvent: (event) => {
      if (event.kind === 'warning') warnings.push(event.text);
    },
  });
  return { ...played, warnings, files: readdirSync(workspace.project).sort() };
}

const bash = (workspace: Workspace, line: string, options?: PlayOptions) =>
  calls(workspace, [[toolUse('Bash', { command: line })]], options);

describe('a refusal', () => {
  it('by exit 2 keeps the command from running, with the reason (anthropics/claude-code#13756)', async () => {
    const { files, results, records } = await bash(
      withHooks({ PreToolUse: [command('cat >/dev/null; echo no >&2; exit 2')] }),
      'touch marker',
    );
    expect(files).toEqual([]);
    expect(results[0]).toMatchObject({ outcome: 'denied', text: expect.stringContaining('no') });
    expect(records.find(({ kind }) => kind === 'permission')).toMatchObject({
      decision: 'deny',
      cause: { kind: 'hook' },
    });
  });

  it.each([
    ['Bash', { command: 'touch made' }],
    ['Write', { file_path: 'made', content: 'x' }],
    ['Edit', { file_path: 'there', old_string: 'a', new_string: 'b' }],
  ])('of %s leaves no trace on the disk (openai/codex#27833)', async (name, input) => {
    const workspace = withHooks({ PreToolUse: [command('exit 2')] });
    writeFileSync(join(workspace.project, 'there'), 'a');
    const { files, results } = await calls(workspace, [[toolUse(name, input)]]);
    expect(results[0]?.outcome).toBe('denied');
    expect(files).toEqual(['there']);
    expect(readFileSync(join(workspace.project, 'there'), 'utf8')).toBe('a');
  });

  it('by an interpreter that does not find its script says so, and goes with the hook (anthropics/claude-code#80697)', async () => {
    const workspace = makeWorkspace();
    const file = join(workspace.home, 'settings.json');
    const permissions = { allow: ['Bash'] };
    const hooks = { PreToolUse: [{ hooks: [command('bash -c "exec python3 /nonexistent/x.py"')] }] };
    writeFileSync(file, JSON.stringify({ permissions, hooks }));
    const { results } = await play(
      [
        [toolUse('Bash', { command: 'touch one' })],
        [toolUse('Bash', { command: 'touch two' })],
        [text('done')],
      ],
      {
        workspace,
        onEvent: ({ kind }) => {
          if (kind === 'tool_result') writeFileSync(file, JSON.stringify({ permissions }));
        },
      },
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['denied', 'ok']);
    expect(results[0]?.text).toMatch(/python3 \/nonexistent\/x\.py.*\n?.*(No such file|not found)/);
  });

  it('printed after another answer counts; two answers that refuse nothing are none (thedotmack/claude-mem#3280)', async () => {
    const twice = (second: string) =>
      withHooks({ PreToolUse: [command(`echo '{"continue":true}'; echo '${second}'`)] });
    const refused = await bash(twice('{"decision":"block","reason":"second"}'), 'touch marker');
    expect(refused.results[0]?.text).toContain('second');
    const unclear = await bash(twice('{"continue":true}'), 'touch marker');
    expect(unclear.results[0]).toMatchObject({
      outcome: 'denied',
      text: expect.stringContaining('not one JSON object'),
    });
  });
});

it('exit 1 refuses nothing, and is never silent (anthropics/claude-code#44707)', async () => {
  const { files, warnings, records } = await bash(
    withHooks({ PreToolUse: [command('echo bad >&2; exit 1')] }),
    'touch marker',
  );
  expect(files).toEqual(['marker']);
  expect(warnings.join()).toMatch(/echo bad.*exit code 1.*bad/s);
  expect(records.find(({ kind }) => kind === 'hook_run')).toMatchObject({
    end: { kind: 'exited', code: 1 },
    stderr: { head: 'bad\n' },
  });
});

describe('rules and hooks', () => {
  it('a hook that asks does not switch a deny rule off (anthropics/claude-code#39344)', async () => {
    const workspace = withHooks(
      { PreToolUse: [decides({ permissionDecision: 'ask' })] },
      { deny: ['Bash(printf REPRO*)'] },
    );
    const { results, records } = await bash(workspace, 'printf REPRO42');
    expect(results[0]?.outcome).toBe('denied');
    expect(records.map(({ kind }) => kind)).not.toContain('approval_requested');
  });

  it('a hook that allows does not lift an ask rule (anthropics/claude-code#82451)', async () => {
    const workspace = withHooks(
      { PreToolUse: [decides({ permissionDecision: 'allow' })] },
      { ask: ['Bash(touch:*)'] },
    );
    expect((await bash(workspace, 'touch x')).results[0]?.outcome).toBe('denied');
  });

  it.each([
    ['permissionDecision', decides({ permissionDecision: 'allow' })],
    ['decision: approve', says({ decision: 'approve' })],
  ])('an allow by %s is on record as the hook’s (anthropics/claude-code#28812)', async (_how, entry) => {
    const { records, files } = await bash(withHooks({ PreToolUse: [entry] }, {}), 'touch x');
    expect(files).toEqual(['x']);
    expect(records.find(({ kind }) => kind === 'permission')).toMatchObject({
      decision: 'allow',
      cause: { kind: 'hook', hook: { event: 'PreToolUse' } },
    });
  });
});

describe('a rewrite', () => {
  const rewrite = decides({ permissionDecision: 'allow', updatedInput: { command: 'touch modified' } });

  it.each([
    ['before a sibling that prints {} (anthropics/claude-code#15897)', [rewrite, says({})]],
    ['after a sibling that prints {} (anthropics/claude-code#15897)', [says({}), rewrite]],
    ['beside a silent sibling (anthropics/claude-code#16117)', [rewrite, command('exit 0')]],
  ])('%s is carried out', async (_where, entries) => {
    const { files } = await bash(withHooks({ PreToolUse: entries }), 'touch original');
    expect(files).toEqual(['modified']);
  });

  it('without the command is refused by the name of its hook, and nothing runs (anthropics/claude-code#30770)', async () => {
    const workspace = withHooks({ PreToolUse: [decides({ updatedInput: { timeout: 5 } })] });
    const { files, results } = await bash(workspace, 'touch original');
    expect(files).toEqual([]);
    expect(results[0]).toMatchObject({
      outcome: 'denied',
      text: expect.stringMatching(/command.*updatedInput/s),
    });
  });
});

describe('what a hook reads', () => {
  it('is whole for each of 20 at once (anthropics/claude-code#42702)', async () => {
    const entries = Array.from({ length: 20 }, (_, n) => command(`sha256sum > sum.${n}`));
    const workspace = withHooks({ PreToolUse: entries });
    await bash(workspace, 'true');
    const sums = Array.from({ length: 20 }, (_, n) =>
      readFileSync(join(workspace.project, `sum.${n}`), 'utf8'),
    );
    expect(new Set(sums).size).toBe(1);
    expect(sums[0]).not.toMatch(/^e3b0c442/);
  });

  it('can be opened by name, and its answer written by name (nodejs/node#21941)', async () => {
    const script = 'c=$(grep -o "touch [a-z]*" </dev/stdin | head -1); echo "no: $c" >/dev/stderr; exit 2';
    const { results } = await bash(withHooks({ PreToolUse: [command(script)] }), 'touch marker');
    expect(results[0]?.text).toContain('no: touch marker');
  });

  it('is one line, whatever the command holds (st0012/cctop#262)', async () => {
    const workspace = withHooks({
      PreToolUse: [command('IFS= read -r l; printf %s "$l" > line; wc -l < /dev/stdin > lines')],
    });
    await bash(workspace, "echo 'a\nb' ü");
    const line = readFileSync(join(workspace.project, 'line'), 'utf8');
    expect(JSON.parse(line)).toMatchObject({ tool_input: { command: "echo 'a\nb' ü" } });
    expect(readFileSync(join(workspace.project, 'lines'), 'utf8').trim()).toBe('1');
  });

  it('may be left unread by many, a megabyte of it (anthropics/claude-code#2834, eneskirca/nodeterm#187)', async () => {
    const entries = Array.from({ length: 20 }, (_, n) => command(`exit 0 # ${n}`));
    const workspace = withHooks({ PreToolUse: entries, PostToolUse: entries });
    const { results, warnings } = await calls(workspace, [
      [toolUse('Write', { file_path: 'big', content: 'x'.repeat(2 ** 20) })],
    ]);
    expect(results[0]?.outcome).toBe('ok');
    expect(warnings).toEqual([]);
  });

  it('comes after no greeting of start-up files in its answer (anthropics/claude-code#21992)', async () => {
    const workspace = withHooks({ PreToolUse: [says({ decision: 'block', reason: 'mine' })] });
    const user = join(workspace.home, '..');
    for (const name of ['.bashrc', '.profile', '.bash_profile', 'env'])
      writeFileSync(join(user, name), 'echo hello\n');
    const env = { ...workspace.env, BASH_ENV: join(user, 'env'), ENV: join(user, 'env') };
    const { records, results } = await bash({ ...workspace, env }, 'touch x');
    expect(results[0]?.text).toContain('mine');
    expect(JSON.stringify(records.find(({ kind }) => kind === 'hook_run'))).not.toContain('hello');
  });

  it('has the canonical name and an absolute path, whatever the model calls the tool (openai/codex#26733)', async () => {
    const workspace = makeWorkspace({
      settings: {
        hooks: { PreToolUse: [{ matcher: 'Edit|Write', hooks: [command('cat >> seen; exit 2')] }] },
      },
    });
    await calls(workspace, [
      [toolUse('write_file', { path: 'a', content: 'x' })],
      [toolUse('edit_file', { path: 'a', old_text: 'x', new_text: 'y' })],
    ]);
    const seen = readFileSync(join(workspace.project, 'seen'), 'utf8').trimEnd().split('\n');
    expect(seen.map((line) => JSON.parse(line))).toMatchObject([
      { tool_name: 'Write', tool_input: { file_path: join(workspace.project, 'a') } },
      { tool_name: 'Edit', tool_input: { file_path: join(workspace.project, 'a') } },
    ]);
  });
});

describe('time', () => {
  it('one of eight hooks that hangs is ended in time, and the others count (anthropics/claude-code#85250)', async () => {
    const quick = Array.from({ length: 7 }, (_, n) => command(`touch ran.${n}`));
    const workspace = withHooks({ PreToolUse: [command('exec sleep 1000', { timeout: 0.5 }), ...quick] });
    const { results, files, records } = await bash(workspace, 'true');
    expect(results[0]?.outcome).toBe('denied');
    expect(files).toHaveLength(7);
    expect(records.filter(({ kind }) => kind === 'hook_run').map(({ end }) => end)).toContainEqual({
      kind: 'timedOut',
    });
  });

  it('a Stop hook whose time is up takes its children with it (anthropics/claude-code#24206)', async () => {
    const workspace = withHooks({ Stop: [command('sleep 300 & echo $$ > pid; wait', { timeout: 0.5 })] });
    const { end } = await calls(workspace, []);
    expect(end.reason).toBe('completed');
    expect(runningInGroup(Number(readFileSync(join(workspace.project, 'pid'), 'utf8')))).toEqual([]);
  });
});

describe('Stop', () => {
  it('a hook that always objects is told so, and the turn ends all the same (anthropics/claude-code#2956)', async () => {
    const workspace = withHooks({ Stop: [command('cat >> seen; exit 2')] });
    const { end, warnings } = await calls(workspace, []);
    expect(end.requests).toBe(9);
    expect(warnings.join()).toContain('maxStopBlocks');
    const seen = readFileSync(join(workspace.project, 'seen'), 'utf8').trimEnd().split('\n');
    expect(seen.map((line) => (JSON.parse(line) as { stop_hook_active: boolean }).stop_hook_active)).toEqual([
      false,
      ...Array(8).fill(true),
    ]);
  });

  it.each([
    ['says nothing (anthropics/claude-code#43906)', command('exit 0')],
    ['says continue: true (thedotmack/claude-mem#1288)', says({ continue: true, suppressOutput: true })],
  ])('a hook that %s does not send the model on', async (_what, entry) => {
    const { end, messages } = await calls(withHooks({ Stop: [entry] }), []);
    expect(end).toMatchObject({ reason: 'completed', requests: 1 });
    expect(messages).toHaveLength(2);
  });
});

describe('PostToolUse', () => {
  it('what it writes at exit 2 is in the next request and in the transcript (openai/codex#46455)', async () => {
    const workspace = withHooks({
      PostToolUse: [command('echo CANARY >&2; exit 2')],
      Stop: [command('cp "$(grep -o \'/[^"]*[.]jsonl\' | head -1)" transcript')],
    });
    const { messages, files } = await bash(workspace, 'touch made');
    expect(JSON.stringify(messages[2])).toContain('CANARY');
    expect(readFileSync(join(workspace.project, 'transcript'), 'utf8')).toContain('CANARY');
    expect(files).toContain('made');
  });

  it('a tool that fails is no error of the hook (anthropics/claude-code#33656)', async () => {
    const workspace = withHooks({
      PostToolUse: [command('exit 0')],
      PostToolUseFailure: [command('exit 0')],
    });
    const { results, warnings, records } = await bash(workspace, 'false');
    expect(results[0]?.outcome).toBe('failed');
    expect(warnings).toEqual([]);
    expect(records.filter(({ kind }) => kind === 'hook_run')).toHaveLength(1);
  });
});

describe('settings of hooks', () => {
  it('a type in the wrong case is an error at the start, with its place (google-gemini/gemini-cli#13155)', async () => {
    const workspace = withHooks({ PreToolUse: [{ type: 'Command', command: 'x' }, command('touch other')] });
    await expect(bash(workspace, 'true')).rejects.toThrow(
      /hooks\.PreToolUse\[0\]\.hooks\[0\]\.type.*"Command".*Did you mean "command"\?/,
    );
  });

  it('a type that is not supported counts as a guard that fails, and the other hooks run', async () => {
    const workspace = withHooks({ PreToolUse: [{ type: 'prompt', prompt: 'x' }, command('touch other')] });
    const { warnings, results } = await bash(workspace, 'true');
    expect(warnings.join()).toMatch(/hooks\.PreToolUse\[0\]\.hooks\[0\]\.type.*"prompt"/);
    expect(existsSync(join(workspace.project, 'other'))).toBe(true);
    expect(results[0]?.outcome).toBe('denied');
  });

  it('an event that nobody knows is named once, and the others work (gsd-build/get-shit-done#1295)', async () => {
    const workspace = withHooks({ BeforeTool: [command('exit 2')], PreToolUse: [command('exit 2')] });
    const { warnings, results } = await bash(workspace, 'true');
    expect(warnings.filter((warning) => warning.includes('BeforeTool'))).toHaveLength(1);
    expect(results[0]?.outcome).toBe('denied');
  });
});
