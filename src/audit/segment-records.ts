/** Records that the writer itself makes: about its files and its place in the chain, not about what hookd does. */
import type { HookdError } from '../core/errors.ts';
import type { Link } from './chain.ts';
import type { ChannelSettings } from './channel-settings.ts';
import type { Body } from './pending.ts';

export type RotationReason = 'size' | 'day';

/** Why a segment of this size, begun at that time, is left now; undefined when it is not. Days are those of UTC, as in the records. */
export function rotationDue(
  { rotateBytes, rotateDaily }: ChannelSettings,
  size: number,
  begun: Date,
  now: Date,
): RotationReason | undefined {
  if (size === 0) return undefined;
  if (size >= rotateBytes) return 'size';
  return rotateDaily && dayOf(begun) !== dayOf(now) ? 'day' : undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function dayOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS);
}

/** The first record of a segment that goes on where a full one ended. */
export function rotatedBody(now: Date, reason: RotationReason, after: Link, previous: string): Body {
  return bodyOf(now, 'segment_rotated', { reason, after: after.hash, previous });
}

/** The first record of a segment that goes on where a failed one was left. */
export function startedBody(
  now: Date,
  failure: HookdError,
  after: Link,
  abandoned: string,
  repeated: number,
): Body {
  const { code: reason, message: detail } = failure;
  return bodyOf(now, 'segment_started', { reason, detail, after: after.hash, abandoned, repeated });
}

/** How many records the chain holds, and the hash of the last one: something short to keep elsewhere. */
export function checkpointBody(now: Date, { seq, hash }: Link): Body {
  return bodyOf(now, 'checkpoint', { count: seq, head: hash });
}

function bodyOf(now: Date, kind: string, fields: Readonly<Record<string, unknown>>): Body {
  return JSON.stringify({ time: now.toISOString(), kind, ...fields });
}
