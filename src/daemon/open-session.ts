/** Puts one session together: settings, model, transcript, hooks, gate. */
import { randomUUID } from 'node:crypto';
import type { Approvals } from '../agent/ask-human.ts';
import { Session, type SessionLimits } from '../agent/session.ts';
import type { PromptFlags } from '../agent/system-prompt.ts';
import { Transcript } from '../agent/transcript.ts';
import { TranscriptFile } from '../agent/transcript-file.ts';
import type { Trail } from '../audit/trail.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type { SessionId, Tool } from '../core/vocabulary.ts';
import type { HookHost } from '../hooks/host.ts';
import { realFiles } from '../permissions/files-view.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { DEFAULT_LIMITS } from '../settings/defaults.ts';
import { limitsOf } from '../settings/limits-schema.ts';
import type { ManagedPlace } from '../settings/managed.ts';
import { addRemembered, rememberedFile } from '../settings/remembered.ts';
import { TOOLS } from '../tools/registry.ts';
import { SeenFiles } from '../tools/seen-files.ts';
import { SessionOutputs } from '../tools/whole-output.ts';
import { briefSession } from './briefing.ts';
import { type HookHostOptions, makeHookHost, reviewByHooks, toolEnvironment } from './hook-host.ts';
import { credentialsOf, type ModelAccess, openModel } from './model-access.ts';
import { makeSessionHome } from './session-home.ts';
import { openSettings, watchBetweenCalls } from './session-settings.ts';
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
  /** What the command line says to the model. */
  readonly promptFlags?: PromptFlags;
  /** Over those of the settings. */
  readonly limits?: Partial<SessionLimits>;
  /** Somebody is there between calls: they are told of changed settings at once, not only at the next call. */
  readonly watchesSettings?: boolean;
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
  const { system, instructions, notices } = briefSession(
    snapshot,
    store.trustsProject,
    request.promptFlags ?? {},
  );
  const files = instructions.map(({ file, sha256 }) => ({ file, sha256 }));
  const start = { session: id, workplace, model: name, permissionMode: mode };
  trail.record('session_started', { ...start, system, instructions: files });
  for (const text of notices) request.onEvent({ kind: 'warning', text });

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
        outputs: new SessionOutputs(home.outputs),
        show: (use, text) => request.onEvent({ kind: 'tool_output', use, text }),
      },
      permissions: {
        current() {
          const { digest, permissions } = store.current();
          return { digest, permissions: { ...permissions, keptOutputs: home.outputs } };
        },
        files: realFiles,
        duringCall: (run) => store.duringCall(run),
      },
      hooks,
      approvals: request.approvals,
      remembered: {
        file: rememberedFile(hookdHome, workplace.cwd),
        add: (rule) => addRemembered(hookdHome, workplace.cwd, rule),
      },
      reportFault: around.reportFault,
    },
    model,
    modelName: name,
    system,
    limits: { ...DEFAULT_LIMITS, ...limitsOf((key) => snapshot[key]), ...request.limits },
    transcript: new Transcript(file),
    onEvent: request.onEvent,
  });
  await session.start('startup', request.signal ?? new AbortController().signal);
  const watch = request.watchesSettings === true ? watchBetweenCalls(store, around.reportFault) : undefined;
  return {
    session,
    async close(reason) {
      await watch?.then(({ close }) => close());
      await session.end(reason);
      unwatch();
      home.removeShared();
    },
  };
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
