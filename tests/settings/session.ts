/** A home, a $HOOKD_HOME and a project on the real disk, with a clock that the test moves, and a store over them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hookRef } from '../../src/hooks/hook.ts';
import type { CommandLine } from '../../src/settings/command-line.ts';
import type { ManagedPlace } from '../../src/settings/managed.ts';
import type { SettingsSnapshot } from '../../src/settings/merge.ts';
import { describeProblem, type SettingsProblem } from '../../src/settings/problem.ts';
import type { SettingsEvent } from '../../src/settings/settings-event.ts';
import { SettingsStore } from '../../src/settings/store.ts';

export type TestFlags = CommandLine & { readonly claudeHome?: string };

export interface TestSession {
  readonly base: string;
  readonly home: string;
  readonly hookdHome: string;
  readonly project: string;
  readonly userFile: string;
  readonly projectFile: string;
  readonly localFile: string;
  /** Managed settings: neither files nor their directories exist. */
  readonly managed: ManagedPlace & {
    readonly file: string;
    readonly dropIns: string;
    readonly claude: string;
  };
  /** Claude Code's files of the same three scopes. */
  readonly claude: Readonly<Record<'user' | 'project' | 'local', string>>;
  readonly events: SettingsEvent[];
  /** How far the session's clock is ahead of the real one, in ms. */
  readonly clock: { aheadMs: number };
  readonly open: (flags?: TestFlags, startDirectory?: string) => ReturnType<typeof SettingsStore.open>;
  /** Opens, or fails the test with what is wrong. */
  readonly start: (flags?: TestFlags, startDirectory?: string) => SettingsStore;
  readonly problems: (flags?: TestFlags) => readonly SettingsProblem[];
}

/** Without a call that moves the clock, files are long settled, so that only `stat` tells that they changed. */
export function testSession(onEvent: (event: SettingsEvent) => void = () => {}): TestSession {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-settings-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const home = join(base, 'home');
  const hookdHome = join(home, '.hookd');
  const project = join(base, 'work', 'project');
  for (const directory of [hookdHome, join(project, '.git'), join(project, '.hookd')]) {
    mkdirSync(directory, { recursive: true });
  }
  const etc = join(base, 'etc');
  const managed = {
    directory: join(etc, 'hookd'),
    claudeDirectory: join(etc, 'claude-code'),
    owner: process.getuid?.() ?? 0,
    file: join(etc, 'hookd', 'managed-settings.json'),
    dropIns: join(etc, 'hookd', 'managed-settings.d'),
    claude: join(etc, 'claude-code', 'managed-settings.json'),
  };
  const events: SettingsEvent[] = [];
  const clock = { aheadMs: 60_000 };
  const open: TestSession['open'] = ({ claudeHome, ...flags } = {}, startDirectory = project) =>
    SettingsStore.open({
      claudeHome,
      startDirectory,
      home,
      hookdHome,
      managed,
      flags,
      now: () => Date.now() + clock.aheadMs,
      onEvent: (event) => {
        events.push(event);
        onEvent(event);
      },
    });
  const start: TestSession['start'] = (flags, startDirectory) => {
    const opened = open(flags, startDirectory);
    if (!opened.ok) throw new Error(opened.problems.map(describeProblem).join('\n'));
    return opened.store;
  };
  const problems: TestSession['problems'] = (flags) => {
    const opened = open(flags);
    return opened.ok ? [] : opened.problems;
  };
  return {
    ...{ base, home, hookdHome, project, managed, events, clock, open, start, problems },
    userFile: join(hookdHome, 'settings.json'),
    projectFile: join(project, '.hookd', 'settings.json'),
    localFile: join(project, '.hookd', 'settings.local.json'),
    claude: {
      user: join(home, '.claude', 'settings.json'),
      project: join(project, '.claude', 'settings.json'),
      local: join(project, '.claude', 'settings.local.json'),
    },
  };
}

export function save(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, isRaw ? content : JSON.stringify(content, null, 2));
}

/** `deny Bash(rm *)` and so on, in the order in force. */
export function rulesOf(snapshot: SettingsSnapshot): readonly string[] {
  return snapshot.rules.map(({ source }) => `${source.list} ${source.text}`);
}

/** `event name (scope)` of each hook, in the order in force. */
export function hooksOf({ hooks }: SettingsSnapshot): readonly string[] {
  return hooks.hooks.map((hook) => `${hook.event} ${hookRef(hook).name} (${hook.source.scope})`);
}

/** Settings with one hook on PreToolUse. */
export function hooked(command: string, more: object = {}): object {
  return { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] }, ...more };
}

/** The warnings, less the name of a file. */
export function warningsOf({ warnings }: SettingsSnapshot, file: string): readonly string[] {
  return warnings.map((warning) => warning.replace(`${file}:`, ''));
}
