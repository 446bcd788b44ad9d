/** Reads server-sent events from chunks of text. */

export interface ServerEvent {
  readonly event: string;
  readonly id: number | undefined;
  readonly data: string;
}

/** Comments are passed over; what stands after the last blank line was not whole and does not count. */
export async function* readEvents(chunks: AsyncIterable<string>): AsyncGenerator<ServerEvent, void> {
  let rest = '';
  for await (const chunk of chunks) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

function parseBlock(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const id = fields.get('id');
  return { event: fields.get('event') ?? 'message', id: id === undefined ? undefined : Number(id), data };
}
