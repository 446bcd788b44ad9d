/** One conversation: its transcript, its gate, its model. Prompts are taken one at a time. */
import { randomUUID } from 'node:crypto';
import type { Trail } from '../audit/trail.ts';
import { HookdError } from '../core/errors.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type {
  AddedContext,
  JsonObject,
  ModelRequest,
  SessionId,
  ToolDescription,
  TurnEnd,
  Usage,
} from '../core/vocabulary.ts';
import { fire } from '../hooks/fire.ts';
import { TurnNotes } from '../hooks/host.ts';
import type { Model } from '../model/model.ts';
import type { Gate } from './authorize.ts';
import type { Transcript } from './transcript.ts';
import { runTurn } from './turn.ts';

export interface SessionLimits {
  /** Output tokens of one response. */
  readonly maxTokens: number;
  /** Model requests of one turn. */
  readonly maxTurns: number;
  /** How often Stop hooks may send the model on in one turn. */
  readonly maxStopBlocks: number;
  /** How often a request that failed for a while is sent again. */
  readonly maxRetries: number;
  /** The pause before the first repetition; each further one is twice as long. */
  readonly firstRetryMs?: number;
  /** How often the same call may fail in a turn, with nothing else working in between. */
  readonly maxRepeatedFailures: number;
  /** Tokens sent and received, in the whole session. */
  readonly maxSessionTokens?: number;
}

export interface LeftBehind {
  /** Its turns. */
  readonly turns: number;
  /** All that were sent and received. */
  readonly tokens: number;
  /** Of its last response. */
  readonly usage: Usage | undefined;
  /** The open calls of the transcript had not begun: the first of them waited for a person. */
  readonly waits: boolean;
}

export interface SessionOptions {
  readonly id: SessionId;
  readonly trail: Trail;
  readonly gate: Gate;
  readonly model: Model;
  readonly modelName: string;
  /** What the model is told first, the same in every request. */
  readonly system: string;
  readonly limits: SessionLimits;
  readonly transcript: Transcript;
  /** What an earlier process has left; its messages are in the transcript already. */
  readonly left?: LeftBehind | undefined;
  /** Display only: what is told here is already on record, except streamed text. */
  readonly onEvent: (event: SessionEvent) => void;
}

/** Why SessionStart hooks run. */
export type SessionSource = 'startup' | 'resume' | 'fork';

const NOTHING_LEFT: LeftBehind = { turns: 0, tokens: 0, usage: undefined, waits: false };

export class Session {
  readonly id: SessionId;
  readonly gate: Gate;
  readonly model: Model;
  readonly limits: SessionLimits;
  readonly modelName: string;
  readonly transcript: Transcript;
  readonly #trail: Trail;
  readonly #system: string;
  readonly #tools: readonly ToolDescription[];
  readonly #onEvent: (event: SessionEvent) => void;
  #turns = 0;
  #promptId: string | undefined;
  #running = false;
  #startContext: readonly AddedContext[] = [];
  #usage: Usage | undefined;
  #tokens = 0;
  #waits = false;

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.gate = options.gate;
    this.model = options.model;
    this.modelName = options.modelName;
    this.limits = options.limits;
    this.transcript = options.transcript;
    this.#trail = options.trail;
    this.#onEvent = options.onEvent;
    this.#system = options.system;
    const { turns, usage, tokens, waits } = options.left ?? NOTHING_LEFT;
    this.#turns = turns;
    this.#usage = usage;
    this.#tokens = tokens;
    this.#waits = waits;
    this.#tools = options.gate.toolbox.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: tool.inputSchema,
    }));
  }

  /** SessionStart: what its hooks add stands before the first prompt. */
  async start(source: SessionSource, signal: AbortSignal, more: JsonObject = {}): Promise<void> {
    const notes = new TurnNotes(this.#trail);
    const fields = { source, model: this.modelName, ...more };
    await fire(
      this.#trail,
      this.gate.hooks,
      { event: 'SessionStart', subject: source, fields },
      notes,
      signal,
    );
    this.#startContext = notes.takeContext().map(({ value }) => value);
  }

  /** Plays one turn. Throws only when the audit fails, or when a turn is still running. */
  async prompt(text: string, signal: AbortSignal): Promise<TurnEnd> {
    return this.#play(text, signal);
  }

  /**
   * Goes on with the turn that an earlier process has left: its open calls, then the model. Throws USAGE where there is
   * nothing to go on with.
   */
  async goOn(signal: AbortSignal): Promise<TurnEnd> {
    if (this.unfinished === undefined)
      throw new HookdError('USAGE', 'The last turn of this session has ended: it needs a prompt to go on.');
    return this.#play(undefined, signal);
  }

  /** What is left to do without a prompt: a `question` is to be put to a person again, or an `answer` is missing. */
  get unfinished(): 'question' | 'answer' | undefined {
    if (this.#waits) return 'question';
    return this.transcript.messages().at(-1)?.role === 'user' ? 'answer' : undefined;
  }

  /** True once: the open calls of the transcript are to be put through the gate. */
  takeWaiting(): boolean {
    const waits = this.#waits;
    this.#waits = false;
    return waits;
  }

  async #play(text: string | undefined, signal: AbortSignal): Promise<TurnEnd> {
    if (this.#running) throw new Error('A turn is still running in this session.');
    this.#running = true;
    try {
      this.#turns += 1;
      if (text !== undefined) this.#promptId = randomUUID();
      return await runTurn(this, this.#trail.forTurn(this.#turns), text, signal);
    } finally {
      this.#running = false;
    }
  }

  /** Names the prompt that is being worked on, for hooks; undefined before the first. */
  get promptId(): string | undefined {
    return this.#promptId;
  }

  /** For the model, with the next prompt. */
  addContext(event: string, text: string): void {
    this.#startContext = [...this.#startContext, { event, text }];
  }

  takeStartContext(): readonly AddedContext[] {
    const context = this.#startContext;
    this.#startContext = [];
    return context;
  }

  nextRequest(): ModelRequest {
    return {
      model: this.modelName,
      maxTokens: this.limits.maxTokens,
      system: this.#system,
      tools: this.#tools,
      messages: this.transcript.messages(),
    };
  }

  /** Of the last response; what the next request will cost at least. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** All that were sent and received until now, as the API counts them. */
  get tokens(): number {
    return this.#tokens;
  }

  tell(event: SessionEvent): void {
    if (event.kind === 'response') {
      this.#usage = event.response.usage;
      this.#tokens += allTokens(event.response.usage);
    }
    this.#onEvent(event);
  }

  /** SessionEnd; then async hooks get a short grace. */
  async end(reason: string): Promise<void> {
    const { hooks } = this.gate;
    const signal = new AbortController().signal;
    await fire(
      this.#trail,
      hooks,
      { event: 'SessionEnd', subject: 'other', fields: { reason: 'other' } },
      undefined,
      signal,
    );
    await hooks.background.end();
    this.#trail.record('session_ended', { reason });
  }
}

/** Of one request and its answer. */
export function allTokens(usage: Usage): number {
  return (
    usage.input_tokens +
    usage.output_tokens +
    usage.cache_creation_input_tokens +
    usage.cache_read_input_tokens
  );
}
