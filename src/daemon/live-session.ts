/**
 * One session of this process, for all who look at it and speak to it: prompts wait in order, what happens is told to
 * everybody in the same order, and an end that could not be recorded is told as that.
 */
import { HookdError, isAuditFailure, messageOf } from '../core/errors.ts';
import type {
  ApprovalReply,
  AuditPosition,
  ContextUse,
  Delivery,
  SessionEvent,
  SessionInfo,
  SessionState,
} from '../core/protocol.ts';
import type { PermissionMode, SessionId } from '../core/vocabulary.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import type { EventLog } from './event-log.ts';
import type { HostedSession } from './hosted-session.ts';
import type { OpenSession } from './open-session.ts';
import { type StoredSession, titleOf } from './session-files.ts';
import { SessionKeeper } from './session-keeper.ts';
import { WorkQueue } from './work-queue.ts';

export interface LiveSessionOptions {
  readonly hookdHome: string;
  readonly opened: OpenSession;
  readonly log: EventLog;
  readonly desk: ApprovalDesk;
  readonly audit: () => AuditPosition;
  readonly reportFault: (error: unknown) => Promise<void>;
  /** What an earlier process left of it. */
  readonly before: StoredSession | undefined;
  /** It runs here no more. */
  readonly onEnd: () => void;
}

/** Prompts that may wait while a turn runs. */
const MOST_WAITING = 16;
/** Whoever sits in front of this process. */
const HERE = 'terminal';

export class LiveSession implements HostedSession {
  readonly #options: LiveSessionOptions;
  readonly #startedAt: string;
  readonly #startMode: PermissionMode;
  readonly #queue = new WorkQueue();
  readonly #keeper: SessionKeeper;
  #turn: AbortController | undefined;
  #ending: Promise<void> | undefined;
  #hasEnded = false;
  #title: string | undefined;
  #turns: number;
  /** Milliseconds since 1970. */
  #lastActiveAt = Date.now();
  #context: ContextUse | undefined;

  constructor(options: LiveSessionOptions) {
    const { before, opened } = options;
    this.#options = options;
    const warn = (text: string) => options.log.add({ kind: 'warning', text });
    this.#keeper = new SessionKeeper(options.hookdHome, warn);
    this.#startMode = opened.settings().permissions.mode;
    this.#startedAt = before?.startedAt ?? new Date(this.#lastActiveAt).toISOString();
    this.#title = before?.title;
    this.#turns = before?.turns ?? 0;
    this.#save({});
  }

  get id(): SessionId {
    return this.#options.opened.session.id;
  }

  get info(): SessionInfo {
    const { desk, log, audit, opened } = this.#options;
    const { session } = opened;
    const { tools, workplace } = session.gate.toolbox;
    return {
      id: session.id,
      state: this.#state(),
      cwd: workplace.cwd,
      project: workplace.project,
      model: session.modelName,
      permissionMode: opened.settings().permissions.mode,
      tools: tools.map(({ name }) => name),
      ...(this.#title === undefined ? {} : { title: this.#title }),
      startedAt: this.#startedAt,
      lastActiveAt: new Date(this.#lastActiveAt).toISOString(),
      turns: this.#turns,
      tokens: session.tokens,
      ...(this.#context === undefined ? {} : { context: this.#context }),
      approvals: desk.of(session.id).length,
      lastEventId: log.lastId,
      auditFile: audit().file,
    };
  }

  /** In force as of the last look at the files. */
  get settings(): SettingsSnapshot {
    return this.#options.opened.settings();
  }

  async refresh(): Promise<SessionInfo> {
    return this.info;
  }

  events(after: number | undefined, signal: AbortSignal): AsyncIterable<Delivery> {
    return this.#options.log.follow(after, signal);
  }

  /** What the session says of itself. */
  watch(event: SessionEvent): void {
    this.#lastActiveAt = Date.now();
    if (event.kind === 'context') this.#context = event.context;
  }

  async prompt(text: string): Promise<void> {
    this.#assertOpen();
    if (text.trim() === '') throw new HookdError('USAGE', 'The prompt is empty.');
    if (this.#queue.waiting >= MOST_WAITING) {
      throw new HookdError('SESSION_BUSY', `${MOST_WAITING} prompts wait already in session ${this.id}.`);
    }
    this.#title ??= titleOf(text);
    this.#queue.add({
      run: () => this.#playTurn(text),
      drop: (why) =>
        this.#options.log.add({ kind: 'warning', text: `A prompt that waited was dropped: ${why}` }),
    });
  }

  /** Goes on with the turn that an earlier process has left. */
  goOn(): void {
    this.#queue.add({ run: () => this.#playTurn(undefined), drop: () => undefined });
  }

  async compact(instructions = ''): Promise<void> {
    this.#assertOpen();
    await this.#queue.done(async () => {
      this.#turn = new AbortController();
      const compacted = this.#options.opened.session.compact(instructions, this.#turn.signal);
      await compacted.finally(() => (this.#turn = undefined));
    });
  }

  async interrupt(client = HERE): Promise<void> {
    this.#queue.dropWaiting('the turn was interrupted');
    this.#turn?.abort(new Error(`interrupted by ${client}`));
    await this.#queue.ended();
  }

  async answer(approvalId: string, reply: ApprovalReply, client = HERE): Promise<void> {
    await this.#options.desk.answer(approvalId, reply, client, this.id);
  }

  async setMode(mode: PermissionMode, client = HERE): Promise<void> {
    this.#assertOpen();
    const { opened, log } = this.#options;
    if (opened.settings().permissions.mode === mode) return;
    if (mode === 'bypassPermissions' && this.#startMode !== mode) {
      throw new HookdError(
        'USAGE',
        'The mode bypassPermissions is only for a session that was started in it (--dangerously-skip-permissions).',
      );
    }
    opened.chooseMode(mode, client);
    opened.session.addContext('PermissionMode', `The user changed the permission mode to ${mode}.`);
    log.add({ kind: 'mode_changed', mode, client });
    this.#save({});
  }

  /** What has not begun does not begin any more. */
  dropWaiting(why: string): void {
    this.#queue.dropWaiting(why);
  }

  /** Nobody will go on with it. */
  end(reason: string): Promise<void> {
    this.#ending ??= this.#end(reason, { ended: reason });
    return this.#ending;
  }

  /** This process lets go of it; it may be resumed. A turn that waits for a person waits on, for the next process. */
  leave(reason: string): Promise<void> {
    this.#ending ??= this.#end(reason, {}, this.#options.desk.keepFor(this.id));
    return this.#ending;
  }

  #state(): SessionState {
    if (this.#hasEnded) return 'ended';
    if (this.#options.desk.of(this.id).length > 0) return 'waiting';
    return this.#turn === undefined && this.#queue.waiting === 0 ? 'idle' : 'running';
  }

  #assertOpen(): void {
    if (this.#ending !== undefined)
      throw new HookdError('SESSION_ENDED', `The session ${this.id} has ended.`);
  }

  async #playTurn(text: string | undefined): Promise<void> {
    const { opened, audit } = this.#options;
    this.#turn = new AbortController();
    if (text !== undefined) this.#turns += 1;
    this.#save({});
    let outcome: SessionEvent;
    try {
      const { session } = opened;
      const { signal } = this.#turn;
      const end = await (text === undefined ? session.goOn(signal) : session.prompt(text, signal));
      outcome = { kind: 'turn_ended', end, audit: audit() };
    } catch (error) {
      outcome = await this.#failure(error);
    }
    this.#turn = undefined;
    // Whoever hears of the end finds a session that waits for them.
    this.#options.log.add(outcome);
    this.#save({});
  }

  async #failure(error: unknown): Promise<SessionEvent> {
    if (!isAuditFailure(error)) await this.#options.reportFault(error);
    const { code, message, hint } =
      error instanceof HookdError ? error : new HookdError('INTERNAL', messageOf(error));
    this.#queue.dropWaiting(message);
    return { kind: 'turn_failed', code, message, hint };
  }

  async #end(reason: string, ended: { readonly ended?: string }, isKept = false): Promise<void> {
    const { opened, log, desk, onEnd } = this.#options;
    this.#queue.dropWaiting('the session ends');
    if (!isKept) {
      this.#turn?.abort(new Error('the session ends'));
      await this.#queue.idle();
    }
    try {
      await opened.close(reason);
    } finally {
      this.#hasEnded = true;
      log.add({ kind: 'session_ended', reason });
      log.close();
      desk.leave(this.id);
      this.#save({ holder: null, ...ended });
      onEnd();
    }
  }

  #save(more: Parameters<SessionKeeper['keep']>[1]): void {
    this.#keeper.keep(this.info, more);
  }
}
