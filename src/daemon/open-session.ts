/** Puts one session together: settings, model, transcript, hooks, gate. */
import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import type { Approvals } from '../agent/ask-human.ts';
import { Session, type SessionLimits } from '../agent/session.ts';
import { Transcript } from '../agent/transcript.ts';
import { TranscriptFile } from '../agent/transcript-file.ts';
import type { Trail } from '../audit/trail.ts';
import { HookdError } from '../core/errors.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type { SessionId, Tool } from '../core/vocabulary.ts';
import type { HookHost } from '../hooks/host.ts';
import { childEnvironment } from '../lib/child-env.ts';
import { realFiles } from '../permissions/files-view.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { DEFAULT_LIMITS } from '../settings/defaults.ts';
import { differenceBetween } from '../settings/difference.ts';
import { limitsOf } from '../settings/limits-schema.ts';
import type { ManagedPlace } from '../settings/managed.ts';
import { describeProblem } from '../settings/problem.ts';
import { type SettingsEvent, SettingsStore } from '../settings/store.ts';
import type { ChangeReview } from '../settings/withheld.ts';
import { TOOLS } from '../tools/registry.ts';
import { SeenFiles } from '../tools/seen-files.ts';
import { type HookHostOptions, makeHookHost, reviewByHooks, toolEnvironment } from './hook-host.ts';
import { credentialsOf, type ModelAccess, openModel } from './model-access.ts';
import { makeSessionHome } from './session-home.ts';
import { VERSION } from './version.ts';

export interface SessionRequest {
  readonly startDirectory: string;
  readonly flags: CommandLine;
  readonly approvals: Approvals;
  readonly onEvent: (event: SessionEvent) => void;
  /** A file of turns to play instead of a model. */
  readonly modelScript?: string | undefined;
  /** Instead of the one that settings and environment name. */
  readonly model?: ModelAccess | undefined;
  /** Over those of the settings. */
  readonly limits?: Partial<SessionLimits>;
  /** Tools besides the five. */
  readonly moreTools?: readonly Tool[];
  readonly signal?: AbortSignal;
}

export interface SessionSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly hookdHome: string;
  readonly managed: ManagedPlace;
  /** The chain that the session's records go to. */
  readonly trail: Trail;
  readonly reportFault: (error: unknown) => Promise<void>;
}

export interface OpenSession {
  readonly session: Session;
  /** Ends the session, and removes what goes with it. */
  readonly close: (reason: string) => Promise<void>;
}

/** Throws SETTINGS_INVALID with every problem of every file, or what `openModel` throws. */
export async function openSession(around: SessionSurroundings, asked: SessionRequest): Promise<OpenSession> {
  const request = { ...asked, onEvent: harmless(asked.onEvent, around.reportFault) };
  const { env, hookdHome } = around;
  const id = randomUUID() as SessionId;
  around.trail.maskSecrets(credentialsOf(env, hookdHome));
  const trail = around.trail.forSession(id);
  let hooks: HookHost | undefined;
  const review = reviewByHooks(trail, () => hooks);
  const store = openSettings(around, request, trail, review);
  const snapshot = store.current();
  const unwatch = around.trail.watch((text) => request.onEvent({ kind: 'warning', text }));
  trail.assertRoom();
  const { workplace, mode } = snapshot.permissions;
  const script = request.modelScript;
  const { model, name } =
    request.model ?? (await openModel({ env, hookdHome, name: snapshot.model, script }));
  trail.record('session_started', { session: id, workplace, model: name, permissionMode: mode });

  // The transcript must not look at the settings: what that finds is recorded, and may fail.
  let lastMode = mode;
  const tell = (text: string) => request.onEvent({ kind: 'warning', text });
  const home = makeSessionHome(hookdHome, id);
  const options: HookHostOptions = {
    id,
    env,
    workplace,
    home,
    snapshot: () => {
      const current = store.current();
      lastMode = current.permissions.mode;
      return current;
    },
    settle: (signal) => store.settle(signal),
    promptId: () => session.promptId,
    tell,
    watch: request.onEvent,
  };
  hooks = makeHookHost(options);
  const file = new TranscriptFile({
    path: home.transcript,
    sessionId: id,
    cwd: workplace.cwd,
    version: VERSION,
    permissionMode: () => lastMode,
    warn: tell,
  });
  const session: Session = new Session({
    id,
    trail,
    gate: {
      toolbox: {
        tools: [...TOOLS, ...(request.moreTools ?? [])],
        workplace,
        get env() {
          return toolEnvironment(options);
        },
        seen: new SeenFiles(),
      },
      permissions: {
        current: () => store.current(),
        files: realFiles,
        duringCall: (run) => store.duringCall(run),
      },
      hooks,
      approvals: request.approvals,
      reportFault: around.reportFault,
    },
    model,
    modelName: name,
    limits: { ...DEFAULT_LIMITS, ...limitsOf((key) => snapshot[key]), ...request.limits },
    transcript: new Transcript(file),
    onEvent: request.onEvent,
  });
  await session.start('startup', request.signal ?? new AbortController().signal);
  return {
    session,
    async close(reason) {
      await session.end(reason);
      unwatch();
      home.removeShared();
    },
  };
}

export function openSettings(
  { env, home, hookdHome, managed }: Pick<SessionSurroundings, 'env' | 'home' | 'hookdHome' | 'managed'>,
  { startDirectory, flags, onEvent }: Pick<SessionRequest, 'startDirectory' | 'flags' | 'onEvent'>,
  trail: Trail,
  review?: ChangeReview,
): SettingsStore {
  // Not in the project: what lies there must not decide what a sink's command means.
  const sinksRun = { cwd: hookdHome, env: childEnvironment(env, { projectDir: hookdHome }) };
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
    tell({ kind: 'warning', text: `${problem}\n${rest}` });
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

/** Who watches a session cannot disturb it: what is told is display only. */
function harmless(
  onEvent: (event: SessionEvent) => void,
  reportFault: (error: unknown) => Promise<void>,
): (event: SessionEvent) => void {
  return (event) => {
    try {
      onEvent(event);
    } catch (error) {
      void reportFault(error);
    }
  };
}
