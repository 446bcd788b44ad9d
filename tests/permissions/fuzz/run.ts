/** Random commands, what bash did with each, and what the analysis had not foreseen. */
import { Random } from '../../support/random.ts';
import { CommandMaker } from './commands.ts';
import { compare } from './coverage.ts';
import { mutate } from './mutate.ts';
import { type Observed, runInBash } from './real-bash.ts';

export interface Miss {
  readonly text: string;
  readonly misses: readonly string[];
}

export interface Tally {
  cases: number;
  /** Cases in which bash started anything, or wrote a file; the others show nothing. */
  active: number;
  /** Of these: cases that the analysis said it cannot tell, by its reason. */
  readonly cannotTell: Map<string, number>;
  /** Commands and files that were found word for word, of all there were. */
  exact: number;
  seen: number;
  /** Cases that waited for something and were ended. */
  hung: number;
  readonly misses: Miss[];
}

/** As many cases as one bash goes through in one go. */
const BATCH = 100;
const MUTATED = 0.1;

/** Always the same for the same count and seed. `after` is told after each batch. */
export async function fuzzShell(count: number, seed: number, after?: (tally: Tally) => void): Promise<Tally> {
  const tally = emptyTally();
  const batches = batchesOf(count, seed);
  const worker = async (): Promise<void> => {
    for (let texts = batches.pop(); texts !== undefined; texts = batches.pop()) {
      for (const observed of await runInBash(texts)) countIn(tally, observed);
      after?.(tally);
    }
  };
  await Promise.all([worker(), worker()]);
  return tally;
}

function emptyTally(): Tally {
  return { cases: 0, active: 0, cannotTell: new Map(), exact: 0, seen: 0, hung: 0, misses: [] };
}

function batchesOf(count: number, seed: number): string[][] {
  const random = new Random(seed);
  const texts = Array.from({ length: count }, () => {
    const text = new CommandMaker(random).text();
    return random.chance(MUTATED) ? mutate(text, random) : text;
  });
  const batches: string[][] = [];
  for (let at = 0; at < count; at += BATCH) batches.push(texts.slice(at, at + BATCH));
  return batches;
}

function countIn(tally: Tally, observed: Observed | undefined): void {
  tally.cases++;
  if (observed === undefined) {
    tally.hung++;
    return;
  }
  const { misses, cannotTell, exact } = compare(observed);
  const seen = observed.executed.length + observed.written.length;
  if (seen > 0) {
    tally.active++;
    if (cannotTell !== undefined) {
      const why = kindOf(cannotTell);
      tally.cannotTell.set(why, (tally.cannotTell.get(why) ?? 0) + 1);
    }
  }
  tally.exact += exact;
  tally.seen += seen;
  if (misses.length > 0)
    tally.misses.push({
      text: observed.text,
      misses: misses.map((one) => one.replaceAll(observed.cwd, '.')),
    });
}

/** The reason without the words of the one command. */
function kindOf(why: string): string {
  return why
    .replace(/\(.*\)/s, '(…)')
    .replace(/word .* is known/s, 'word … is known')
    .replace(/^\S+ (?=holds|names|may )/, '… ');
}

/** A shorter text that is still missed: pieces are left out as long as that is so. */
export async function shrink({ text, misses }: Miss): Promise<Miss> {
  let best: Miss = { text, misses };
  for (let size = Math.ceil(text.length / 2); size >= 1; ) {
    const { length } = best.text;
    const shorter = Array.from({ length: Math.ceil(length / size) }, (_, index) => {
      return best.text.slice(0, index * size) + best.text.slice((index + 1) * size);
    });
    const found = await firstMissed(shorter.filter((one) => one !== ''));
    if (found !== undefined) best = found;
    else size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return best;
}

async function firstMissed(texts: readonly string[]): Promise<Miss | undefined> {
  const tally = emptyTally();
  for (const observed of await runInBash(texts)) countIn(tally, observed);
  return tally.misses[0];
}
