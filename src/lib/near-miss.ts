/** Finds the known name that a mistyped one was probably meant to be. */

/** The known name nearest to `name`, when it is near enough to be a slip of the hand; `undefined` for the name itself. */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    if (candidate === name) return undefined;
    // Folding may lengthen a name (İ), so that it hides a slip as well as it shows one.
    const distance = Math.min(editDistance(folded(name), folded(candidate)), editDistance(name, candidate));
    if (distance <= tolerance(candidate) && (best === undefined || distance < best.distance)) {
      best = { name: candidate, distance };
    }
  }
  return best?.name;
}

/** `Additional_directories` and `additionalDirectories` differ in nothing that a reader would call another word. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/** Short names have near neighbours that mean something else, so they allow fewer slips. */
function tolerance(name: string): number {
  if (name.length <= 2) return 0;
  if (name.length <= 5) return 1;
  return name.length <= 8 ? 2 : 3;
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn `from` into `to`. */
function editDistance(from: string, to: string): number {
  // Far apart in length is far apart: keeps a file full of long unknown keys cheap.
  if (Math.abs(from.length - to.length) > 3) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const substitution = (last[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
