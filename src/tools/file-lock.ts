/** One change of a file at a time, among all sessions of this process: two edits of one file must not lose each other. */
const tails = new Map<string, Promise<unknown>>();

export async function withFileLock<T>(path: string, change: () => Promise<T>): Promise<T> {
  const run = (tails.get(path) ?? Promise.resolve()).then(change);
  const tail = run.catch(() => {});
  tails.set(path, tail);
  try {
    return await run;
  } finally {
    if (tails.get(path) === tail) tails.delete(path);
  }
}
