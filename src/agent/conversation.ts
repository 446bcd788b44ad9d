/**
 * The messages that the model is shown, built step by step; always valid for the API: a response's tool uses are
 * answered, each once, in the message right after it; no message and no text is empty. Values only: what may get in here
 * is decided by `transcript.ts`.
 */
import { HookdError } from '../core/errors.ts';
import type {
  Message,
  ModelResponse,
  Shortening,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../core/vocabulary.ts';
import { shortened } from './shorten.ts';

/** A conversation at rest: where another one may go on. */
export interface ConversationState {
  readonly messages: readonly Message[];
  /** The answers to the first tool uses of the last message; the others are still open. */
  readonly answers: readonly ToolResultBlock[];
  /** Where in `messages` each turn begins that is still there. */
  readonly starts: readonly number[];
  /** The last one, whether it is still there or not. */
  readonly prompt: string | undefined;
}

const EMPTY: ConversationState = { messages: [], answers: [], starts: [], prompt: undefined };

export class Conversation {
  #messages: Message[];
  /** Of each message, as JSON. */
  #sizes: number[];
  #size: number;
  #starts: number[];
  #prompt: string | undefined;
  /** Tool uses of the last response that have no answer yet. */
  #open: readonly ToolUseBlock[] = [];
  /** They become a message when nothing is open any more. */
  #answers: readonly ToolResultBlock[] = [];

  constructor({ messages, answers, starts, prompt }: ConversationState = EMPTY) {
    this.#messages = [...messages];
    this.#sizes = messages.map(sizeOf);
    this.#size = sum(this.#sizes);
    this.#starts = [...starts];
    this.#prompt = prompt;
    const last = messages.at(-1);
    if (last?.role !== 'assistant') return;
    this.#answers = answers;
    this.#open = toolUsesOf(last.content).slice(answers.length);
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get open(): readonly ToolUseBlock[] {
    return this.#open;
  }

  get state(): ConversationState {
    const [messages, starts] = [[...this.#messages], [...this.#starts]];
    return { messages, answers: this.#answers, starts, prompt: this.#prompt };
  }

  /** In bytes, as JSON. */
  get size(): number {
    return this.#size;
  }

  /** Of each message. */
  get sizes(): readonly number[] {
    return this.#sizes;
  }

  prompt(text: string): void {
    this.#push({ role: 'user', content: text });
    this.#starts.push(this.#messages.length - 1);
    this.#prompt = text;
  }

  /** False for an empty response, which leaves no message: the API takes none without content. */
  response(content: ModelResponse['content']): boolean {
    if (content.length === 0) return false;
    if (this.#messages.length === 0)
      throw new HookdError('INTERNAL', 'A response came before anything that it could answer.');
    this.#push({ role: 'assistant', content });
    this.#open = toolUsesOf(content);
    return true;
  }

  /** The next answers in the order of the tool uses; all of one response become one user message. */
  results(results: readonly ToolResultBlock[]): void {
    const answered = results.map((result) => result.tool_use_id);
    const asked = this.#open.map((use) => use.id);
    if (answered.some((id, index) => id !== asked[index])) {
      throw new HookdError(
        'INTERNAL',
        `The results ${answered.join(', ')} do not answer the tool uses ${asked.join(', ')}.`,
      );
    }
    if (results.length === 0) return;
    const answers = [...this.#answers, ...results];
    this.#open = this.#open.slice(results.length);
    this.#answers = this.#open.length === 0 ? [] : answers;
    if (this.#open.length === 0) this.#push({ role: 'user', content: answers });
  }

  /** Words that no user wrote, in the user message that ends the conversation, or a new one. False where there are none. */
  add(text: string): boolean {
    if (text.trim() === '') return false;
    const last = this.#messages.at(-1);
    if (last?.role === 'user' && this.#open.length === 0) {
      const before = typeof last.content === 'string' ? [textBlock(last.content)] : last.content;
      this.#messages.pop();
      this.#size -= this.#sizes.pop() ?? 0;
      this.#push({ role: 'user', content: [...before, textBlock(text)] });
    } else this.#push({ role: 'user', content: [textBlock(text)] });
    return true;
  }

  /** Throws INTERNAL where that would part a tool use from its result. */
  shorten(change: Shortening): void {
    if (this.#open.length > 0)
      throw new HookdError('INTERNAL', 'A conversation cannot be shortened in the middle of tool uses.');
    this.#messages = shortened(this.#messages, change);
    this.#sizes = this.#messages.map(sizeOf);
    this.#size = sum(this.#sizes);
    if (change.how === 'summary')
      this.#starts = this.#starts.map((at) => at - change.replaced + 1).filter((at) => at > 0);
  }

  #push(message: Message): void {
    if (this.#open.length > 0)
      throw new HookdError('INTERNAL', 'A message came before the results of the tool uses.');
    this.#messages.push(Object.freeze(message));
    const size = sizeOf(message);
    this.#sizes.push(size);
    this.#size += size;
  }
}

function sizeOf(message: Message): number {
  return Buffer.byteLength(JSON.stringify(message));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function toolUsesOf(content: ModelResponse['content']): readonly ToolUseBlock[] {
  return content.filter((block) => block.type === 'tool_use');
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text };
}
