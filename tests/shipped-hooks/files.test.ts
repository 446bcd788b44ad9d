/** What every shipped hook has: a header that says how to enable it, a size that can be read, the right to run. */
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventRow, isHookEvent } from '../../src/hooks/events.ts';
import { deadMatcher } from '../../src/hooks/match.ts';
import { HOOKS, HOOKS_DIR, interpreterOf, missing, oddDirectory, run } from './run-hook.ts';

interface WrittenHandler {
  readonly type: string;
  readonly command: string;
  readonly onFailure?: 'block' | 'continue';
}

interface Settings {
  readonly hooks: Readonly<Record<string, readonly { matcher?: string; hooks: readonly WrittenHandler[] }[]>>;
}

/** The lines of the opening comment, without its marks. */
function header(hook: string): readonly string[] {
  const [, ...lines] = readFileSync(join(HOOKS_DIR, hook), 'utf8').split('\n');
  const end = lines.findIndex((line) => !/^(#|\/\/)/.test(line));
  return lines.slice(0, end).map((line) => line.replace(/^(#|\/\/) ?/, ''));
}

function settingsOf(hook: string): Settings {
  const lines = header(hook);
  const start = lines.findIndex((line) => /^Settings.*:$/.test(line));
  expect(start).toBeGreaterThan(0);
  return JSON.parse(lines.slice(start + 1).join('\n'));
}

const handlersOf = (settings: Settings) =>
  Object.values(settings.hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));

describe('the shipped hooks', () => {
  it('are at least ten, in at least four languages', () => {
    expect(HOOKS.length).toBeGreaterThanOrEqual(10);
    expect(new Set(HOOKS.map(interpreterOf))).toEqual(new Set(['node', 'perl', 'python3', 'sh']));
  });

  it('stand in the table of their README, each one', () => {
    const readme = readFileSync(join(HOOKS_DIR, 'README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]);
    expect(rows.toSorted()).toEqual([...HOOKS].sort());
  });

  it.each(readdirSync(HOOKS_DIR).filter((name) => /\.(py|pl|sh|mjs)$/.test(name)))(
    '%s is under 60 lines, without CRLF',
    (name) => {
      const text = readFileSync(join(HOOKS_DIR, name), 'utf8');
      expect(text.split('\n').length - 1).toBeLessThan(60);
      expect(text).not.toContain('\r');
    },
  );
});

describe.each(HOOKS)('%s', (hook) => {
  it('may be executed and names its interpreter', () => {
    expect(statSync(join(HOOKS_DIR, hook)).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(HOOKS_DIR, hook), 'utf8')).toMatch(
      /^#!(\/bin\/sh|\/usr\/bin\/env (python3|perl|node))\n/,
    );
  });

  it('has a header that names events that exist, the same ones as its settings lines', () => {
    const lines = header(hook);
    const events = (lines[0] ?? '').replace(/^Event: /, '').split(', ');
    expect(events.filter((event) => !isHookEvent(event))).toEqual([]);
    expect(lines[1]).toMatch(/^Does: ./);
    expect(Object.keys(settingsOf(hook).hooks)).toEqual(events);
  });

  it('has settings lines that say nothing unknown', () => {
    const settings = settingsOf(hook);
    expect(Object.keys(settings)).toEqual(['hooks']);
    const handlers = handlersOf(settings);
    expect(handlers.length).toBeGreaterThan(0);
    const known = ['type', 'command', 'timeout', 'onFailure', 'async'];
    for (const handler of handlers) {
      expect(Object.keys(handler).filter((key) => !known.includes(key))).toEqual([]);
      // `ask` would void the file for Claude Code.
      expect(handler).not.toHaveProperty('onFailure', 'ask');
      expect(handler.command).toContain(`"$CLAUDE_PROJECT_DIR"/.hookd/hooks/${hook}`);
    }
  });

  it('has matchers that match here, and an onFailure that means something', () => {
    for (const [event, groups] of Object.entries(settingsOf(hook).hooks)) {
      if (!isHookEvent(event)) throw new Error(event);
      for (const { matcher, hooks } of groups) {
        expect(deadMatcher(event, matcher)).toBe(undefined);
        for (const { onFailure = 'continue' } of hooks)
          expect(eventRow(event).failureCan).toContain(onFailure);
      }
    }
  });

  it('is started by its settings lines, also where the path of the project holds blanks', async ({
    skip,
  }) => {
    skip(missing(hook) !== undefined, missing(hook));
    const project = oddDirectory();
    mkdirSync(join(project, '.hookd'));
    cpSync(HOOKS_DIR, join(project, '.hookd/hooks'), { recursive: true });
    for (const { command } of handlersOf(settingsOf(hook))) {
      const ran = await run('bash', ['-c', command], '[]', {
        cwd: project,
        env: { CLAUDE_PROJECT_DIR: project, HOOK_NOTIFY_LOG: join(project, 'log') },
      });
      // Each says in its own words that it cannot read this, unless it reads nothing.
      expect([ran.code, ran.stderr.split(':')[0]]).toEqual(
        hook === 'prompt-context.sh'
          ? [0, '']
          : [/guard|meter/.test(hook) ? 2 : 1, hook.replace(/\.\w+$/, '')],
      );
    }
  });
});
