/** A conversation → a shorter one that the API takes as well. Pure: the same change gives the same messages, whenever it is made. */
import { HookdError } from '../core/errors.ts';
import type { CutOutput, Message, Shortening, ToolResultBlock } from '../core/vocabulary.ts';

/** Throws INTERNAL where a tool use would lose its result, or a result its tool use. */
export function shortened(messages: readonly Message[], change: Shortening): Message[] {
  if (change.how === 'outputs') return withoutOutputs(messages, change.outputs);
  const kept = messages.slice(change.replaced);
  if (change.replaced < 1 || change.replaced > messages.length || holdsResults(kept[0]))
    throw new HookdError('INTERNAL', `A conversation cannot be cut before message ${change.replaced}.`);
  return [Object.freeze({ role: 'user', content: change.summary } as const), ...kept];
}

function withoutOutputs(messages: readonly Message[], outputs: readonly CutOutput[]): Message[] {
  const notes = new Map(outputs.map((output) => [output.tool_use_id, cutNote(output)]));
  return messages.map((message) => {
    if (!holdsResults(message)) return message;
    const content = message.content.map((block) => {
      const note = block.type === 'tool_result' ? notes.get(block.tool_use_id) : undefined;
      return note === undefined ? block : { ...(block as ToolResultBlock), content: note };
    });
    return Object.freeze({ role: 'user', content } as const);
  });
}

/** What stands in place of an output. */
export function cutNote({ characters }: CutOutput): string {
  return `(This output of ${characters} characters was cut to save room. Make the call again if you need it.)`;
}

type OfUser = Extract<Message, { role: 'user' }>;

/** Whether it answers tool uses. */
export function holdsResults(
  message: Message | undefined,
): message is OfUser & { readonly content: Exclude<OfUser['content'], string> } {
  if (message?.role !== 'user' || typeof message.content === 'string') return false;
  return message.content.some((block) => block.type === 'tool_result');
}
