/**
 * One occasion, played for those who write hooks: the hooks in force run for real, in the engine of a session and on
 * record like there; no tool runs, no model is asked, no other hook is told.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TranscriptFile } from '../agent/transcript-file.ts';
import type { Recorded, Trail } from '../audit/trail.ts';
import { messageOf, Rejected } from '../core/errors.ts';
import type {
  Decision,
  HookRef,
  JsonObject,
  PermissionMode,
  SessionId,
  ToolCall,
  Workplace,
} from '../core/vocabulary.ts';
import type { Occasion } from '../hooks/dispatch.ts';
import type { HookEvent } from '../hooks/events.ts';
import type { Hook, HookOutcome, HookRun } from '../hooks/hook.ts';
import { type HookHost, TurnNotes } from '../hooks/host.ts';
import { limitedMessage } from '../hooks/length.ts';
import type { CommandLine } from '../settings/command-line.ts';
import type { SettingsStore } from '../settings/store.ts';
import { TOOLS } from '../tools/registry.ts';
import { SeenFiles } from '../tools/seen-files.ts';
import type { Toolbox } from '../tools/tool.ts';
import { makeHookHost } from './hook-host.ts';
import type { SessionSurroundings } from './open-session.ts';
import { sessionDirectory } from './session-files.ts';
import { makeSessionHome, type SessionHome } from './session-home.ts';
import { openSettings } from './session-settings.ts';
import { ToolEnvironment } from './tool-environment.ts';
import { type Played, parseTrialCall, playOccasion, type SkippedHook, skippedBy } from './trial-play.ts';
import { VERSION } from './version.ts';

export interface TrialRequest {
  readonly startDirectory: string;
  readonly flags: CommandLine;
  readonly event: HookEvent;
  /** On tool events the call that it is about. */
  readonly use?: { readonly id: string; readonly name: string; readonly input: JsonObject } | undefined;
  /** The payload beyond the common fields and the call. */
  readonly fields: (call: ToolCall | undefined) => JsonObject;
  /** What matchers compare with, where that is not the tool's name. */
  readonly subject: string | undefined;
  /** Common fields that somebody gave instead of the session's own. */
  readonly common: CommonFields;
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

export interface CommonFields {
  readonly sessionId?: string;
  readonly transcriptPath?: string;
  readonly promptId?: string;
  readonly permissionMode?: PermissionMode;
}

export interface TrialRun {
  /** Counts from 1; a rewrite begins the next one. */
  readonly round: number;
  readonly run: HookRun;
  readonly outcome: HookOutcome;
}

export interface Trial {
  readonly event: HookEvent;
  readonly session: SessionId;
  readonly workplace: Workplace;
  readonly subject: string | undefined;
  readonly call: ToolCall | undefined;
  /** By round, then in configured order, whoever finished first. */
  readonly runs: readonly TrialRun[];
  readonly skipped: readonly SkippedHook[];
  /** In order: each ends its round. */
  readonly rewrites: readonly Rewrite[];
  readonly played: Played;
  /** Of PreToolUse, where the hooks let the call go on: what the rules then say. */
  readonly ruling: Decision | undefined;
}

export interface Rewrite {
  readonly by: HookRef;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Throws SETTINGS_INVALID; USAGE where there is no such tool or the input does not fit it. */
export async function playTrial(
  around: Omit<SessionSurroundings, 'reportFault'>,
  request: TrialRequest,
): Promise<Trial> {
  const session = randomUUID() as SessionId;
  const trail = around.trail.forSession(session);
  const tell = request.tell;
  const store = openSettings(
    around,
    { ...request, onEvent: (shown) => (shown.kind === 'warning' ? tell(shown.text) : undefined) },
    trail,
  );
  const { workplace, mode } = store.current().permissions;
  trail.record('session_started', { session, workplace, model: 'none', permissionMode: mode });
  try {
    const trial = await playIn(around, request, { session, trail, store });
    trail.record('session_ended', { reason: 'hooks run' });
    return trial;
  } catch (error) {
    trail.record('session_ended', { reason: messageOf(error) });
    throw error;
  } finally {
    rmSync(sessionDirectory(around.hookdHome, session), { recursive: true, force: true });
  }
}

interface TrialSession {
  readonly session: SessionId;
  readonly trail: Trail;
  readonly store: SettingsStore;
}

async function playIn(
  around: Pick<SessionSurroundings, 'env' | 'hookdHome'>,
  request: TrialRequest,
  { session, trail, store }: TrialSession,
): Promise<Trial> {
  const { event, common, signal, tell } = request;
  const { workplace, mode } = store.current().permissions;
  const home = named(makeSessionHome(around.hookdHome, session), common.sessionId ?? session);
  const runs: TrialRun[] = [];
  const host = trialHost(around, request, session, store, home, runs);
  const { env } = around;
  const commands = new ToolEnvironment({ env, home, snapshot: () => store.current(), tell });
  new TranscriptFile({
    path: home.transcript,
    sessionId: session,
    cwd: workplace.cwd,
    version: VERSION,
    permissionMode: () => mode,
    warn: tell,
  });
  const toolbox: Toolbox = { tools: TOOLS, workplace, env: {}, seen: new SeenFiles() };
  const turn = trail.forTurn(1);
  let call: Recorded<ToolCall> | undefined;
  let played: Played | undefined;
  try {
    call = request.use === undefined ? undefined : await parseTrialCall(turn, request.use, toolbox);
    const occasion: Occasion = {
      event,
      subject: call?.value.tool.name ?? request.subject,
      fields: { ...callFields(event, call?.value), ...request.fields(call?.value) },
      ...(call === undefined ? {} : { call: call.value }),
    };
    const skipped = skippedBy(host, occasion);
    const configured = host.current().hooks.hooks;
    const notes = new TurnNotes(turn);
    const left = () => commands.setByHooks();
    const play = { trail: turn, occasion, call, host, notes, toolbox, left, signal };
    const outcome = await playOccasion(play, () => store.current().permissions);
    ({ played } = outcome);
    await host.background.end();
    const background = host.background.takeContext();
    return {
      ...{ event, session, workplace, subject: occasion.subject, call: call?.value, skipped },
      ruling: outcome.ruling,
      runs: inOrder(runs, configured),
      rewrites: rewritesOnRecord(trail, session),
      played: { ...played, context: [...played.context, ...background] },
    };
  } finally {
    // Where it has ended already there is nothing to wait for.
    await host.background.end();
    if (call !== undefined) closeCall(turn, call.value, played?.rejected);
  }
}

/** The transcript has the name of the session that the hooks are told. */
function named(home: SessionHome, session: string): SessionHome {
  return { ...home, transcript: join(dirname(home.transcript), `${basename(session)}.jsonl`) };
}

function inOrder(runs: readonly TrialRun[], configured: readonly Hook[]): readonly TrialRun[] {
  const place = ({ run }: TrialRun) => configured.indexOf(run.hook);
  return runs.toSorted((one, other) => one.round - other.round || place(one) - place(other));
}

function trialHost(
  { env }: Pick<SessionSurroundings, 'env'>,
  { common, tell }: TrialRequest,
  id: SessionId,
  store: SettingsStore,
  home: SessionHome,
  runs: TrialRun[],
): HookHost {
  const { workplace } = store.current().permissions;
  const promptId = common.promptId ?? randomUUID();
  const path = common.transcriptPath;
  let round = 0;
  let running = 0;
  const host = makeHookHost({
    ...{ id, env, workplace, home },
    snapshot: () => store.current(),
    settle: (signal) => store.settle(signal),
    catchUp: () => undefined,
    promptId: () => promptId,
    // What a hook's own outcome says is shown with it.
    tell: (text) => {
      if (!runs.some(({ outcome }) => outcome.warnings.map(limitedMessage).includes(text))) tell(text);
    },
    // All hooks of a round start before one of them ends.
    watch: ({ kind }) => {
      if (kind === 'hook_started' && running++ === 0) round += 1;
      if (kind === 'hook_ended') running -= 1;
    },
  });
  return {
    ...host,
    ...(common.sessionId === undefined ? {} : { sessionId: common.sessionId }),
    ...(path === undefined ? {} : { transcriptPath: () => path }),
    current: () => {
      const current = host.current();
      return { ...current, permissionMode: common.permissionMode ?? current.permissionMode };
    },
    onRun: (run, outcome) => runs.push({ round, run, outcome }),
  };
}

function callFields(event: HookEvent, call: ToolCall | undefined): JsonObject {
  if (call === undefined) return {};
  const fields = { tool_name: call.tool.name, tool_input: call.input };
  return event === 'PermissionRequest' ? fields : { ...fields, tool_use_id: call.id };
}

/** So that no call is left open on record. */
function closeCall(trail: Trail, { id }: ToolCall, rejected: Rejected | undefined): void {
  const result = rejected ?? new Rejected('not_run', 'hookd hooks run: no tool is run.');
  trail.record('tool_result', { id, outcome: result.outcome, text: result.message });
}

function rewritesOnRecord(trail: Trail, session: SessionId): readonly Rewrite[] {
  return readFileSync(trail.head.file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"kind":"input_rewritten"') && line.includes(session))
    .map((line) => JSON.parse(line) as Rewrite);
}
