/** How deep JSON from outside may nest. What reads it later (records, schemas, hooks) does so by recursion. */

/** Far more than any tool's input needs, and far less than any stack holds. */
export const MAX_DEPTH = 200;

/** What stands in a tool_use in place of an input that nests deeper: no tool's schema takes a text. */
export const TOO_DEEP = `(an input that nests deeper than ${MAX_DEPTH} levels, which is not taken)`;

/** Of a value as JSON has it; reads it without recursion. */
export function isTooDeep(value: unknown): boolean {
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    const depth = next.depth + 1;
    if (depth > MAX_DEPTH) return true;
    for (const item of Object.values(next.value)) left.push({ value: item, depth });
  }
  return false;
}

/** Where a JSON text first opens a level too many; undefined when it does not. */
export function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > MAX_DEPTH) return at;
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return undefined;
}

/** For the text of an error: never a throw. */
export function jsonText(value: unknown): string {
  return isTooDeep(value) ? `JSON that nests deeper than ${MAX_DEPTH} levels` : (JSON.stringify(value) ?? '');
}
