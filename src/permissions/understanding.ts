/** A command taken apart, and everything that it may run: once for all who ask about the same call (conditions of hooks, the gate, its last look). */
import { type Reach, reachOf } from './reach.ts';
import { type Analysis, analyseCommand, type ShellStart } from './shell/commands.ts';

export interface Understanding {
  readonly analysis: Analysis;
  readonly reach: Reach;
}

/** Enough for the calls of many sessions at once. */
const MOST_KEPT = 16;
/** Longer texts are rare, and would hold memory. */
const LONGEST_KEPT = 4096;

interface Kept {
  readonly text: string;
  readonly start: ShellStart;
  readonly understanding: Understanding;
}

/** Each new one takes the place of the oldest. */
const kept: Kept[] = [];
let oldest = 0;

/** Depends on nothing but its arguments: no file is looked at. */
export function understandCommand(text: string, start: ShellStart): Understanding {
  if (text.length > LONGEST_KEPT || start.cwds !== undefined) return understand(text, start);
  for (const known of kept)
    if (known.text === text && isSameStart(known.start, start)) return known.understanding;
  const understanding = understand(text, start);
  kept[oldest] = { text, start, understanding };
  oldest = (oldest + 1) % MOST_KEPT;
  return understanding;
}

/** Variables are the same where they are the same map, which nobody changes: each workplace has one. */
function isSameStart(one: ShellStart, other: ShellStart): boolean {
  if (one === other) return true;
  const { unset = NONE } = one;
  const { unset: others = NONE } = other;
  return (
    one.cwd === other.cwd &&
    one.home === other.home &&
    one.variables === other.variables &&
    unset.size === others.size &&
    [...unset].every((name) => others.has(name))
  );
}

const NONE: ReadonlySet<string> = new Set();

/** Options of the shell may be set in it, the expansion of braces among them: `set +B`, `{se,+xB}t`. */
const TOUCHES_BRACES = /\+\w*B|braceexpand|\bset\b|SHELLOPTS/;
/** How a word is written, and no part of it. */
const QUOTES = /["'\\\n]/g;

const touchesBraces = (text: string): boolean =>
  TOUCHES_BRACES.test(text) || TOUCHES_BRACES.test(text.replace(QUOTES, ''));

/** Written out: spreading it costs as much as the parse of a plain command. */
const withBraces = ({ cwd, home, cwds, variables, unset }: ShellStart, braces: boolean): ShellStart => ({
  cwd,
  home,
  cwds,
  variables,
  unset,
  braces,
});

function understand(text: string, start: ShellStart): Understanding {
  const analysis = analyseCommand(text, withBraces(start, !touchesBraces(text)));
  return { analysis, reach: reachOf(analysis, start) };
}
