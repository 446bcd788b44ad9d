/** What the Messages API refuses with 400: the first fault of a request body, in the API's words where they are known. */

type Fields = Record<string, unknown>;
interface Turn {
  readonly role: string;
  readonly blocks: readonly Fields[];
}

const FIELDS = new Set([
  ...['model', 'max_tokens', 'messages', 'system', 'tools', 'tool_choice', 'stream', 'metadata'],
  ...['stop_sequences', 'temperature', 'top_k', 'top_p', 'thinking', 'service_tier'],
]);

export function requestFault(body: unknown): string | undefined {
  if (!isObject(body)) return 'The request body is not valid JSON';
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  if (typeof body['model'] !== 'string' || body['model'] === '') return 'model: Field required';
  const { max_tokens, messages, tools } = body;
  if (max_tokens === undefined) return 'max_tokens: Field required';
  if (typeof max_tokens !== 'number' || !Number.isInteger(max_tokens) || max_tokens < 1) {
    return 'max_tokens: Input should be greater than or equal to 1';
  }
  if (!Array.isArray(messages)) return 'messages: Field required';
  if (messages.length === 0) return 'messages: at least one message is required';
  return toolsFault(tools) ?? messages.map(messageFault).find(isString) ?? pairingFault(merged(messages));
}

function toolsFault(tools: unknown): string | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return 'tools: Input should be a valid list';
  const names = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    if (!isObject(tool)) return `tools.${index}: Input should be a valid dictionary`;
    const { name, input_schema } = tool;
    if (!isString(name) || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    }
    if (names.has(name)) return 'tools: Tool names must be unique.';
    names.add(name);
    if (!isObject(input_schema)) return `tools.${index}.custom.input_schema: Field required`;
    if (input_schema['type'] !== 'object') {
      return `tools.${index}.custom.input_schema.type: Input should be 'object'`;
    }
  }
  return undefined;
}

function messageFault(message: unknown, index: number, all: readonly unknown[]): string | undefined {
  const at = `messages.${index}`;
  if (!isObject(message)) return `${at}: Input should be a valid dictionary`;
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') return `${at}.role: Input should be 'user' or 'assistant'`;
  if (index === 0 && role !== 'user') return 'messages: first message must use the "user" role';
  if (!isString(content) && !Array.isArray(content)) return `${at}.content: Field required`;
  const last = index === all.length - 1;
  if (content.length === 0 && !(last && role === 'assistant')) {
    return `${at}: all messages must have non-empty content except for the optional final assistant message`;
  }
  if (isString(content)) return undefined;
  return content
    .map((block: unknown, number) => blockFault(block, role, `${at}.content.${number}`))
    .find(isString);
}

function blockFault(block: unknown, role: string, at: string): string | undefined {
  if (!isObject(block)) return `${at}: Input should be a valid dictionary`;
  switch (block['type']) {
    case 'text':
      if (!isString(block['text'])) return `${at}.text.text: Field required`;
      return block['text'].trim() === ''
        ? 'messages: text content blocks must contain non-whitespace text'
        : undefined;
    case 'tool_use':
      if (role !== 'assistant') return `${at}: tool_use blocks can only be in assistant messages`;
      if (!isString(block['id']) || !/^[a-zA-Z0-9_-]+$/.test(block['id'])) {
        return `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      }
      if (!isString(block['name']) || block['name'] === '') return `${at}.tool_use.name: Field required`;
      return isObject(block['input'])
        ? undefined
        : `${at}.tool_use.input: Input should be a valid dictionary`;
    case 'tool_result':
      if (role !== 'user') return `${at}: tool_result blocks can only be in user messages`;
      if (!isString(block['tool_use_id'])) return `${at}.tool_result.tool_use_id: Field required`;
      return undefined;
    default:
      return `${at}: Input tag '${String(block['type'])}' found using 'type' does not match any of the expected tags`;
  }
}

/** Each tool_use is answered by exactly one tool_result, first thing in the next user turn; nothing else is answered. */
function pairingFault(turns: readonly Turn[]): string | undefined {
  const seen = new Set<unknown>();
  for (const [index, { blocks }] of turns.entries()) {
    const asked = blocks.filter((block) => block['type'] === 'tool_use').map((block) => block['id']);
    for (const id of asked) {
      if (seen.has(id)) return 'messages: `tool_use` ids must be unique';
      seen.add(id);
    }
    const next = turns[index + 1]?.blocks ?? [];
    const other = next.findIndex((block) => block['type'] !== 'tool_result');
    const leading = next.slice(0, other === -1 ? next.length : other).map((block) => block['tool_use_id']);
    const missing = asked.filter((id) => !leading.includes(id));
    if (missing.length > 0) {
      const ids = missing.join(', ');
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
    const twice = leading.find((id, at) => leading.indexOf(id) !== at);
    if (twice !== undefined) {
      return `messages.${index + 1}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${String(twice)}`;
    }
    const before = turns[index - 1]?.blocks.map((block) => block['id']) ?? [];
    const stray = blocks.find(
      (block) => block['type'] === 'tool_result' && !before.includes(block['tool_use_id']),
    );
    if (stray !== undefined) {
      return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(stray['tool_use_id'])}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
  }
  return undefined;
}

/** Neighbours with the same role count as one turn. */
function merged(messages: readonly Fields[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const { role, content } of messages) {
    const blocks = Array.isArray(content) ? (content as Fields[]) : [{ type: 'text', text: content }];
    const previous = turns.at(-1);
    if (previous !== undefined && previous.role === role)
      turns.splice(-1, 1, { role: previous.role, blocks: [...previous.blocks, ...blocks] });
    else turns.push({ role: String(role), blocks });
  }
  return turns;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
