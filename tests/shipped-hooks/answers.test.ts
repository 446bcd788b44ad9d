/** What the shipped hooks that are no guards answer: payload in, exit code, answer and words out. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterTool, bashResponse, beforeTool, COMMON, missing, oddDirectory, runHook } from './run-hook.ts';

const SILENT = { code: 0, stdout: '', stderr: '' };
const specific = (stdout: string) => JSON.parse(stdout).hookSpecificOutput;

describe.concurrent('bash-timeout.pl', () => {
  it.for([
    ['ls', 120_000],
    ['npm test', 600_000],
    ['cd x && make -j4', 600_000],
    ['echo "žluť 🐎" # "quotes"', 120_000],
  ] as const)(
    'gives %j a timeout of %i ms and keeps the rest of the input',
    async ([command, timeout], { skip }) => {
      skip(missing('bash-timeout.pl') !== undefined, missing('bash-timeout.pl'));
      const input = { command, description: 'né', dangerouslyDisableSandbox: false, later: null, count: 1.5 };
      const { code, stdout, stderr } = await runHook('bash-timeout.pl', beforeTool('Bash', input));
      expect([code, stderr]).toEqual([0, '']);
      expect(specific(stdout)).toEqual({ hookEventName: 'PreToolUse', updatedInput: { ...input, timeout } });
    },
  );

  it.for([{ timeout: 5000 }, { run_in_background: true }])('leaves %j alone', async (more, { skip }) => {
    skip(missing('bash-timeout.pl') !== undefined, missing('bash-timeout.pl'));
    expect(await runHook('bash-timeout.pl', beforeTool('Bash', { command: 'ls', ...more }))).toEqual(SILENT);
  });

  it('is content with its own answer', async ({ skip }) => {
    skip(missing('bash-timeout.pl') !== undefined, missing('bash-timeout.pl'));
    const { stdout } = await runHook('bash-timeout.pl', beforeTool('Bash', { command: 'ls' }));
    const again = beforeTool('Bash', specific(stdout).updatedInput);
    expect(await runHook('bash-timeout.pl', again)).toEqual(SILENT);
  });
});

describe.concurrent('large-output.py', () => {
  it('tells the model of a large result and what to do', async ({ skip }) => {
    skip(missing('large-output.py') !== undefined, missing('large-output.py'));
    const payload = afterTool('Bash', { command: 'ls' }, bashResponse('é'.repeat(25_000), 'x'));
    const { stdout } = await runHook('large-output.py', payload);
    expect(specific(stdout)).toEqual({
      hookEventName: 'PostToolUse',
      additionalContext:
        'This result of Bash is large: 25,001 characters. Send output to a file and look at a part (head, tail, grep), or make the command quieter.',
    });
  });

  it('counts text wherever it stands in the response, against the limit it is given', async ({ skip }) => {
    skip(missing('large-output.py') !== undefined, missing('large-output.py'));
    const payload = afterTool('Read', {}, { type: 'text', file: { content: 'x'.repeat(96), numLines: 1 } });
    expect((await runHook('large-output.py', payload, { args: ['99'] })).stdout).toContain('100 characters');
    expect(await runHook('large-output.py', payload, { args: ['100'] })).toEqual(SILENT);
  });
});

describe.concurrent('tidy-output.mjs', () => {
  it.for([
    ['colours', '\x1b[1;32mok\x1b[0m done', 'ok done'],
    ['titles and links', '\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b', 'ab'],
    ['overwritten progress', '10%\r50%\r100%\nready\r\n', '100%\nready\n'],
    ['repeated lines', 'same\n'.repeat(5), 'same\n... (5 times)\n'],
  ] as const)('takes away %s', async ([, before, after], { skip }) => {
    skip(missing('tidy-output.mjs') !== undefined, missing('tidy-output.mjs'));
    const { code, stdout, stderr } = await runHook(
      'tidy-output.mjs',
      afterTool('Bash', { command: 'x' }, bashResponse(before)),
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(specific(stdout)).toEqual({
      hookEventName: 'PostToolUse',
      updatedToolOutput: bashResponse(after),
    });
  });

  it('says nothing about output that is tidy, or an image', async ({ skip }) => {
    skip(missing('tidy-output.mjs') !== undefined, missing('tidy-output.mjs'));
    const tidy = bashResponse('žluť 🐎\n\n\n\n\n[1;32m\n\tend\n');
    const image = { ...bashResponse('\x1b[1m'), isImage: true };
    expect(await runHook('tidy-output.mjs', afterTool('Bash', {}, tidy))).toEqual(SILENT);
    expect(await runHook('tidy-output.mjs', afterTool('Bash', {}, image))).toEqual(SILENT);
  });
});

describe.concurrent('format-edited.py', () => {
  /** A project with a formatter of its own, which writes what it was told beside the file. */
  function project(script: string) {
    const directory = oddDirectory();
    mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true });
    const formatter = join(directory, 'node_modules/.bin/prettier');
    writeFileSync(formatter, `#!/bin/sh\nfor file; do :; done\n${script}\n`);
    chmodSync(formatter, 0o755);
    const file = join(directory, 'a b.md');
    writeFileSync(file, '*  a\n');
    const payload = afterTool('Write', { file_path: file, content: '*  a\n' }, {}, { cwd: directory });
    return { directory, file, payload, env: { CLAUDE_PROJECT_DIR: directory } };
  }

  it('formats with what the project brings, and tells the model', async ({ skip }) => {
    skip(missing('format-edited.py') !== undefined, missing('format-edited.py'));
    const { file, payload, env } = project(`echo '- a' > "$file"`);
    const { stdout } = await runHook('format-edited.py', payload, { env });
    expect(readFileSync(file, 'utf8')).toBe('- a\n');
    expect(specific(stdout)).toEqual({
      hookEventName: 'PostToolUse',
      additionalContext: `${file} was formatted by prettier: read it again before you edit it.`,
    });
  });

  it('passes on why a formatter failed', async ({ skip }) => {
    skip(missing('format-edited.py') !== undefined, missing('format-edited.py'));
    const { file, payload, env } = project('echo "line 3: unclosed" >&2; exit 2');
    const { stdout } = await runHook('format-edited.py', payload, { env });
    expect(specific(stdout).additionalContext).toBe(`prettier could not format ${file}: line 3: unclosed`);
  });

  it('is silent where nothing changes, no formatter is found, or the file is gone', async ({ skip }) => {
    skip(missing('format-edited.py') !== undefined, missing('format-edited.py'));
    const { directory, payload, env } = project(':');
    const other = (name: string) => afterTool('Edit', { file_path: join(directory, name) }, {});
    writeFileSync(join(directory, 'a.unknown'), '');
    expect(await runHook('format-edited.py', payload, { env })).toEqual(SILENT);
    expect(await runHook('format-edited.py', other('a.unknown'), { env })).toEqual(SILENT);
    expect(await runHook('format-edited.py', other('gone.md'), { env })).toEqual(SILENT);
  });
});

describe.concurrent('prompt-context.sh', () => {
  const payload = { ...COMMON, hook_event_name: 'UserPromptSubmit', prompt: 'hello' };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd, stdio: 'pipe' });

  it('tells date, branch and uncommitted files, and runs no program that the repository names', async () => {
    const directory = oddDirectory();
    git(directory, 'init', '-q', '-b', 'topic');
    git(directory, 'config', 'core.fsmonitor', 'touch was-here; false');
    writeFileSync(join(directory, 'a'), '');
    writeFileSync(join(directory, 'b'), '');
    const ran = await runHook('prompt-context.sh', payload, { env: { CLAUDE_PROJECT_DIR: directory } });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(
      /^Date: \w+, \d{4}-\d\d-\d\d \d\d:\d\d \S+\nGit branch: topic\nUncommitted files: 2\n$/,
    );
  });

  it('names a commit where there is no branch', async () => {
    const directory = oddDirectory();
    git(directory, 'init', '-q');
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(directory, 'checkout', '-q', '--detach');
    const ran = await runHook('prompt-context.sh', payload, { env: { CLAUDE_PROJECT_DIR: directory } });
    expect(ran.stdout).toMatch(/\nGit branch: none \(detached at [0-9a-f]+\)\nUncommitted files: 0\n$/);
  });

  it('tells only the date outside a repository', async () => {
    const ran = await runHook('prompt-context.sh', payload, { env: { CLAUDE_PROJECT_DIR: oddDirectory() } });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(/^Date: .*\n$/);
  });
});

describe.concurrent('tests-before-stop.py', () => {
  const stop = (stop_hook_active: boolean) => ({ ...COMMON, hook_event_name: 'Stop', stop_hook_active });
  const hook = 'tests-before-stop.py';

  it('sends the model on when the tests fail, with the end of their output', async ({ skip }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const command = 'yes | head -n 9000; echo "1 test failed: ünï"; exit 3';
    const { code, stdout } = await runHook(hook, stop(false), { args: [command] });
    const { decision, reason } = JSON.parse(stdout);
    expect([code, decision]).toEqual([0, 'block']);
    expect(reason).toMatch(/fails \(exit code 3\)\. Mend it before you finish\..*\n1 test failed: ünï$/s);
    expect(reason.length).toBeLessThan(4_300);
  });

  it('lets the turn end when they pass, or when it was sent on before: then it runs nothing', async ({
    skip,
  }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const directory = oddDirectory();
    const env = { CLAUDE_PROJECT_DIR: directory };
    expect(await runHook(hook, stop(false), { args: ['touch ran'], env })).toEqual(SILENT);
    expect(readFileSync(join(directory, 'ran'), 'utf8')).toBe('');
    expect(await runHook(hook, stop(true), { args: ['rm ran; false'], env })).toEqual(SILENT);
    expect(readFileSync(join(directory, 'ran'), 'utf8')).toBe('');
  });

  it.for([
    ['no command', [], 'give the test command as an argument'],
    ['a command that is not there', ['no-such-program'], '`no-such-program` cannot be started'],
  ] as const)('does not trouble the model with %s', async ([, args, words], { skip }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const { code, stdout, stderr } = await runHook(hook, stop(false), { args });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(words);
  });

  it('does not wait for what a test left running', async ({ skip }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const command = 'sleep 60 & echo $!; false';
    const { stdout } = await runHook(hook, stop(false), { args: [command] });
    const pid = Number(JSON.parse(stdout).reason.split('\n').at(-1));
    // It still runs: signalling it succeeds.
    expect(process.kill(pid, 'SIGKILL')).toBe(true);
  });
});
