/** Whether a failed request is worth another, and when. Pure. */
import { ModelFailure } from './failure.ts';

/** The pause before the first repetition. */
const FIRST_RETRY_MS = 500;
const LONGEST_MS = 32_000;
/** An endpoint that asks for a longer pause gets none: a person decides better then. */
const PATIENCE_MS = 120_000;

/**
 * Milliseconds until the next try after `tries` failed ones, undefined when there is none: the failure would come again,
 * or the endpoint asks for more patience than we have. Doubles each time; what the endpoint asks for (`retry-after`) wins.
 * @param firstMs the pause after the first
 * @param random from 0 to 1: clients that failed together must not come back together
 */
export function retryDelayMs(
  error: unknown,
  tries: number,
  random: number,
  firstMs = FIRST_RETRY_MS,
): number | undefined {
  if (!(error instanceof ModelFailure) || !error.isTransient) return undefined;
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs <= PATIENCE_MS ? error.retryAfterMs : undefined;
  return Math.round(Math.min(firstMs * 2 ** (tries - 1), LONGEST_MS) * (0.75 + random / 4));
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date; undefined for none, and for what cannot be read. */
export function readRetryAfter(
  headers: { get(name: string): string | null } | undefined,
  now: number,
): number | undefined {
  const exact = headers?.get('retry-after-ms');
  if (exact !== null && exact !== undefined) return milliseconds(Number(exact || Number.NaN));
  const said = headers?.get('retry-after');
  if (said === null || said === undefined) return undefined;
  const seconds = Number(said || Number.NaN);
  return milliseconds(Number.isNaN(seconds) ? Date.parse(said) - now : seconds * 1000);
}

function milliseconds(value: number): number | undefined {
  return Number.isFinite(value) ? Math.max(0, Math.ceil(value)) : undefined;
}
