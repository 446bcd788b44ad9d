/** Measures one case: all contestants in turns, round by round, each against the floor of the same round. */
import type { Aim, PlayCase, Size } from './cases.ts';
import { type Contestant, FLOOR } from './contestants.ts';
import type { EngineCase } from './engine-cases.ts';
import type { MessagesApi } from './messages-api.ts';
import { type Played, play } from './play.ts';
import { isNoisy, type Spread, spreadOf } from './statistics.ts';

export type Case = PlayCase | EngineCase;

export interface Measurement {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly floor: Spread;
  readonly contestants: readonly Standing[];
}

/** One contestant beside the floor; `ratio` is the median of the rounds' own ratios. */
export interface Standing {
  readonly name: string;
  readonly value: Spread;
  readonly ratio: Spread;
  readonly isNoisy: boolean;
  /** Of hookd, where something is promised. */
  readonly aim?: { readonly words: string; readonly isKept: boolean };
}

export interface Settings {
  readonly api: MessagesApi;
  readonly contestants: readonly Contestant[];
  readonly runs: number;
  readonly size: Size;
  readonly plays: Map<string, Promise<readonly Played[]>>;
}

export async function measure(one: Case, settings: Settings): Promise<Measurement> {
  const figures = one.kind === 'engine' ? await ofEngine(one, settings) : await ofPlays(one, settings);
  const floor = figures.get(FLOOR.name) ?? [];
  const standings = [...figures].filter(([name]) => name !== FLOOR.name);
  return {
    name: one.name,
    title: one.title,
    unit: one.unit,
    floor: spreadOf(floor),
    contestants: standings.map(([name, values]) => {
      const ratio = spreadOf(values.map((value, round) => value / (floor[round] ?? Number.NaN)));
      const over = spreadOf(values.map((value, round) => value - (floor[round] ?? Number.NaN)));
      const judged =
        name === 'hookd' && one.aim !== undefined ? { aim: judge(one.aim, ratio.median, over.median) } : {};
      return { name, value: spreadOf(values), ratio, isNoisy: isNoisy(ratio), ...judged };
    }),
  };
}

type Figures = ReadonlyMap<string, readonly number[]>;

async function ofEngine(one: EngineCase, { size, runs }: Settings): Promise<Figures> {
  const rounds = await one.measure(size, runs);
  return new Map([
    [FLOOR.name, rounds.map(({ floor }) => floor)],
    ['hookd', rounds.map(({ hookd }) => hookd)],
  ]);
}

async function ofPlays(one: PlayCase, settings: Settings): Promise<Figures> {
  const { contestants, runs } = settings;
  const able = [FLOOR, ...contestants.filter(({ settings }) => !one.needsSettings || settings !== undefined)];
  const figures = new Map<string, number[]>(able.map(({ name }) => [name, []]));
  for (let round = 0; round < runs; round++) {
    // Who goes first changes: what warms up serves each alike.
    const order = round % 2 === 0 ? able : able.toReversed();
    for (const contestant of order) {
      const played = await playedOnce(one, contestant, round, settings);
      figures.get(contestant.name)?.push(one.figure(played, contestant));
    }
  }
  return figures;
}

/** Several cases look at the same plays: these are played once a round. */
function playedOnce(
  one: PlayCase,
  contestant: Contestant,
  round: number,
  { api, size, plays }: Settings,
): Promise<readonly Played[]> {
  const script = one.script(size);
  const sessions = size === 'full' ? one.sessions : 1;
  const key = JSON.stringify([contestant.name, round, sessions, script, script.onRequest !== undefined]);
  const known = plays.get(key);
  if (known !== undefined) return known;
  const playing = Promise.all(Array.from({ length: sessions }, () => play(api, contestant, script)));
  plays.set(key, playing);
  return playing;
}

function judge(aim: Aim, ratio: number, over: number): { readonly words: string; readonly isKept: boolean } {
  if (aim.kind === 'over') return { words: `≤ floor + ${aim.atMostMs} ms`, isKept: over <= aim.atMostMs };
  if ('atMost' in aim) return { words: `≤ ${aim.atMost}`, isKept: ratio <= aim.atMost };
  return { words: `≥ ${aim.atLeast}`, isKept: ratio >= aim.atLeast };
}
