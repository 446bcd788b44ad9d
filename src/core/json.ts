/** Tells apart what was read as JSON. */
import type { JsonObject } from './vocabulary.ts';

/** For values that came out of a JSON text: what an object holds is then JSON too. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one: for reading fields of what may be none. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
