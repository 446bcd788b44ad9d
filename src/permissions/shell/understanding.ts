/** A command taken apart, and everything that it may run: once for all who ask about the same call (conditions of hooks, the gate, its last look). */
import { type Analysis, analyseCommand, type ShellStart } from './commands.ts';
import { type Reach, reachOf } from './reach.ts';

export interface Understanding {
  readonly analysis: Analysis;
  readonly reach: Reach;
}

/** Enough for the calls of many sessions at once; the oldest goes first. */
const MOST_KEPT = 16;
/** Longer texts are rare, and would hold memory. */
const LONGEST_KEPT = 4096;

const kept = new Map<string, Understanding>();

/** Depends on nothing but its arguments: no file is looked at. */
export function understandCommand(text: string, start: ShellStart): Understanding {
  if (text.length > LONGEST_KEPT || start.cwds !== undefined) return understand(text, start);
  const { cwd, home, variables = [], unset = [] } = start;
  const key = [cwd, home, JSON.stringify([...variables]), [...unset].join(), text].join('\0');
  const known = kept.get(key);
  if (known !== undefined) return known;
  const understanding = understand(text, start);
  for (const oldest of kept.keys()) {
    if (kept.size < MOST_KEPT) break;
    kept.delete(oldest);
  }
  kept.set(key, understanding);
  return understanding;
}

/** Options of the shell may be set in it, the expansion of braces among them. */
const TOUCHES_BRACES = /\+B|braceexpand|\bset\b|SHELLOPTS/;

function understand(text: string, start: ShellStart): Understanding {
  const analysis = analyseCommand(text, { ...start, braces: !TOUCHES_BRACES.test(text) });
  return { analysis, reach: reachOf(analysis, start) };
}
