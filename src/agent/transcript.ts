/**
 * What the model is shown. It takes recorded values only, and is always valid for the API: a response's tool uses are
 * answered, each once, in the message right after it.
 */
import type { Recorded } from '../audit/trail.ts';
import { assertRecorded } from '../audit/trail.ts';
import { HookdError } from '../core/errors.ts';
import type {
  Message,
  ModelResponse,
  Prompt,
  ToolResult,
  ToolResultBlock,
  ToolUseBlock,
} from '../core/vocabulary.ts';

export class Transcript {
  readonly #messages: Message[] = [];
  #open: readonly ToolUseBlock[] = [];

  /** The conversation so far, for one request. */
  messages(): readonly Message[] {
    return [...this.#messages];
  }

  /** Tool uses of the last response that have no result yet. */
  get open(): readonly ToolUseBlock[] {
    return this.#open;
  }

  appendPrompt(prompt: Recorded<Prompt>): void {
    assertRecorded(prompt, 'prompt');
    this.#push({ role: 'user', content: prompt.value.text });
  }

  /** An empty response leaves no message: the API takes none without content. */
  appendResponse(response: Recorded<ModelResponse>): void {
    assertRecorded(response, 'model_response');
    const { content } = response.value;
    if (content.length === 0) return;
    this.#push({ role: 'assistant', content });
    this.#open = content.filter((block) => block.type === 'tool_use');
  }

  /** All results of one response, in its order, as one user message. */
  append(results: readonly Recorded<ToolResult>[]): void {
    for (const result of results) assertRecorded(result, 'tool_result');
    const answered = results.map((result) => String(result.value.id));
    const asked = this.#open.map((use) => use.id);
    if (answered.join('\n') !== asked.join('\n')) {
      throw new HookdError(
        'INTERNAL',
        `The results ${answered.join(', ')} do not answer the tool uses ${asked.join(', ')}.`,
      );
    }
    if (results.length === 0) return;
    this.#open = [];
    this.#push({ role: 'user', content: results.map((result) => toBlock(result.value)) });
  }

  #push(message: Message): void {
    if (this.#open.length > 0)
      throw new HookdError('INTERNAL', 'A message came before the results of the tool uses.');
    this.#messages.push(Object.freeze(message));
  }
}

function toBlock({ id, outcome, text }: ToolResult): ToolResultBlock {
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: text,
    ...(outcome === 'ok' ? {} : { is_error: true }),
  };
}
