/** What the model is shown. It takes recorded values only; `conversation.ts` keeps it valid for the API. */
import { createHash } from 'node:crypto';
import type { Compacted, Resumption, StopBlock } from '../audit/record-values.ts';
import type { Recorded } from '../audit/trail.ts';
import { assertRecorded } from '../audit/trail.ts';
import { HookdError } from '../core/errors.ts';
import type {
  AddedContext,
  Message,
  ModelResponse,
  Prompt,
  ToolResult,
  ToolResultBlock,
  ToolUseBlock,
} from '../core/vocabulary.ts';
import { Conversation } from './conversation.ts';
import { shortened } from './shorten.ts';

/** Is told what became part of the transcript, in its order, when it did. Must not throw. */
export interface TranscriptObserver {
  prompt(text: string): void;
  response(response: ModelResponse): void;
  results(results: readonly ToolResult[]): void;
  /** What hooks said to the model: `feedback` sends it on, `context` stands beside what others said. */
  added(kind: 'context' | 'feedback', text: string): void;
  /** What came before is left out, or changed; its last `compacted.after.messages` messages follow the summary. */
  compacted(compacted: Compacted): void;
}

export class Transcript {
  #conversation = new Conversation();
  readonly #observer: TranscriptObserver | undefined;

  constructor(observer?: TranscriptObserver) {
    this.#observer = observer;
  }

  /** The conversation so far, for one request. */
  messages(): readonly Message[] {
    return [...this.#conversation.messages];
  }

  /** Tool uses of the last response that have no result yet. */
  get open(): readonly ToolUseBlock[] {
    return this.#conversation.open;
  }

  /** Goes on from what an earlier process left. Only before anything else; nobody is told: it is in the file already. */
  restore(resumed: Recorded<Resumption>): void {
    assertRecorded(resumed, 'session_resumed');
    if (this.#conversation.messages.length > 0)
      throw new HookdError('INTERNAL', 'A conversation that has begun cannot become another one.');
    this.#conversation = new Conversation(resumed.value);
  }

  appendPrompt(prompt: Recorded<Prompt>, context: readonly Recorded<AddedContext>[] = []): void {
    assertRecorded(prompt, 'prompt');
    this.#conversation.prompt(prompt.value.text);
    this.#observer?.prompt(prompt.value.text);
    this.addContext(context);
  }

  appendResponse(response: Recorded<ModelResponse>): void {
    assertRecorded(response, 'model_response');
    if (this.#conversation.response(response.value.content)) this.#observer?.response(response.value);
  }

  /**
   * The next results of the last response, in the order of its tool uses. What is told to the observer at once becomes
   * part of the conversation with the last of them: all results of one response are one user message.
   */
  append(results: readonly Recorded<ToolResult>[], context: readonly Recorded<AddedContext>[] = []): void {
    for (const result of results) assertRecorded(result, 'tool_result', 'output_replaced');
    this.#conversation.results(results.map((result) => resultBlock(result.value)));
    if (results.length > 0) this.#observer?.results(results.map((result) => result.value));
    this.addContext(context);
  }

  /** What hooks add for the model, in the user message that ends the transcript, or a new one. */
  addContext(context: readonly Recorded<AddedContext>[]): void {
    for (const added of context) {
      assertRecorded(added, 'context_added');
      this.#add('context', added.value.text);
    }
  }

  /** Why a Stop hook sends the model on. */
  appendFeedback(block: Recorded<StopBlock>): void {
    assertRecorded(block, 'stop_blocked');
    this.#add('feedback', block.value.reason);
  }

  /** Takes what is recorded and nothing else: the messages before and after must be those whose digests are on record. */
  shorten(compacted: Recorded<Compacted>): void {
    assertRecorded(compacted, 'compacted');
    const { change, sha256 } = compacted.value;
    const before = this.#conversation.messages;
    if (digestOf(before) !== sha256.before || digestOf(shortened(before, change)) !== sha256.after)
      throw new HookdError('INTERNAL', 'The conversation is not the one whose shortening is on record.');
    this.#conversation.shorten(change);
    this.#observer?.compacted(compacted.value);
  }

  /** In bytes, as JSON. */
  get size(): number {
    return this.#conversation.size;
  }

  /** Of each message. */
  get sizes(): readonly number[] {
    return this.#conversation.sizes;
  }

  /** Where each turn begins that is still there. */
  get starts(): readonly number[] {
    return this.#conversation.state.starts;
  }

  get lastPrompt(): string | undefined {
    return this.#conversation.state.prompt;
  }

  #add(kind: 'context' | 'feedback', text: string): void {
    if (this.#conversation.add(text)) this.#observer?.added(kind, text);
  }
}

export function digestOf(messages: readonly Message[]): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex');
}

/** A result as the model is shown it. */
export function resultBlock({ id, outcome, text }: ToolResult): ToolResultBlock {
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: text,
    ...(outcome === 'ok' ? {} : { is_error: true }),
  };
}
