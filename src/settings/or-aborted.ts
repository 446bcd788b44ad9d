/** Waits for work, but not beyond the moment when nobody wants it any more. */
export async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: done.signal });
  });
  await Promise.race([work, aborted]).finally(() => done.abort());
}
