/**
 * Path rules by the directories that their patterns begin with, so that a question about one directory looks at few of
 * many. What is found is a superset: the patterns themselves decide.
 */
import type { Workplace } from '../core/vocabulary.ts';
import { fixedBeginnings } from './path-rule.ts';
import type { PathRule } from './rule.ts';

export class BelowIndex {
  readonly #rules: readonly PathRule[];
  /** Each directory on the way to where a pattern begins. */
  readonly #through = new Map<string, number[]>();
  /** Where a pattern begins. */
  readonly #at = new Map<string, number[]>();

  constructor(rules: readonly PathRule[], workplace: Workplace) {
    this.#rules = rules;
    for (const [place, { pattern }] of rules.entries()) {
      for (const beginning of fixedBeginnings(pattern, workplace)) {
        const path = beginning.toLowerCase();
        add(this.#at, path, place);
        for (const directory of ancestorsOf(path)) add(this.#through, directory, place);
      }
    }
  }

  /** True when one of the rules that may cover something below the directory fits; each is tried once. */
  some(directory: string, fits: (rule: PathRule) => boolean): boolean {
    const path = directory.toLowerCase();
    const isFitting = (place: number): boolean => {
      const rule = this.#rules[place];
      return rule !== undefined && fits(rule);
    };
    if (this.#through.get(path)?.some(isFitting)) return true;
    // What begins here was among those.
    for (const above of ancestorsOf(path))
      if (above !== path && this.#at.get(above)?.some(isFitting)) return true;
    return false;
  }
}

function add(map: Map<string, number[]>, key: string, place: number): void {
  const places = map.get(key);
  if (places === undefined) map.set(key, [place]);
  else if (places[places.length - 1] !== place) places.push(place);
}

/** The path itself, and every directory above it. */
function* ancestorsOf(path: string): Generator<string> {
  for (let at = path; at.length > 1; ) {
    yield at;
    at = at.slice(0, Math.max(at.lastIndexOf('/'), 0));
  }
  yield '/';
}
