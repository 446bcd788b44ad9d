/** `--since 1h`, `--since 2026-11-30`: from when on. */
import { HookdError } from '../core/errors.ts';

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Milliseconds since 1970. Throws USAGE. */
export function parseSince(text: string, now = Date.now()): number {
  const ago = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text);
  if (ago !== null) return now - Number(ago[1]) * (UNITS[ago[2] ?? ''] ?? 0);
  // A date without a time is taken as the local day that people mean.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const time = /^\d{4}-\d\d-\d\d([T ]|$)/.test(text)
    ? Date.parse(isDay ? `${text}T00:00` : text)
    : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new HookdError(
    'USAGE',
    `--since takes a time ago or a date, such as 90s, 30m, 1h, 7d, 2026-11-30 or 2026-11-30T08:00Z, not ${JSON.stringify(text)}.`,
  );
}
