/** Which records somebody wants to see. */
import type { StoredRecord } from './chain.ts';

export interface RecordFilter {
  /** The id of a session, or how it begins. */
  readonly session?: string | undefined;
  /** Any of these; empty for all. */
  readonly kinds?: readonly string[] | undefined;
  /** A tool by its name, in any case. */
  readonly tool?: string | undefined;
  readonly decision?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
}

export function fits(
  record: StoredRecord,
  { session, kinds = [], tool, decision, since }: RecordFilter,
): boolean {
  return (
    (session === undefined || record.session?.startsWith(session) === true) &&
    (kinds.length === 0 || kinds.includes(record.kind)) &&
    (tool === undefined || toolOf(record)?.toLowerCase() === tool.toLowerCase()) &&
    (decision === undefined || record['decision'] === decision) &&
    (since === undefined || Date.parse(record.time) >= since)
  );
}

/** The tool that a record names. */
export function toolOf(record: StoredRecord): string | undefined {
  const name = record['tool'] ?? (record.kind === 'tool_use' ? record['name'] : record['subject']);
  return typeof name === 'string' ? name : undefined;
}

/**
 * Tells from a line's bytes that its record does not fit, without parsing it: a record that fits holds these bytes,
 * because that is how records are written.
 */
export function mayFit({ session, kinds = [], decision }: RecordFilter): (bytes: Buffer) => boolean {
  const all = [
    ...(session === undefined ? [] : [`"session":${JSON.stringify(session).slice(0, -1)}`]),
    ...(decision === undefined ? [] : [`"decision":${JSON.stringify(decision)}`]),
  ].map((text) => Buffer.from(text));
  const any = kinds.map((kind) => Buffer.from(`"kind":${JSON.stringify(kind)}`));
  return (bytes) =>
    all.every((needle) => bytes.includes(needle)) &&
    (any.length === 0 || any.some((needle) => bytes.includes(needle)));
}
