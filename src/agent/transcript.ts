/**
 * What the model is shown. It takes recorded values only, and is always valid for the API: a response's tool uses are
 * answered, each once, in the message right after it.
 */
import type { StopBlock } from '../audit/record-values.ts';
import type { Recorded } from '../audit/trail.ts';
import { assertRecorded } from '../audit/trail.ts';
import { HookdError } from '../core/errors.ts';
import type {
  AddedContext,
  Message,
  ModelResponse,
  Prompt,
  TextBlock,
  ToolResult,
  ToolResultBlock,
  ToolUseBlock,
} from '../core/vocabulary.ts';

/** Is told what became part of the transcript, in its order, when it did. Must not throw. */
export interface TranscriptObserver {
  prompt(text: string): void;
  response(response: ModelResponse): void;
  results(results: readonly ToolResult[]): void;
  /** What hooks said to the model: `feedback` sends it on, `context` stands beside what others said. */
  added(kind: 'context' | 'feedback', text: string): void;
}

export class Transcript {
  readonly #messages: Message[] = [];
  readonly #observer: TranscriptObserver | undefined;
  #open: readonly ToolUseBlock[] = [];

  constructor(observer?: TranscriptObserver) {
    this.#observer = observer;
  }

  /** The conversation so far, for one request. */
  messages(): readonly Message[] {
    return [...this.#messages];
  }

  /** Tool uses of the last response that have no result yet. */
  get open(): readonly ToolUseBlock[] {
    return this.#open;
  }

  appendPrompt(prompt: Recorded<Prompt>, context: readonly Recorded<AddedContext>[] = []): void {
    assertRecorded(prompt, 'prompt');
    this.#push({ role: 'user', content: prompt.value.text });
    this.#observer?.prompt(prompt.value.text);
    this.addContext(context);
  }

  /** An empty response leaves no message: the API takes none without content. */
  appendResponse(response: Recorded<ModelResponse>): void {
    assertRecorded(response, 'model_response');
    const { content } = response.value;
    if (content.length === 0) return;
    this.#push({ role: 'assistant', content });
    this.#open = content.filter((block) => block.type === 'tool_use');
    this.#observer?.response(response.value);
  }

  /** All results of one response, in its order, as one user message. */
  append(results: readonly Recorded<ToolResult>[], context: readonly Recorded<AddedContext>[] = []): void {
    for (const result of results) assertRecorded(result, 'tool_result', 'output_replaced');
    const answered = results.map((result) => String(result.value.id));
    const asked = this.#open.map((use) => use.id);
    if (answered.join('\n') !== asked.join('\n')) {
      throw new HookdError(
        'INTERNAL',
        `The results ${answered.join(', ')} do not answer the tool uses ${asked.join(', ')}.`,
      );
    }
    if (results.length > 0) {
      this.#open = [];
      this.#push({ role: 'user', content: results.map((result) => resultBlock(result.value)) });
      this.#observer?.results(results.map((result) => result.value));
    }
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

  #add(kind: 'context' | 'feedback', text: string): void {
    const block = textBlock(text);
    const last = this.#messages.at(-1);
    if (last?.role === 'user') {
      const before = typeof last.content === 'string' ? [textBlock(last.content)] : last.content;
      this.#messages.pop();
      this.#push({ role: 'user', content: [...before, block] });
    } else this.#push({ role: 'user', content: [block] });
    this.#observer?.added(kind, text);
  }

  #push(message: Message): void {
    if (this.#open.length > 0)
      throw new HookdError('INTERNAL', 'A message came before the results of the tool uses.');
    this.#messages.push(Object.freeze(message));
  }
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text };
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
