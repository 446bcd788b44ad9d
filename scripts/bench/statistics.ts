/** Medians and their spread. */

export interface Spread {
  readonly median: number;
  /** A quarter of the values is lower; a quarter is higher than `high`. */
  readonly low: number;
  readonly high: number;
}

/** Spread over the median from which a figure is called noisy. */
const NOISY = 0.25;

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

export function isNoisy({ median: middle, low, high }: Spread): boolean {
  return (high - low) / Math.abs(middle) > NOISY;
}
