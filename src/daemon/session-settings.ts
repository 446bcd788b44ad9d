/** The settings of one session: every change on record before it is in force, and told. */
import { isAbsolute } from 'node:path';
import type { Trail } from '../audit/trail.ts';
import { HookdError, isAuditFailure } from '../core/errors.ts';
import type { SessionEvent } from '../core/protocol.ts';
import { limitedMessage } from '../hooks/length.ts';
import { childEnvironment } from '../lib/child-env.ts';
import { differenceBetween } from '../settings/difference.ts';
import { GRACE_MS } from '../settings/layer.ts';
import { describeProblem } from '../settings/problem.ts';
import type { SettingsEvent } from '../settings/settings-event.ts';
import { SettingsStore } from '../settings/store.ts';
import { type SettingsWatch, watchSettings } from '../settings/watch.ts';
import type { ChangeReview } from '../settings/withheld.ts';
import type { SessionRequest, SessionSurroundings } from './open-session.ts';

/** Throws SETTINGS_INVALID with every problem of every file. */
export function openSettings(
  { env, home, hookdHome, managed }: Pick<SessionSurroundings, 'env' | 'home' | 'hookdHome' | 'managed'>,
  { startDirectory, flags, onEvent }: Pick<SessionRequest, 'startDirectory' | 'flags' | 'onEvent'>,
  trail: Trail,
  review?: ChangeReview,
  sinkEnv = env,
): SettingsStore {
  // Not in the project: what lies there must not decide what a sink's command means.
  const sinksRun = { cwd: hookdHome, env: childEnvironment(sinkEnv, { projectDir: hookdHome }) };
  const claudeHome = absoluteOrNone('CLAUDE_CONFIG_DIR', env);
  const opened = SettingsStore.open({
    startDirectory,
    home,
    hookdHome,
    managed,
    ...(claudeHome === undefined ? {} : { claudeHome }),
    flags,
    onEvent: (event) => {
      recordSettings(trail, event, onEvent);
      if ('snapshot' in event) trail.configure(event.snapshot.audit, sinksRun);
    },
    ...(review === undefined ? {} : { review }),
  });
  if (opened.ok) return opened.store;
  const problems = opened.problems.map(describeProblem);
  trail.record('settings_rejected', { problems });
  throw new HookdError('SETTINGS_INVALID', problems.join('\n'));
}

/** Tells of a saved file at once, also while nothing is going on. */
export function watchBetweenCalls(
  store: SettingsStore,
  reportFault: (error: unknown) => Promise<void>,
): Promise<SettingsWatch> {
  const { signal } = new AbortController();
  return watchSettings({
    files: store.files,
    async look() {
      try {
        await store.settle(signal);
      } catch (error) {
        // The next call finds the change again; when the audit has failed, that call says so.
        if (!isAuditFailure(error)) await reportFault(error);
      }
      return store.awaitsFile ? GRACE_MS : undefined;
    },
  });
}

/** A relative one would make the directory in which hookd is started decide whose settings count. */
function absoluteOrNone(name: string, env: SessionSurroundings['env']): string | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (isAbsolute(value)) return value;
  throw new HookdError('USAGE', `${name} must be an absolute path, not ${JSON.stringify(value)}.`);
}

/** On record first, then in force (the store's promise), then on the screen. */
function recordSettings(trail: Trail, event: SettingsEvent, tell: (event: SessionEvent) => void): void {
  if (event.kind === 'rejected') {
    const problems = event.problems.map(describeProblem);
    trail.record('settings_rejected', { problems });
    const lead = 'Settings were not taken over; the last good ones stay in force.';
    tell({ kind: 'warning', text: [lead, ...problems].join('\n') });
    return;
  }
  if (event.kind === 'refused') {
    const { by, reason } = event.refusal;
    const problem = `${event.file}: ConfigChange hook ${by.name} (${by.file}:${by.line}) refused the change: ${reason}`;
    trail.record('settings_rejected', { problems: [problem] });
    const rest = 'The old settings stay in force; deny and ask rules of the new ones count besides.';
    tell({ kind: 'warning', text: limitedMessage(`${problem}\n${rest}`) });
    return;
  }
  const { digest, sources, warnings } = event.snapshot;
  if (event.kind === 'loaded') {
    trail.record('settings_loaded', { digest, sources, warnings });
    for (const text of warnings) tell({ kind: 'warning', text });
    return;
  }
  const { before, snapshot, waiting } = event;
  const difference = differenceBetween(before, snapshot);
  trail.record('settings_changed', {
    ...{ digest, before: before.digest, sources, warnings, ...difference },
    ...(waiting.length === 0 ? {} : { waiting }),
  });
  tell({ kind: 'settings_changed', ...difference });
  const known = new Set(before.warnings);
  for (const text of warnings) if (!known.has(text)) tell({ kind: 'warning', text });
}
