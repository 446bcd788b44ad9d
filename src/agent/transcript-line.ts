/** One line of a transcript → what it adds to a conversation, or what is wrong with it. Pure. */
import { isJsonObject } from '../core/json.ts';
import type { JsonObject, TextBlock, ToolResultBlock, ToolUseBlock, Usage } from '../core/vocabulary.ts';

export type TranscriptEntry =
  | { readonly kind: 'prompt'; readonly text: string }
  /** Words that no user wrote: of a hook, or of hookd itself. */
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'results'; readonly results: readonly ToolResultBlock[] }
  /** One block of a response; lines with the same key, one after another, are one response. */
  | {
      readonly kind: 'block';
      readonly key: string;
      readonly block: TextBlock | ToolUseBlock;
      readonly model: string;
      readonly usage: Usage;
    }
  /** All before it is left out from here on, but its last `kept` messages; the summary follows. */
  | { readonly kind: 'boundary'; readonly kept: number }
  | { readonly kind: 'summary'; readonly text: string }
  /** The outputs of these tool uses are cut. */
  | { readonly kind: 'cut'; readonly ids: readonly string[] }
  /** Nothing that the model is shown. */
  | { readonly kind: 'none' };

export interface TranscriptLine {
  readonly entry: TranscriptEntry;
  readonly uuid: string | undefined;
  /** The line before it; none where a chain of lines begins. */
  readonly parentUuid: string | undefined;
  readonly cwd: string | undefined;
  readonly timestamp: string | undefined;
}

/** What a line should hold and does not; who reads the file says where. */
export class TranscriptFault extends Error {
  constructor(expected: string, found: string) {
    super(`expected ${expected}, found ${found}`);
    this.name = 'TranscriptFault';
  }
}

const NONE = { kind: 'none' } as const;

/** Throws TranscriptFault. */
export function readTranscriptLine(text: string): TranscriptLine {
  const line = objectIn(text);
  const { uuid, parentUuid, cwd, timestamp } = line;
  return {
    entry: line['isSidechain'] === true ? NONE : entryOf(line),
    uuid: textOrNone(uuid),
    parentUuid: textOrNone(parentUuid),
    cwd: textOrNone(cwd),
    timestamp: textOrNone(timestamp),
  };
}

function objectIn(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TranscriptFault('one JSON object', `${text.length} characters that are none`);
  }
  if (!isJsonObject(value)) throw new TranscriptFault('a JSON object', describe(value));
  return value;
}

function entryOf(line: JsonObject): TranscriptEntry {
  switch (line['type']) {
    case 'user':
      return userEntry(line);
    case 'assistant':
      return blockEntry(line);
    case 'system':
      return systemEntry(line);
    default:
      if (typeof line['type'] !== 'string') throw new TranscriptFault('a "type"', describe(line['type']));
      return NONE;
  }
}

function userEntry(line: JsonObject): TranscriptEntry {
  const content = messageOf(line, 'user')['content'];
  if (typeof content === 'string') {
    if (content.trim() === '') throw new TranscriptFault('the words of a message', 'nothing');
    if (line['isCompactSummary'] === true) return { kind: 'summary', text: content };
    return { kind: line['isMeta'] === true ? 'words' : 'prompt', text: content };
  }
  if (!Array.isArray(content) || content.length === 0)
    throw new TranscriptFault('"content" with a text or tool results', describe(content));
  return { kind: 'results', results: content.map(resultBlock) };
}

function resultBlock(block: unknown): ToolResultBlock {
  if (!isJsonObject(block) || block['type'] !== 'tool_result')
    throw new TranscriptFault('a block "tool_result"', describe(block));
  const { tool_use_id, content, is_error } = block;
  if (typeof tool_use_id !== 'string') throw new TranscriptFault('a "tool_use_id"', describe(tool_use_id));
  if (typeof content !== 'string') throw new TranscriptFault('a tool result with a text', describe(content));
  return { type: 'tool_result', tool_use_id, content, ...(is_error === true ? { is_error } : {}) };
}

function blockEntry(line: JsonObject): TranscriptEntry {
  const { id, model, content, usage } = messageOf(line, 'assistant');
  const requestId = textOrNone(line['requestId']);
  const [block, more] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  if (more !== undefined) throw new TranscriptFault('one block a line', 'several');
  return {
    kind: 'block',
    key: `${requestId ?? ''} ${String(id)}`,
    block: assistantBlock(block),
    model: textOrNone(model) ?? '',
    usage: usageIn(usage),
  };
}

function assistantBlock(block: unknown): TextBlock | ToolUseBlock {
  if (!isJsonObject(block)) throw new TranscriptFault('a block of the model', describe(block));
  const { type, text, id, name, input } = block;
  if (type === 'text' && typeof text === 'string' && text.trim() !== '') return { type, text };
  if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
    return { type, id, name, input };
  throw new TranscriptFault('a block "text" or "tool_use"', describe(type));
}

function systemEntry({ subtype, content, ...line }: JsonObject): TranscriptEntry {
  if (subtype === 'compact_boundary') {
    const kept = fieldOf(line['compactMetadata'], 'keptMessages') ?? 0;
    if (!Number.isInteger(kept) || Number(kept) < 0)
      throw new TranscriptFault('"keptMessages" as a whole number', describe(kept));
    return { kind: 'boundary', kept: Number(kept) };
  }
  if (subtype === 'microcompact_boundary') {
    const ids = fieldOf(line['microcompactMetadata'], 'compactedToolIds');
    if (!Array.isArray(ids)) throw new TranscriptFault('"compactedToolIds" as a list', describe(ids));
    return { kind: 'cut', ids: ids.map(String) };
  }
  if (subtype !== 'hook_additional_context') return NONE;
  if (typeof content !== 'string') throw new TranscriptFault('"content" with a text', describe(content));
  return { kind: 'words', text: content };
}

function messageOf({ message }: JsonObject, role: string): JsonObject {
  if (!isJsonObject(message)) throw new TranscriptFault('a "message"', describe(message));
  if (message['role'] !== role)
    throw new TranscriptFault(`a message of role ${JSON.stringify(role)}`, describe(message['role']));
  return message;
}

function usageIn(usage: unknown): Usage {
  const counts = isJsonObject(usage) ? usage : {};
  const count = (name: keyof Usage): number => {
    const value = counts[name];
    return typeof value === 'number' ? value : 0;
  };
  return {
    input_tokens: count('input_tokens'),
    output_tokens: count('output_tokens'),
    cache_creation_input_tokens: count('cache_creation_input_tokens'),
    cache_read_input_tokens: count('cache_read_input_tokens'),
  };
}

function fieldOf(value: unknown, key: string): unknown {
  return isJsonObject(value) ? value[key] : undefined;
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What kind of value it is, and a short text itself. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' && value.length > 60 ? 'a long text' : JSON.stringify(value);
}
