/** Tells apart what was read as JSON. */
import type { JsonObject } from './vocabulary.ts';

/** For values that came out of a JSON text: what an object holds is then JSON too. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
