/** Puts one session together: settings, model, transcript, hooks, gate. */
import { rmSync } from 'node:fs';
import type { Approvals } from '../agent/ask-human.ts';
import { Session } from '../agent/session.ts';
import type { SessionLimits } from '../agent/session-options.ts';
import type { PromptFlags } from '../agent/system-prompt.ts';
import type { Trail } from '../audit/trail.ts';
import { messageOf } from '../core/errors.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type { PermissionMode, SessionId, Tool } from '../core/vocabulary.ts';
import type { HookHost } from '../hooks/host.ts';
import { realFiles } from '../permissions/files-view.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { DEFAULT_LIMITS } from '../settings/defaults.ts';
import { limitsOf } from '../settings/limits-schema.ts';
import type { ManagedPlace } from '../settings/managed.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';
import { addRemembered, rememberedFile } from '../settings/remembered.ts';
import { TOOLS } from '../tools/registry.ts';
import { SeenFiles } from '../tools/seen-files.ts';
import { SessionOutputs } from '../tools/whole-output.ts';
import { briefSession } from './briefing.ts';
import { chooseMode } from './choose-mode.ts';
import { gateSettings } from './gate-settings.ts';
import { harmless } from './harmless.ts';
import { type HookHostOptions, makeHookHost, reviewByHooks } from './hook-host.ts';
import { homeOf } from './hookd-home.ts';
import type { InstanceLock } from './instance-lock.ts';
import { credentialsOf, type ModelAccess, modelChoice, openModel } from './model-access.ts';
import {
  askingAgain,
  beginConversation,
  findTranscript,
  type Going,
  noticesOf,
  whereItWas,
} from './resume.ts';
import { sessionDirectory } from './session-files.ts';
import { makeSessionHome } from './session-home.ts';
import { lockSession, newSessionId } from './session-lock.ts';
import { openSettings, watchBetweenCalls } from './session-settings.ts';
import { ToolEnvironment } from './tool-environment.ts';
import { VERSION } from './version.ts';

export interface SessionRequest {
  /** Of a new session, instead of a random one. */
  readonly id?: SessionId | undefined;
  /** The session to go on with, by its whole id: in its start directory, whatever the request says. */
  readonly resume?: SessionId | undefined;
  /** Go on in a new session, from a copy. */
  readonly fork?: boolean | undefined;
  /** Where the caller has taken it already: from here on ours to give back. */
  readonly lock?: InstanceLock;
  readonly startDirectory: string;
  /** What its hooks and commands see, never on the disk; absent: that of this process. Credentials never come from here. */
  readonly env?: Environment;
  readonly flags: CommandLine;
  readonly approvals: Approvals;
  readonly onEvent: (event: SessionEvent) => void;
  /** A file of turns to play instead of a model, relative to the start directory. */
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

type Environment = Readonly<Record<string, string | undefined>>;

/** Takes back a part of an opening that has failed. */
type UndoStep = (why: string) => void | Promise<void>;

export interface SessionSurroundings {
  /** Of this process: where the model's credentials are. */
  readonly env: Environment;
  readonly home: string;
  readonly hookdHome: string;
  readonly managed: ManagedPlace;
  /** The chain that the session's records go to. */
  readonly trail: Trail;
  readonly reportFault: (error: unknown) => Promise<void>;
}

export interface OpenSession {
  readonly session: Session;
  /** As of the last look at the files. */
  readonly settings: () => SettingsSnapshot;
  /** Puts another permission mode in force, on record. Throws USAGE where settings do not let it be. */
  readonly chooseMode: (mode: PermissionMode, client: string) => void;
  /** Ends the session, and removes what goes with it. */
  readonly close: (reason: string) => Promise<void>;
}

/**
 * Throws SETTINGS_INVALID with every problem of every file, what `openModel` throws, or, where a session is resumed,
 * SESSION_UNKNOWN, SESSION_LIVE or SESSION_NOT_RESUMABLE.
 */
export async function openSession(around: SessionSurroundings, asked: SessionRequest): Promise<OpenSession> {
  const { hookdHome } = around;
  const { resume, fork = false } = asked;
  const id = resume === undefined || fork ? newSessionId(hookdHome, asked.id) : resume;
  const lock = asked.lock ?? (await lockSession(hookdHome, id, resume === id));
  const undo: UndoStep[] = [() => lock.release()];
  try {
    // Of a session that never began nothing stays.
    if (id !== resume)
      undo.push(() => rmSync(sessionDirectory(hookdHome, id), { recursive: true, force: true }));
    const going = resume === undefined ? undefined : findTranscript(hookdHome, resume, fork);
    const opened = await open(around, whereItWas(asked, going), id, going, undo);
    return { ...opened, close: (reason) => opened.close(reason).finally(() => lock.release()) };
  } catch (error) {
    for (const step of undo) await Promise.resolve(messageOf(error)).then(step).catch(around.reportFault);
    throw error;
  }
}

async function open(
  around: SessionSurroundings,
  asked: SessionRequest,
  id: SessionId,
  going: Going | undefined,
  undo: UndoStep[],
): Promise<OpenSession> {
  const request = { ...asked, onEvent: harmless(asked.onEvent, around.reportFault) };
  const { hookdHome } = around;
  const env = asked.env ?? around.env;
  for (const one of new Set([around.env, env])) around.trail.maskSecrets(credentialsOf(one, hookdHome));
  const trail = around.trail.forSession(id);
  let hooks: HookHost | undefined;
  const review = reviewByHooks(trail, () => hooks);
  const whose = asked.env === undefined ? around : { ...around, env, home: homeOf(env) };
  const store = openSettings(whose, request, trail, review, around.env);
  const snapshot = store.current();
  const unwatch = around.trail.watch((text) => request.onEvent({ kind: 'warning', text }));
  undo.push(unwatch);
  trail.assertRoom();
  const { workplace, mode } = snapshot.permissions;
  const limits = { ...DEFAULT_LIMITS, ...limitsOf((key) => snapshot[key]), ...request.limits };
  const { model, name } =
    request.model ?? (await openModel({ ...modelChoice(around, request, snapshot.model), patience: limits }));
  const { system, instructions, notices } = briefSession(
    snapshot,
    store.trustsProject,
    request.promptFlags ?? {},
  );
  const files = instructions.map(({ file, sha256 }) => ({ file, sha256 }));
  const start = { session: id, workplace, model: name, permissionMode: mode };
  trail.record('session_started', { ...start, system, instructions: files });
  let end = async (reason: string): Promise<void> => void trail.record('session_ended', { reason });
  // First: on record before anybody else may have the session.
  undo.unshift((why) => end(`it could not be opened: ${why}`));
  for (const text of [...notices, ...noticesOf(going, name)]) request.onEvent({ kind: 'warning', text });
  // The transcript must not look at the settings: what that finds is recorded, and may fail.
  let lastMode = mode;
  const seen = (current: SettingsSnapshot): SettingsSnapshot => {
    lastMode = current.permissions.mode;
    return current;
  };
  const tell = (text: string) => request.onEvent({ kind: 'warning', text });
  const home = makeSessionHome(hookdHome, id);
  const forGate = gateSettings(home.outputs);
  const options: HookHostOptions = {
    id,
    env,
    workplace,
    home,
    snapshot: () => seen(store.current()),
    settle: async (signal) => seen(await store.settle(signal)),
    catchUp: () => begun.catchUp(),
    promptId: () => session.promptId,
    tell,
    watch: request.onEvent,
  };
  hooks = makeHookHost(options);
  const forCommands = new ToolEnvironment(options);
  const begun = beginConversation(going, trail, hookdHome, {
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
      toolbox: forCommands.equip({
        tools: [...TOOLS, ...(request.moreTools ?? [])],
        workplace,
        seen: new SeenFiles(),
        outputs: new SessionOutputs(home.outputs),
        show: (use, text) => request.onEvent({ kind: 'tool_output', use, text }),
      }),
      permissions: {
        current: () => forGate(store.current()),
        files: realFiles,
        duringCall: (run) => store.duringCall(run),
      },
      hooks,
      approvals: askingAgain(request.approvals, begun.question),
      remembered: {
        file: rememberedFile(hookdHome, workplace.cwd),
        add: (rule) => addRemembered(hookdHome, workplace.cwd, rule),
      },
      reportFault: around.reportFault,
    },
    model,
    modelName: name,
    system,
    limits,
    transcript: begun.transcript,
    left: begun.left,
    onEvent: request.onEvent,
  });
  end = async (reason) => {
    try {
      await session.end(reason);
    } finally {
      begun.catchUp();
      unwatch();
      home.removeShared();
    }
  };
  const { source, more } = begun.start;
  await session.start(source, request.signal ?? new AbortController().signal, more);
  forCommands.look();
  const watch = request.watchesSettings === true ? watchBetweenCalls(store, around.reportFault) : undefined;
  return {
    session,
    settings: () => store.latest,
    chooseMode: (mode, client) => chooseMode(store, trail, mode, client),
    async close(reason) {
      // Nothing that may go wrong with it keeps the session from its end.
      await watch?.then(({ close }) => close()).catch(around.reportFault);
      await end(reason);
    },
  };
}
