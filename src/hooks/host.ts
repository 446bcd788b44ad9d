/** What the hooks of one session work with, and where what they say goes. */
import type { Recorded, Trail } from '../audit/trail.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type { AddedContext, HookRef, PermissionMode, Workplace } from '../core/vocabulary.ts';
import type { Background } from './background.ts';
import type { HookOutcome, HookRun, HookScope, HooksInForce } from './hook.ts';
import { limitedContext } from './length.ts';

/** What hooks need to know of the settings in force. */
export interface HookSettings {
  readonly digest: string;
  readonly hooks: HooksInForce;
  readonly permissionMode: PermissionMode;
}

export interface HookHost {
  readonly sessionId: string;
  /** Names the prompt that is being worked on; undefined before the first. */
  readonly promptId: () => string | undefined;
  readonly workplace: Workplace;
  /** When it returns, the transcript's file holds all that has been said. */
  readonly catchUp: () => void;
  /** The transcript as a file, with all that has been said, every line of it complete. */
  readonly transcriptPath: () => string;
  /** 0700, for the hooks of this session to share state; removed with the session. */
  readonly sessionDir: string;
  /** Where SessionStart hooks may leave `export NAME=VALUE` lines for the agent's commands. */
  readonly envFile: string;
  /** The environment of a hook of this scope: secrets and loader variables are already gone. */
  readonly environmentOf: (scope: HookScope) => Readonly<Record<string, string>>;
  /** Looks at the settings files first: a saved hook governs the very next event. */
  readonly current: () => HookSettings;
  /** The same once hooks that are asked about a change of settings have answered: what was saved is in force, or refused. */
  readonly settle: (signal: AbortSignal) => Promise<HookSettings>;
  readonly background: Background;
  /** Display only. */
  readonly watch: (event: SessionEvent) => void;
  /** What the user is told at once. */
  readonly tell: (text: string) => void;
  /** How long the turn waited for the hooks of one occasion. */
  readonly waited?: (ms: number) => void;
  /** For those who show what hooks do: told of each run once it is on record. */
  readonly onRun?: (run: HookRun, outcome: HookOutcome) => void;
}

export interface StopRequest {
  readonly reason: string | undefined;
  readonly by: HookRef;
  /** PermissionRequest `interrupt: true`: the turn ends as failed. */
  readonly isInterrupt: boolean;
}

/** Gathers, in the course of one turn, what hooks want added to the conversation, and whether one ended the turn. */
export class TurnNotes {
  readonly #trail: Trail;
  #context: Recorded<AddedContext>[] = [];
  #stop: StopRequest | undefined;

  constructor(trail: Trail) {
    this.#trail = trail;
  }

  /** The model reads `text`, or the beginning of a long one. */
  addContext(event: string, text: string): void {
    this.#context.push(this.#trail.record('context_added', { event, text: limitedContext(text) }));
  }

  /** The first stop counts: its reason is the one that is shown. */
  requestStop(by: HookRef, reason: string | undefined, isInterrupt = false): void {
    this.#stop ??= { reason, by, isInterrupt };
  }

  get stop(): StopRequest | undefined {
    return this.#stop;
  }

  /** The texts since the last call, for the next message. */
  takeContext(): readonly Recorded<AddedContext>[] {
    const context = this.#context;
    this.#context = [];
    return context;
  }
}
