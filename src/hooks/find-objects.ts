/** JSON objects in the middle of other text, found in bounded time. */
import { isJsonObject } from '../core/json.ts';
import type { JsonObject } from '../core/vocabulary.ts';

/** Characters looked at before we give up: text made of opening braces would otherwise take for ever. */
const BUDGET = 64 * 1024 * 1024;

export interface FoundObjects {
  readonly objects: readonly JsonObject[];
  /** False: the search was given up, there may be more. */
  readonly complete: boolean;
}

/** The outermost objects, in their order; objects inside of objects are part of them. */
export function findObjects(text: string, budget = BUDGET): FoundObjects {
  const objects: JsonObject[] = [];
  const starts = /\{\s*["}]/g;
  let left = budget;
  for (let start = starts.exec(text); start !== null; start = starts.exec(text)) {
    const { end, looked } = closingBrace(text, start.index);
    left -= looked;
    if (left < 0) return { objects, complete: false };
    const object = end === undefined ? undefined : parseObject(text.slice(start.index, end));
    if (object !== undefined && end !== undefined) objects.push(object);
    starts.lastIndex = object !== undefined && end !== undefined ? end : start.index + 1;
  }
  return { objects, complete: true };
}

export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The index after the brace that closes the one at `start`. */
function closingBrace(text: string, start: number): { end?: number; looked: number } {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
      // No JSON string goes over a line's end: this quote was none.
      else if (character === '\n') return { looked: index - start };
    } else if (character === '"') inString = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return { end: index + 1, looked: index - start };
  }
  return { looked: text.length - start };
}
