/** The commands of the documents do what the documents say: each page's shell blocks, in order, in a fresh home and project. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HOOKD } from './support/hookd.ts';
import { startMessagesApi } from './support/messages-api.ts';

const ROOT = resolve(import.meta.dirname, '..');

interface Page {
  readonly page: string;
  /** What the reader has at that point: files of the project, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Must be there for the page to make sense. */
  readonly needs?: readonly string[];
  /** Text that the reader sees on the way, in this order. */
  readonly sees: readonly string[];
  /** Files of hookd's repository that the page takes for granted. */
  readonly repository?: readonly string[];
}

const PAGES: readonly Page[] = [
  {
    page: 'docs/sandbox.md',
    needs: ['bwrap --ro-bind / / --unshare-all true'],
    sees: ['tried', 'Read-only file system', 'may write in the project'],
  },
  {
    page: 'docs/settings-example.md',
    repository: ['settings.example.json', 'settings.example.test.jsonl'],
    sees: ['ok'],
  },
  {
    page: 'docs/settings.md',
    files: {
      '.hookd/settings.json': JSON.stringify({
        permissions: { ask: ['Bash(git push *)'], deny: ['Read(.env)'] },
      }),
      'my-policy.jsonl': [
        '{"name": "nothing leaves the machine unasked", "tool": "Bash", "input": {"command": "npm test && git push"}, "expect": "ask"}',
        '{"tool": "Read", "input": {"file_path": ".env"}, "mode": "bypassPermissions", "expect": "deny"}',
      ].join('\n'),
      'new.json': JSON.stringify({ permissions: { deny: ['Bash(curl *)'] } }),
    },
    sees: ['Tidied.', '2 of 2', 'git push', 'calls of the log'],
  },
  {
    page: 'docs/from-claude-code.md',
    files: {
      '.claude/settings.json': JSON.stringify({
        permissions: { deny: ['Bash(git push *)'] },
        hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
      }),
    },
    sees: ['warning', 'Bash(git push *)', 'Stop', 'deny'],
  },
];

const blocksOf = (page: string): readonly string[] =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(
    (match) => match[1] ?? '',
  );

/** Runs every block with `set -e`: a command that fails fails the page. A model that says "Tidied." answers. */
async function follow({ page, files = {}, repository = [] }: Page): Promise<string> {
  const base = mkdtempSync(join(tmpdir(), 'hookd-docs-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, project, bin] = ['home', 'project', 'bin'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const directory of [home, project, bin]) mkdirSync(directory);
  writeFileSync(join(bin, 'hookd'), `#!/bin/sh\nexec '${process.execPath}' '${HOOKD}' "$@"\n`);
  chmodSync(join(bin, 'hookd'), 0o755);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), content);
  }
  for (const name of repository) writeFileSync(join(project, name), readFileSync(join(ROOT, name)));
  const api = await startMessagesApi([[{ type: 'text', text: 'Tidied.' }]]);
  onTestFinished(() => api.close());
  const model = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'not-a-real-key' };
  const env = {
    ...model,
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    HOOKD_NO_DAEMON: '1',
    LANG: 'C.UTF-8',
  };
  let seen = '';
  for (const block of blocksOf(page)) {
    const { code, output } = await run(block, project, env);
    seen += output;
    if (code !== 0) throw new Error(`${page}: exit ${code} of:\n${block}\n${seen}`);
  }
  return seen;
}

async function run(block: string, cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', block], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

const isThere = (command: string) => spawnSync('sh', ['-c', command]).status === 0;

describe('the commands of', () => {
  for (const page of PAGES) {
    const missing = (page.needs ?? []).filter((command) => !isThere(command));
    if (missing.length > 0) console.warn(`not run: ${page.page} needs what "${missing.join('", "')}" needs`);
    test.skipIf(missing.length > 0)(`${page.page} work, and show what it says`, async () => {
      expect(blocksOf(page.page).length).toBeGreaterThan(0);
      const seen = await follow(page);
      let rest = seen;
      for (const text of page.sees) {
        expect(rest).toContain(text);
        rest = rest.slice(rest.indexOf(text));
      }
    });
  }

  test('each page that has some are tried, here or in a test of their own', () => {
    const elsewhere = ['docs/PERFORMANCE.md', 'docs/api.md'];
    const withCommands = readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`)
      .filter((page) => blocksOf(page).length > 0 && !elsewhere.includes(page));
    expect(withCommands).toEqual(PAGES.map(({ page }) => page).sort());
  });
});
