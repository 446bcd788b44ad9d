/** The examples of docs/hooks.md are what they say they are. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isHookEvent } from '../../src/hooks/events.ts';
import { beforeTool, missing, oddDirectory, run } from './run-hook.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/hooks.md'), 'utf8');

const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map((match) => match[1] ?? '');

function program(language: string): string {
  const file = join(oddDirectory(), 'hook');
  writeFileSync(file, blocks(language)[0] ?? '');
  chmodSync(file, 0o755);
  return file;
}

describe('the page about hooks', () => {
  it('is not longer than it may be, and keeps the markers of its table', () => {
    expect(page.split('\n').length).toBeLessThanOrEqual(251);
    expect(page).toMatch(/^<!-- generated: hook events -->\n\|.*\|\n<!-- end generated -->$/ms);
  });

  it('shows JSON that is JSON, for events that exist', () => {
    const values = blocks('json').map((text) => JSON.parse(text));
    expect(values.length).toBeGreaterThan(3);
    const named = values.flatMap((value) => [
      ...Object.keys(value.hooks ?? {}),
      ...[value.hook_event_name, value.hookSpecificOutput?.hookEventName].filter(Boolean),
    ]);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !isHookEvent(name))).toEqual([]);
  });

  it('has a first hook in sh that refuses on main and nowhere else', async () => {
    const hook = program('bash');
    const cwd = oddDirectory();
    const payload = beforeTool('Bash', { command: 'git push' });
    expect((await run(hook, [], payload, { cwd })).code).toBe(0);
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd });
    expect(await run(hook, [], payload, { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'You are on main: make a branch first.\n',
    });
  });

  it('has a first hook in Python that asks, and refuses what it cannot read', async ({ skip }) => {
    skip(missing('git-guard.py') !== undefined, missing('git-guard.py'));
    const hook = program('python');
    const { stdout } = await run(hook, [], beforeTool('Bash', { command: 'ls /srv/production' }));
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('ask');
    expect(await run(hook, [], beforeTool('Bash', { command: 'ls' }))).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect((await run(hook, [], '{')).code).toBe(2);
  });
});
