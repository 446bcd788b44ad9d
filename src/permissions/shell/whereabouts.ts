/** Where the shell may be while a command text runs: a `cd` may fail, so every directory it may have left stays possible. */
import { resolve } from 'node:path';
import { seeThrough } from './paths.ts';
import { placeOfName } from './variables.ts';
import type { ShellWord } from './word.ts';

/** More places to be at once than this are not followed. */
const MOST_DIRECTORIES = 12;
/** Nobody changes the directory this often in one command; what is built to be endless is not followed. */
const MOST_MOVES = 32;

export class Whereabouts {
  cwds: readonly string[];
  /** A `cd` whose goal is not known. */
  lost = false;
  moves = 0;
  readonly #home: string;

  constructor(cwds: readonly string[], home: string) {
    this.cwds = cwds;
    this.#home = home;
  }

  get endless(): boolean {
    return this.moves > MOST_MOVES;
  }

  /** Keeps account of where the shell may be after the command. */
  follow(words: readonly ShellWord[]): void {
    const at = placeOfName(words);
    const name = words[at]?.value ?? '';
    // Code that runs in this very shell may move it, and is analysed on its own.
    const moves =
      /^(?:eval|source|\.)$/.test(name) && words.some(({ value }) => /\b(?:cd|pushd|popd)\b/.test(value));
    if (moves || name === 'popd') this.lost = true;
    if (name !== 'cd' && name !== 'pushd') return;
    this.moves++;
    const goals = words
      .slice(at + 1)
      .flatMap((word) => word.guesses)
      .filter((goal) => !goal.startsWith('-') || goal === '-');
    if (goals.length === 0) goals.push(this.#home);
    if (goals.includes('-') || words.some((word) => word.kind === 'dynamic' || word.kind === 'glob'))
      this.lost = true;
    if (this.endless) return;
    const reached = goals.flatMap((goal) =>
      this.cwds.map((cwd) => resolve(cwd, seeThrough(goal, cwd, this.#home))),
    );
    const cwds = [...new Set([...this.cwds, ...reached])];
    if (cwds.length > MOST_DIRECTORIES) this.lost = true;
    this.cwds = cwds.slice(0, MOST_DIRECTORIES);
  }
}
