/** Rules by what every call that they fit must hold, so that a decision looks at few of many. The order of the list stays. */
import type { CommandPattern, ExactCommand } from './command-rule.ts';
import type { PathPattern } from './path-rule.ts';

export class RuleIndex<T> {
  readonly #rules: readonly T[];
  readonly #placesOf = new Map<string, number[]>();
  /** Rules that can only be found by trying them. */
  readonly #always: readonly number[];
  readonly #alwaysRules: readonly T[];
  /** Most paths lie in the directory of the one before: whether its own names are keys. */
  #lastDirectory: string | undefined;
  #isKeyed = false;

  /** `keysOf` gives keys of which a call must hold one; `undefined` where none can be named. */
  constructor(rules: readonly T[], keysOf: (rule: T) => readonly string[] | undefined) {
    this.#rules = rules;
    const always: number[] = [];
    for (const [place, rule] of rules.entries()) {
      const keys = keysOf(rule);
      if (keys === undefined) always.push(place);
      for (const key of new Set(keys)) {
        const places = this.#placesOf.get(key);
        if (places === undefined) this.#placesOf.set(key, [place]);
        else places.push(place);
      }
    }
    this.#always = always;
    this.#alwaysRules = always.flatMap((place) => rules[place] ?? []);
  }

  /** The rules that may fit a call with these keys, in the order of the list. */
  candidates(keys: Iterable<string>): readonly T[] {
    let places: number[] | undefined;
    for (const key of keys) {
      const more = this.#placesOf.get(key);
      if (more !== undefined)
        places = places === undefined ? [...this.#always, ...more] : [...places, ...more];
    }
    // Most calls are about no rule of their own.
    if (places === undefined) return this.#alwaysRules;
    return [...new Set(places)].sort((a, b) => a - b).flatMap((place) => this.#rules[place] ?? []);
  }

  /** False when no rule can fit a call with these keys. */
  mayFit(keys: readonly string[]): boolean {
    return this.#always.length > 0 || keys.some((key) => this.#placesOf.has(key));
  }

  /** False when no rule can fit a path, whose keys are `keysOfPath`: told without a list of them. */
  mayFitPath(path: string): boolean {
    if (this.#always.length > 0) return true;
    const slash = path.lastIndexOf('/');
    if (slash >= 0 && this.#isKeyedDirectory(path.slice(0, slash))) return true;
    const last = path.slice(slash + 1).toLowerCase();
    return this.#placesOf.has(last) || (last.endsWith(' ') && this.#placesOf.has(last.trimEnd()));
  }

  #isKeyedDirectory(directory: string): boolean {
    if (directory !== this.#lastDirectory) {
      this.#isKeyed = directory
        .toLowerCase()
        .split('/')
        .some((name) => this.#placesOf.has(name));
      this.#lastDirectory = directory;
    }
    return this.#isKeyed;
  }
}

/** Up to the first blank. A text that fits a pattern begins as it does. */
export function firstWord(text: string): string {
  const end = text.indexOf(' ');
  return end < 0 ? text : text.slice(0, end);
}

export function keysOfCommand(pattern: CommandPattern): readonly string[] | undefined {
  switch (pattern.kind) {
    case 'exact':
      return [firstWord(pattern.text), ...keysOfWords(pattern.words)];
    case 'prefix':
      return [...pattern.prefixes, ...pattern.plain].map(firstWord);
    case 'stars': {
      const [begin = ''] = pattern.wildcard.pieces;
      return begin.includes(' ') ? [firstWord(begin)] : undefined;
    }
  }
}

export function keysOfExact({ raw, rendered, words }: ExactCommand): readonly string[] {
  return [firstWord(raw), firstWord(rendered), ...keysOfWords(words)];
}

function keysOfWords(words: readonly string[] | undefined): readonly string[] {
  return words === undefined ? [] : [words[0] ?? '', firstWord(words[0] ?? '')];
}

/** The longest segment of the pattern without a mark of its own: a path that it covers has that segment, in some case. */
export function keysOfPathPattern({ matcher }: PathPattern): readonly string[] | undefined {
  if (matcher === undefined) return [];
  const plain = (matcher.patterns[0] ?? '').split('/').filter((segment) => /^[A-Za-z0-9_.-]+$/.test(segment));
  const [longest] = plain.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : [longest.toLowerCase()];
}

/** Its segments; the last one also without blanks at its end, as patterns that restrict see it. */
export function keysOfPath(path: string): readonly string[] {
  const keys = path.toLowerCase().split('/');
  return path.endsWith(' ') ? [...keys, (keys[keys.length - 1] ?? '').trimEnd()] : keys;
}
