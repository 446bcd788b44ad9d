/**
 * The composition root: opens the audit, then the settings, then sessions; wires every part to its neighbours.
 * The audit comes first and goes last: what cannot be recorded does not start.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Approvals, PermissionSource } from '../agent/authorize.ts';
import { Session } from '../agent/session.ts';
import { abandonedChains, headsOf, markClosed } from '../audit/recovery.ts';
import { unavailable } from '../audit/segment.ts';
import { Trail } from '../audit/trail.ts';
import { AuditWriter } from '../audit/writer.ts';
import { HookdError } from '../core/errors.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type { SessionId, Tool } from '../core/vocabulary.ts';
import { childEnvironment } from '../lib/child-env.ts';
import { fileLogger, type Logger } from '../lib/logger.ts';
import { ownIdentity } from '../lib/proc.ts';
import { realFiles } from '../permissions/files-view.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { differenceBetween } from '../settings/difference.ts';
import { describeProblem } from '../settings/problem.ts';
import { type SettingsEvent, SettingsStore } from '../settings/store.ts';
import { TOOLS } from '../tools/registry.ts';
import { SeenFiles } from '../tools/seen-files.ts';
import { type ModelAccess, openModel } from './model-access.ts';
import { VERSION } from './version.ts';

const DEFAULT_MAX_TOKENS = 8000;
const DEFAULT_MAX_TURNS = 200;

type Environment = Readonly<Record<string, string | undefined>>;

export interface DaemonOptions {
  readonly env: Environment;
}

export interface SessionRequest {
  readonly startDirectory: string;
  readonly flags: CommandLine;
  readonly approvals: Approvals;
  readonly onEvent: (event: SessionEvent) => void;
  /** A file of turns to play instead of a model. */
  readonly modelScript?: string | undefined;
  /** Instead of the one that settings and environment name. */
  readonly model?: ModelAccess | undefined;
  /** Tools besides the five. */
  readonly moreTools?: readonly Tool[];
}

/** $HOOKD_HOME: settings, audit, keys of one user. */
export function hookdHomeOf(env: Environment): string {
  return resolve(env['HOOKD_HOME'] || join(homeOf(env), '.hookd'));
}

export function auditDirectoryOf(hookdHome: string): string {
  return join(hookdHome, 'audit');
}

function homeOf(env: Environment): string {
  return env['HOME'] || homedir();
}

export class Daemon {
  readonly hookdHome: string;
  readonly #env: Environment;
  readonly #trail: Trail;
  readonly #sessions = new Set<Session>();
  readonly #log: Logger;

  private constructor(env: Environment, hookdHome: string, trail: Trail) {
    this.#env = env;
    this.hookdHome = hookdHome;
    this.#log = fileLogger(join(hookdHome, 'hookd.log'));
    this.#trail = trail;
  }

  /** Opens a chain of its own and says in it what an earlier crash left open. Throws AUDIT_UNAVAILABLE. */
  static async open({ env }: DaemonOptions): Promise<Daemon> {
    const hookdHome = hookdHomeOf(env);
    const directory = auditDirectoryOf(hookdHome);
    const writer = writerName();
    const { heads, abandoned } = lookAtOtherChains(directory);
    const trail = new Trail(AuditWriter.create(join(directory, writer)));
    trail.record('daemon_started', {
      writer,
      version: VERSION,
      node: process.version,
      mode: 'foreground',
      process: ownIdentity(),
      heads,
    });
    for (const chain of abandoned)
      for (const dangling of chain.dangling) trail.record('outcome_unknown', dangling);
    await trail.durable();
    for (const chain of abandoned) markClosed(directory, chain.writer, writer);
    return new Daemon(env, hookdHome, trail);
  }

  /** Where the audit stands: the file being written, the hash and the number of the last record. */
  get audit(): { readonly file: string; readonly head: string; readonly records: number } {
    const { file, hash, seq } = this.#trail.head;
    return { file, head: hash, records: seq };
  }

  /** Throws SETTINGS_INVALID with every problem of every file, or what `openModel` throws. */
  async startSession(request: SessionRequest): Promise<Session> {
    const id = randomUUID() as SessionId;
    const trail = this.#trail.forSession(id);
    const opened = SettingsStore.open({
      startDirectory: request.startDirectory,
      home: homeOf(this.#env),
      hookdHome: this.hookdHome,
      flags: request.flags,
      onEvent: (event) => recordSettings(trail, event, request.onEvent),
    });
    if (!opened.ok) {
      const problems = opened.problems.map(describeProblem);
      trail.record('settings_rejected', { problems });
      throw new HookdError('SETTINGS_INVALID', problems.join('\n'));
    }
    const { store } = opened;
    const snapshot = store.current();
    const { workplace, mode } = snapshot.permissions;
    const { model, name } =
      request.model ??
      (await openModel({
        env: this.#env,
        hookdHome: this.hookdHome,
        name: snapshot.model,
        script: request.modelScript,
      }));
    trail.record('session_started', { session: id, workplace, model: name, permissionMode: mode });
    const permissions: PermissionSource = { current: () => store.current(), files: realFiles };
    const session = new Session({
      id,
      trail,
      gate: {
        toolbox: {
          tools: [...TOOLS, ...(request.moreTools ?? [])],
          workplace,
          env: childEnvironment(this.#env, { projectDir: workplace.project }),
          seen: new SeenFiles(),
        },
        permissions,
        approvals: request.approvals,
        reportFault: (error) => this.#log.error('a stage of the gate failed', error),
      },
      model,
      modelName: name,
      limits: {
        maxTokens: snapshot.maxTokens ?? DEFAULT_MAX_TOKENS,
        maxTurns: snapshot.maxTurns ?? DEFAULT_MAX_TURNS,
      },
      onEvent: request.onEvent,
    });
    this.#sessions.add(session);
    return session;
  }

  /** Ends all sessions and the chain. */
  async close(reason: string): Promise<void> {
    for (const session of this.#sessions) session.end(reason);
    this.#sessions.clear();
    this.#trail.record('daemon_stopped', { reason });
    await this.#trail.close();
  }
}

/** Sorts by time of start; no two processes share one. */
function writerName(): string {
  const time = new Date().toISOString().replace(/[-:]/g, '').replace('.', '');
  return `${time}-${process.pid}-${randomBytes(3).toString('hex')}`;
}

function lookAtOtherChains(directory: string) {
  try {
    return { heads: headsOf(directory), abandoned: abandonedChains(directory) };
  } catch (error) {
    throw unavailable('read', directory, error);
  }
}

/** On record first, then in force (the store's promise), then on the screen. */
function recordSettings(trail: Trail, event: SettingsEvent, tell: (event: SessionEvent) => void): void {
  if (event.kind === 'rejected') {
    const problems = event.problems.map(describeProblem);
    trail.record('settings_rejected', { problems });
    tell({
      kind: 'warning',
      text: `Settings were not taken over; the last good ones stay in force.\n${problems.join('\n')}`,
    });
    return;
  }
  const { digest, sources, warnings } = event.snapshot;
  if (event.kind === 'loaded') trail.record('settings_loaded', { digest, sources, warnings });
  else {
    const difference = differenceBetween(event.before, event.snapshot);
    trail.record('settings_changed', {
      digest,
      before: event.before.digest,
      sources,
      warnings,
      ...difference,
    });
  }
  for (const text of warnings) tell({ kind: 'warning', text });
}
