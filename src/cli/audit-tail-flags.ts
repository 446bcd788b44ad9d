/** The flags of `hookd audit tail` where they need no parser: the newest records are looked at often, and at once. */

/** How many records without `-n`. */
export const TAIL_COUNT = 20;

interface TailFlags {
  readonly count: number;
  readonly json: boolean;
}

/** Undefined for whatever is not plainly `-n N`, `--json`, or both. */
export function plainTailFlags(flags: readonly string[]): TailFlags | undefined {
  const json = flags[0] === '--json' || flags.at(-1) === '--json';
  const others = flags[0] === '--json' ? flags.slice(1) : json ? flags.slice(0, -1) : flags;
  const [name = '', count = ''] = others;
  if (others.length === 0) return { count: TAIL_COUNT, json };
  if (others.length !== 2 || !['-n', '--lines'].includes(name) || !/^\d{1,9}$/.test(count)) return undefined;
  return { count: Number(count), json };
}
