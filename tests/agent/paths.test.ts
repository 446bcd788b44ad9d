/** Paths through the whole gate: what is opened is what was judged. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeWorkspace, type Workspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const ALLOW_WRITES = { settings: { permissions: { allow: ['Write', 'Edit'] } } };

function withOutside(options = {}): Workspace & { outside: string } {
  const workspace = makeWorkspace(options);
  const outside = join(workspace.root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'secret\n');
  return { ...workspace, outside };
}

describe('a path', () => {
  it.each([
    'with blanks',
    `qu'o"te`,
    'ünï—ço dé/日本語',
    '$HOME',
    '-n',
    'a*b',
    'a\tb',
    'back\\slash',
    '%2e%2e',
    'trailing ',
  ])('named %j is written, read, edited and found as it is', async (name) => {
    const { results, workspace } = await play(
      [
        [
          toolUse('Write', { file_path: `${name}/${name}.txt`, content: 'one\n' }),
          toolUse('Edit', { file_path: `${name}/${name}.txt`, old_string: 'one', new_string: 'two' }),
          toolUse('Read', { file_path: `${name}/${name}.txt` }),
          toolUse('Glob', { pattern: '**/*.txt' }),
        ],
        [text('ok')],
      ],
      ALLOW_WRITES,
    );
    expect(results.map(({ outcome, text }) => (outcome === 'ok' ? 'ok' : text))).toEqual([
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
    expect(readFileSync(join(workspace.project, name, `${name}.txt`), 'utf8')).toBe('two\n');
    expect(results[3]?.text).toContain(`${name}.txt`);
  });

  it.each([
    ['..', () => '../outside/secret'],
    ['.. in the middle', () => 'sub/../../outside/secret'],
    ['an absolute path', ({ outside }: { outside: string }) => join(outside, 'secret')],
    ['a link to the file', () => 'link'],
    ['a link to the directory', () => 'dir/secret'],
    ['/proc/self/cwd', () => '/proc/self/cwd/../outside/secret'],
  ])('that leaves the workspace through %s is not read without a yes', async (_, path) => {
    const workspace = withOutside();
    symlinkSync(join(workspace.outside, 'secret'), join(workspace.project, 'link'));
    symlinkSync(workspace.outside, join(workspace.project, 'dir'));
    const { results } = await play([[toolUse('Read', { file_path: path(workspace) })], [text('ok')]], {
      workspace,
    });
    expect(results[0]).toMatchObject({ outcome: 'denied' });
    expect(results[0]?.text).not.toContain('secret\n');
  });

  it('that a rule denies is denied through a link and through ..', async () => {
    const workspace = makeWorkspace({
      settings: { permissions: { deny: ['Read(./.env)'] } },
      files: { '.env': 'KEY=1', 'sub/x': '' },
    });
    symlinkSync('.env', join(workspace.project, 'innocent'));
    const { results } = await play(
      [
        [
          toolUse('Read', { file_path: 'innocent' }),
          toolUse('Read', { file_path: 'sub/../.env' }),
          toolUse('Write', { file_path: '.env', content: '' }),
          toolUse('Bash', { command: 'cat innocent' }),
        ],
        [text('ok')],
      ],
      { workspace, approvals: { ask: async () => ({ answer: 'allow', client: 'test' }) } },
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['denied', 'denied', 'denied', 'denied']);
  });
});

describe('a link that is swapped between the decision and the use', () => {
  /** The person who says yes is the moment in between. */
  const swapping = (swap: () => void) => ({
    ask: async () => {
      swap();
      return { answer: 'allow' as const, client: 'test' };
    },
  });

  it('does not let a read reach another file', async () => {
    const workspace = withOutside({
      settings: { permissions: { ask: ['Read'] } },
      files: { 'a.txt': 'harmless' },
    });
    const file = join(workspace.project, 'a.txt');
    const { results } = await play([[toolUse('Read', { file_path: 'a.txt' })], [text('ok')]], {
      workspace,
      approvals: swapping(() => {
        rmSync(file);
        symlinkSync(join(workspace.outside, 'secret'), file);
      }),
    });
    expect(results[0]?.outcome).toBe('failed');
    expect(results[0]?.text).not.toContain('secret\n');
  });

  it.each(['Write', 'Edit'])('does not let a %s land elsewhere', async (tool) => {
    const workspace = withOutside({ files: { 'sub/secret': 'secret\n' } });
    const directory = join(workspace.project, 'sub');
    const input =
      tool === 'Write' ? { content: 'overwritten' } : { old_string: 'secret', new_string: 'overwritten' };
    const { results } = await play([[toolUse(tool, { file_path: 'sub/secret', ...input })], [text('ok')]], {
      workspace,
      approvals: swapping(() => {
        renameSync(directory, `${directory}.away`);
        symlinkSync(workspace.outside, directory);
      }),
    });
    expect(results[0]?.outcome).toBe('failed');
    expect(readFileSync(join(workspace.outside, 'secret'), 'utf8')).toBe('secret\n');
  });

  it('does not let a new directory be made elsewhere', async () => {
    const workspace = withOutside({ files: { 'sub/x': '' } });
    const directory = join(workspace.project, 'sub');
    const { results } = await play(
      [[toolUse('Write', { file_path: 'sub/new/deep/file', content: 'x' })], [text('ok')]],
      {
        workspace,
        approvals: swapping(() => {
          renameSync(directory, `${directory}.away`);
          symlinkSync(workspace.outside, directory);
        }),
      },
    );
    expect(results[0]?.outcome).toBe('failed');
    expect(existsSync(join(workspace.outside, 'new'))).toBe(false);
  });
});

describe('the home of hookd', () => {
  it('is denied to every tool, whatever is allowed and whatever a person says', async () => {
    const workspace = makeWorkspace({
      settings: { permissions: { allow: ['Bash', 'Read', 'Write', 'Edit'] } },
    });
    const settings = join(workspace.home, 'settings.json');
    const before = readFileSync(settings, 'utf8');
    const { results } = await play(
      [
        [
          toolUse('Read', { file_path: settings }),
          toolUse('Write', { file_path: settings, content: '{}' }),
          toolUse('Edit', { file_path: settings, old_string: 'allow', new_string: 'deny' }),
          toolUse('Glob', { pattern: '*', path: workspace.home }),
          toolUse('Bash', { command: `echo '{}' > ${settings}` }),
          toolUse('Bash', { command: `cat ${settings}` }),
          toolUse('Bash', { command: `cat "${workspace.home}"/set*` }),
        ],
        [text('ok')],
      ],
      { workspace, approvals: { ask: async () => ({ answer: 'allow', client: 'test' }) } },
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(7).fill('denied'));
    expect(readFileSync(settings, 'utf8')).toBe(before);
  });
});

describe('a file that decides what the agent may do', () => {
  const YES_TO_ALL = { permissions: { allow: ['Bash', 'Write', 'Edit'] } };

  it('is not rewritten without a yes, though it lies in the workspace: settings behind a link, and the script of a hook', async () => {
    const workspace = makeWorkspace({ files: { 'guard.sh': 'exit 0\n', 'dotfiles/settings.json': '' } });
    const settings = {
      ...YES_TO_ALL,
      hooks: {
        PreToolUse: [
          { matcher: 'Glob', hooks: [{ type: 'command', command: 'sh "$CLAUDE_PROJECT_DIR"/guard.sh' }] },
        ],
      },
    };
    const target = join(workspace.project, 'dotfiles/settings.json');
    writeFileSync(target, JSON.stringify(settings));
    symlinkSync(target, join(workspace.home, 'settings.json'));
    const { results } = await play(
      [
        [
          toolUse('Write', { file_path: 'dotfiles/settings.json', content: '{}' }),
          toolUse('Bash', { command: "echo '{}' > dotfiles/settings.json" }),
          toolUse('Write', { file_path: 'guard.sh', content: 'exit 0' }),
          toolUse('Bash', { command: 'cp /dev/null guard.sh' }),
          toolUse('Write', { file_path: 'harmless', content: '' }),
        ],
        [text('ok')],
      ],
      { workspace },
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['denied', 'denied', 'denied', 'denied', 'ok']);
  });
});
