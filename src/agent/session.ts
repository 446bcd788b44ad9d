/** One conversation: its transcript, its gate, its model. Prompts are taken one at a time. */
import type { TurnEnd } from '../audit/record.ts';
import type { Trail } from '../audit/trail.ts';
import type { SessionEvent } from '../core/protocol.ts';
import type { ModelRequest, SessionId, ToolDescription } from '../core/vocabulary.ts';
import type { Model } from '../model/model.ts';
import { systemPrompt } from './system-prompt.ts';
import type { Gate } from './tool-call.ts';
import { Transcript } from './transcript.ts';
import { runTurn } from './turn.ts';

export interface SessionLimits {
  /** Output tokens of one response. */
  readonly maxTokens: number;
  /** Model requests of one turn. */
  readonly maxTurns: number;
}

export interface SessionOptions {
  readonly id: SessionId;
  readonly trail: Trail;
  readonly gate: Gate;
  readonly model: Model;
  readonly modelName: string;
  readonly limits: SessionLimits;
  /** Display only: what is told here is already on record, except streamed text. */
  readonly onEvent: (event: SessionEvent) => void;
}

export class Session {
  readonly id: SessionId;
  readonly gate: Gate;
  readonly model: Model;
  readonly limits: SessionLimits;
  readonly modelName: string;
  readonly transcript = new Transcript();
  readonly #trail: Trail;
  readonly #tools: readonly ToolDescription[];
  readonly #onEvent: (event: SessionEvent) => void;
  #turns = 0;
  #running = false;

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.gate = options.gate;
    this.model = options.model;
    this.modelName = options.modelName;
    this.limits = options.limits;
    this.#trail = options.trail;
    this.#onEvent = options.onEvent;
    this.#tools = options.gate.toolbox.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: tool.inputSchema,
    }));
  }

  /** Plays one turn. Throws only when the audit fails, or when a turn is still running. */
  async prompt(text: string, signal: AbortSignal): Promise<TurnEnd> {
    if (this.#running) throw new Error('A turn is still running in this session.');
    this.#running = true;
    try {
      this.#turns += 1;
      return await runTurn(this, this.#trail.forTurn(this.#turns), text, signal);
    } finally {
      this.#running = false;
    }
  }

  nextRequest(): ModelRequest {
    return {
      model: this.modelName,
      maxTokens: this.limits.maxTokens,
      system: systemPrompt(this.gate.toolbox.workplace),
      tools: this.#tools,
      messages: this.transcript.messages(),
    };
  }

  tell(event: SessionEvent): void {
    this.#onEvent(event);
  }

  end(reason: string): void {
    this.#trail.record('session_ended', { reason });
  }
}
