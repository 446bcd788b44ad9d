/** The cases of the bench, in one table: each is a figure of a play, taken of the floor and of each other contestant in turns. */
import { writeFileSync } from 'node:fs';
import type { Contestant } from './contestants.ts';
import type { Turn } from './messages-api.ts';
import { type Play, type Played, settingsText } from './play.ts';
import { median, quantile } from './statistics.ts';

/** What is promised, against the floor. */
export type Aim =
  | { readonly kind: 'ratio'; readonly atMost: number }
  | { readonly kind: 'ratio'; readonly atLeast: number }
  | { readonly kind: 'over'; readonly atMostMs: number };

export interface Named {
  readonly name: string;
  readonly title: string;
  readonly unit: 'ms' | 'MB' | '/s';
  readonly aim?: Aim;
}

/** Agents play a script against the scripted API. */
export interface PlayCase extends Named {
  readonly kind: 'play';
  readonly script: (size: Size) => Play;
  /** Agents that play at the same time. */
  readonly sessions: number;
  readonly figure: (played: readonly Played[], contestant: Contestant) => number;
  readonly needsSettings: boolean;
}

/** `smoke` is for the tests: every case, next to nothing of each. */
export type Size = 'full' | 'smoke';

const CALLS = { full: 50, smoke: 10 } as const;
/** In a smoke run all cases with hooks or rules are one and the same play. */
const SMOKE = { streams: true, hooks: ['true'], rules: 50 } as const;
const SMOKE_CALLS = 2;
const MANY_CALLS = { full: 1000, smoke: 10 } as const;
const RULES_SHOWN = [0, 500, 5000] as const;

const read = { name: 'Read', input: { file_path: 'a.txt' } };
const bash = { name: 'Bash', input: { command: 'true' } };

export function calls(count: number, { name, input }: typeof read | typeof bash): readonly Turn[] {
  return Array.from({ length: count }, (_, n) => [{ type: 'tool_use', id: `toolu_${n}`, name, input }]);
}

const plain = { streams: true, hooks: [], rules: 0 } as const;
const gap = (played: readonly Played[]) => median(played.flatMap(({ gapsMs }) => gapsMs));
const alone = { kind: 'play', sessions: 1, unit: 'ms', needsSettings: false } as const;

function gapCase(
  name: string,
  title: string,
  tool: typeof read | typeof bash,
  more: Partial<Play> = {},
): PlayCase {
  const { hooks = [], rules = 0 } = more;
  const needsSettings = hooks.length > 0 || rules > 0;
  const script = (size: Size): Play =>
    size === 'full' || !needsSettings
      ? { turns: calls(CALLS[size], tool), ...plain, ...more }
      : { turns: calls(SMOKE_CALLS, bash), ...SMOKE };
  return { ...alone, name, title, script, figure: gap, needsSettings };
}

const hooksCase = (name: string, title: string, hooks: readonly string[]): PlayCase => ({
  ...gapCase(name, title, read, { hooks }),
  aim: { kind: 'ratio', atMost: 1.25 },
});

/** No two alike: duplicates run once. */
const manyHooks = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => (n === 0 ? 'true' : `true ${n}`));

const perCall: Aim = { kind: 'over', atMostMs: 1.5 };
const tenth = (gaps: readonly number[], part: 'second' | 'last') => {
  const size = Math.floor(gaps.length / 10);
  return median(part === 'last' ? gaps.slice(-size) : gaps.slice(size, 2 * size));
};

export const PLAY_CASES: readonly PlayCase[] = [
  { ...gapCase('read', '50 Read calls, a call', read), aim: perCall },
  {
    ...gapCase('read-plain', '50 Read calls, responses not streamed', read, { streams: false }),
    aim: perCall,
  },
  { ...gapCase('bash', '50 Bash calls `true`, a call', bash), aim: perCall },
  {
    ...gapCase('read-cpu', '50 Read calls, processor time a call', read),
    figure: ([played]) => played?.cpuMsACall ?? Number.NaN,
  },
  hooksCase('hooks-1', '1 hook `true`, a Read call', ['true']),
  hooksCase('hooks-4', '4 hooks `true`', manyHooks(4)),
  hooksCase('hooks-16', '16 hooks `true`', manyHooks(16)),
  hooksCase('hook-python', 'a Python hook that reads its payload', [
    "python3 -c 'import json, sys; json.load(sys.stdin)'",
  ]),
  hooksCase('hook-node', 'a Node hook that reads its payload', [
    `node -e 'JSON.parse(require("fs").readFileSync(0, "utf8"))'`,
  ]),
  ...RULES_SHOWN.map((rules) => ({
    ...gapCase(`rules-${rules}`, `${rules.toLocaleString('en')} rules, a Bash call`, bash, { rules }),
    aim: perCall,
  })),
  {
    ...alone,
    name: 'first-request',
    title: 'start to the first request',
    script: () => ({ turns: [], ...plain }),
    figure: ([played]) => played?.firstMs ?? Number.NaN,
    aim: { kind: 'ratio', atMost: 1.1 },
  },
  {
    ...alone,
    name: 'first-request-cpu',
    title: 'start to the first request, processor time',
    script: () => ({ turns: [], ...plain }),
    figure: ([played]) => played?.firstCpuMs ?? Number.NaN,
  },
  {
    ...alone,
    name: 'memory',
    title: 'peak memory of 50 Read calls',
    unit: 'MB',
    script: (size) => ({ turns: calls(CALLS[size], read), ...plain }),
    figure: ([played]) => played?.peakMb ?? Number.NaN,
    aim: { kind: 'ratio', atMost: 1.2 },
  },
  {
    ...alone,
    name: 'long-early',
    title: '1,000 Read calls in one session: the second hundred',
    script: (size) => ({ turns: calls(MANY_CALLS[size], read), ...plain }),
    figure: ([played]) => tenth(played?.gapsMs ?? [], 'second'),
    aim: perCall,
  },
  {
    ...alone,
    name: 'long-late',
    title: '1,000 Read calls in one session: the last hundred',
    script: (size) => ({ turns: calls(MANY_CALLS[size], read), ...plain }),
    figure: ([played]) => tenth(played?.gapsMs ?? [], 'last'),
    aim: perCall,
  },
  {
    ...alone,
    name: 'long-cpu',
    title: '1,000 Read calls in one session, processor time a call',
    script: (size) => ({ turns: calls(MANY_CALLS[size], read), ...plain }),
    figure: ([played]) => played?.cpuMsACall ?? Number.NaN,
  },
  {
    ...alone,
    name: 'sessions-8',
    title: '8 sessions at once, 50 Read calls each, 9 of 10 calls within',
    sessions: 8,
    script: (size) => ({ turns: calls(CALLS[size], read), ...plain }),
    figure: (played) =>
      quantile(
        played.flatMap(({ gapsMs }) => gapsMs),
        0.9,
      ),
  },
  saveCase(),
];

/** Before each call a rule is saved that denies it, or allows it again: each save must bite at once. */
function saveCase(): PlayCase {
  const script = (size: Size): Play => ({
    turns: calls(Math.max(4, CALLS[size]), bash),
    ...plain,
    onRequest: (index, settings) => {
      if (settings !== '')
        writeFileSync(settings, settingsText([], 0, isDenied(index) ? ['Bash(true)'] : []));
    },
  });
  return {
    ...alone,
    name: 'save',
    title: 'a rule is saved before each call: until it has bitten',
    needsSettings: true,
    script,
    figure: ([played], { settings }) => {
      const { gapsMs = [], refused = [] } = played ?? {};
      if (settings === undefined) return median(gapsMs);
      const late = refused.filter((wasRefused, index) => wasRefused !== isDenied(index)).length;
      if (late > 0) throw new Error(`${late} of ${refused.length} calls were judged by older settings`);
      return median(gapsMs.filter((_, index) => isDenied(index)));
    },
  };
}

const isDenied = (index: number): boolean => index % 2 === 0;
