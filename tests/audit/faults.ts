/** Lets calls of the file system fail, as the code under test makes them. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Faults = Partial<
  Record<
    'openSync' | 'closeSync' | 'writeSync' | 'fsyncSync' | 'fdatasyncSync' | 'rmSync',
    (path: unknown) => boolean
  >
>;

/** Runs `act` while each named call fails for which the predicate, given the first argument, holds. */
export async function withFaults<T>(faults: Faults, code: string, act: () => T | Promise<T>): Promise<T> {
  const real = { ...fs };
  const error = () => Object.assign(new Error(`${code}: injected`), { code });
  for (const [name, fails] of Object.entries(faults)) {
    const original = Reflect.get(real, name) as (...args: unknown[]) => unknown;
    Reflect.set(fs, name, (...args: unknown[]) => {
      if (fails(args[0])) throw error();
      return original(...args);
    });
  }
  syncBuiltinESMExports();
  try {
    return await act();
  } finally {
    for (const name of Object.keys(faults)) Reflect.set(fs, name, Reflect.get(real, name));
    syncBuiltinESMExports();
  }
}

/** True for the first `count` calls. */
export function first(count: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls <= count;
  };
}

export const always = () => true;
