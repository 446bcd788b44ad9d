/** Timers for times that people choose. One of Node's own takes 24.8 days at most, and goes off at once for more. */

const LONGEST_STEP_MS = 2 ** 31 - 1;

/** Calls `run` once when `ms` have passed, however many they are; what it returns calls that off. */
export function startTimer(ms: number, run: () => void): () => void {
  let left = ms;
  let timer: NodeJS.Timeout;
  const step = () => {
    const next = Math.min(left, LONGEST_STEP_MS);
    left -= next;
    timer = setTimeout(left > 0 ? step : run, next);
  };
  step();
  return () => clearTimeout(timer);
}
