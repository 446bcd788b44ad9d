/**
 * The composition root: opens the audit, then the settings, then sessions; wires every part to its neighbours.
 * The audit comes first and goes last: what cannot be recorded does not start.
 */
import { join } from 'node:path';
import type { Session } from '../agent/session.ts';
import type { Approval } from '../audit/record-values.ts';
import type { SinkLag } from '../audit/sinks.ts';
import type { Trail } from '../audit/trail.ts';
import { HookdError } from '../core/errors.ts';
import type { PendingApproval } from '../core/protocol.ts';
import { fileLogger, type Logger } from '../lib/logger.ts';
import { startThroughSpawner } from '../lib/start-child.ts';
import { type ManagedPlace, SYSTEM_MANAGED } from '../settings/managed.ts';
import { ApprovalDesk } from './approval-desk.ts';
import { NOBODY_ANSWERED } from './approvals.ts';
import { beginChain } from './begin-chain.ts';
import type { Trial, TrialRequest } from './hook-trial.ts';
import { homeOf, hookdHomeOf } from './hookd-home.ts';
import type { LiveSession } from './live-session.ts';
import {
  type OpenSession,
  openSession,
  type SessionRequest,
  type SessionSurroundings,
} from './open-session.ts';
import { SessionRegister } from './session-register.ts';
import { type CreateSession, startLive } from './start-live.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface DaemonOptions {
  readonly env: Environment;
  /** `foreground` (the default): one command that ends with its work; `daemon`: until it is stopped. */
  readonly mode?: 'foreground' | 'daemon';
  /** Instead of the system's: for tests. Nothing from outside the program may lead here. */
  readonly managed?: ManagedPlace;
}

export class Daemon {
  readonly hookdHome: string;
  readonly sessions: SessionRegister;
  readonly approvals: ApprovalDesk;
  readonly #env: Environment;
  readonly #trail: Trail;
  readonly #started = new Set<OpenSession>();
  readonly #starting = new Set<Promise<LiveSession>>();
  readonly #mode: 'foreground' | 'daemon';
  /** A daemon grows with its sessions, and must not stand still while it forks. */
  readonly #endSpawner: () => void;
  readonly #closing = new AbortController();
  readonly #managed: ManagedPlace;
  readonly #log: Logger;

  private constructor({ env, managed, mode = 'foreground' }: DaemonOptions, hookdHome: string, trail: Trail) {
    this.sessions = new SessionRegister(hookdHome, {
      record: (id, reason, unanswered) => {
        const ofSession = trail.forSession(id);
        for (const request of unanswered) ofSession.record('approval_resolved', endedUnanswered(request));
        ofSession.record('session_ended', { reason });
      },
      done: (id) => this.approvals.forget(id),
    });
    this.approvals = new ApprovalDesk({ hookdHome });
    this.#env = env;
    this.#mode = mode;
    this.#managed = managed ?? SYSTEM_MANAGED;
    this.hookdHome = hookdHome;
    this.#log = fileLogger(join(hookdHome, 'hookd.log'));
    this.#trail = trail;
    this.#endSpawner = mode === 'daemon' ? startThroughSpawner() : () => undefined;
  }

  /** Opens a chain of its own and says in it what an earlier crash left open. Throws AUDIT_UNAVAILABLE. */
  static async open(options: DaemonOptions): Promise<Daemon> {
    const { env, mode = 'foreground' } = options;
    const hookdHome = hookdHomeOf(env);
    return new Daemon(options, hookdHome, await beginChain(hookdHome, mode));
  }

  /** Where the audit stands: the file being written, the hash and the number of the last record. */
  get audit(): { readonly file: string; readonly head: string; readonly records: number } {
    const { file, hash, seq } = this.#trail.head;
    return { file, head: hash, records: seq };
  }

  /** How far each sink is behind. */
  get sinkLag(): readonly SinkLag[] {
    return this.#trail.sinkLag;
  }

  /** A fault of hookd, for those who mend it. */
  reportFault(what: string, error: unknown): Promise<void> {
    return this.#log.error(what, error);
  }

  /**
   * A session that outlives those who look at it. Its questions wait at the desk, unless `approvals` answers them. Throws
   * SETTINGS_INVALID with every problem of every file, what `openModel` throws, or SESSION_BUSY for the id of one that runs.
   */
  async createSession(request: CreateSession): Promise<LiveSession> {
    if (this.#closing.signal.aborted)
      throw new HookdError('SESSION_ENDED', 'hookd is being stopped: no session begins.');
    const { hookdHome, sessions, approvals: desk } = this;
    const around = this.#surroundings();
    const watchesSettings = this.#mode === 'daemon';
    const starting = startLive(
      { around, desk, hookdHome, sessions, audit: () => this.audit },
      { watchesSettings, ...request, signal: this.#untilClosed(request.signal) },
    );
    this.#starting.add(starting);
    return starting.finally(() => this.#starting.delete(starting));
  }

  /**
   * A session of this process alone: nobody joins it, and no question of it waits for others. Throws SETTINGS_INVALID with
   * every problem of every file, or what `openModel` throws.
   */
  async startSession(request: SessionRequest): Promise<Session> {
    const opened = await openSession(this.#surroundings(), request);
    this.#started.add(opened);
    return opened.session;
  }

  /** What a session waits for while it comes up (SessionStart hooks) must not hold the end up. */
  #untilClosed(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  #surroundings(): SessionSurroundings {
    return {
      env: this.#env,
      home: homeOf(this.#env),
      hookdHome: this.hookdHome,
      managed: this.#managed,
      trail: this.#trail,
      reportFault: (error: unknown) => this.#log.error('a stage of the gate failed', error),
    };
  }

  /** Plays one occasion for somebody who tries hooks. Throws SETTINGS_INVALID, or USAGE for a call that no hook would see. */
  async tryHooks(request: TrialRequest): Promise<Trial> {
    const { playTrial } = await import('./hook-trial.ts');
    const home = homeOf(this.#env);
    const { hookdHome } = this;
    return playTrial(
      { env: this.#env, home, hookdHome, managed: this.#managed, trail: this.#trail },
      request,
    );
  }

  /** Ends all turns and the chain. Sessions that clients made may be resumed. */
  async close(reason: string): Promise<void> {
    this.#closing.abort(new Error('hookd is being stopped'));
    await Promise.allSettled(this.#starting);
    const started = [...this.#started];
    this.#started.clear();
    const ended = await Promise.allSettled([
      ...started.map((session) => session.close(reason)),
      ...this.sessions.live.map((session) => session.leave(reason)),
    ]);
    this.#endSpawner();
    // Also where the end of a session could not be recorded: the audit may work again.
    const [closed] = await Promise.allSettled([this.#closeChain(reason)]);
    const failed = [...ended, closed].find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #closeChain(reason: string): Promise<void> {
    this.#trail.record('daemon_stopped', { reason });
    await this.#trail.close();
  }
}

function endedUnanswered(request: PendingApproval): Approval {
  const waitedMs = Math.max(0, Date.now() - Date.parse(request.requestedAt)) || 0;
  return { request, answer: NOBODY_ANSWERED, waitedMs };
}

/** Sorts by time of start; no two processes share one. */
