/**
 * The lock of one daemon a user, taken over from a dead one without a moment in which two hold it. Its files are
 * numbered, the newest counts, and the newest is never removed: whoever looked at an older state finds a newer number
 * after taking theirs, and gives way.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../core/errors.ts';
import { lifeOf, ownIdentity, type ProcessIdentity } from '../lib/proc.ts';
import { readRegular } from '../lib/read-regular.ts';

export interface InstanceLock {
  release(): void;
}

export type LockAttempt =
  | { readonly ok: true; readonly lock: InstanceLock }
  | { readonly ok: false; readonly holder: ProcessIdentity };

/** `isServed`: does the socket answer? Asked only of a holder in another namespace, whose life cannot be looked up. */
export async function takeInstanceLock(
  directory: string,
  isServed: () => Promise<boolean>,
): Promise<LockAttempt> {
  for (;;) {
    const newest = newestIn(directory);
    const holder = holderOf(directory, newest);
    if (holder === 'replaced') continue;
    if (holder !== 'free') {
      const life = lifeOf(holder);
      if (life === 'alive' || (life === 'unknown' && (await isServed()))) return { ok: false, holder };
    }
    const own = newest + 1;
    if (!writeLock(directory, own)) continue;
    if (newestIn(directory) !== own) {
      rmSync(pathOf(directory, own), { force: true });
      continue;
    }
    for (const number of numbersIn(directory))
      if (number < own) rmSync(pathOf(directory, number), { force: true });
    return { ok: true, lock: { release: () => truncateSync(pathOf(directory, own)) } };
  }
}

function pathOf(directory: string, number: number): string {
  return join(directory, `lock.${number}`);
}

function numbersIn(directory: string): readonly number[] {
  return readdirSync(directory).flatMap((name) => {
    const number = /^lock\.(\d{1,15})$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

function newestIn(directory: string): number {
  return Math.max(0, ...numbersIn(directory));
}

/** A lock that was given back is empty; one that a power loss has torn holds nobody either. */
function holderOf(directory: string, number: number): ProcessIdentity | 'free' | 'replaced' {
  if (number === 0) return 'free';
  let text: string;
  try {
    text = readRegular(pathOf(directory, number));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'replaced';
    throw error;
  }
  return identityIn(text) ?? 'free';
}

function identityIn(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value)) return undefined;
    const { pid, startTime, bootId, pidNamespace } = value as Record<string, unknown>;
    if (!Number.isSafeInteger(pid)) return undefined;
    const orNull = (field: unknown) => (typeof field === 'string' ? field : null);
    return {
      pid: pid as number,
      startTime: orNull(startTime),
      bootId: orNull(bootId),
      pidNamespace: orNull(pidNamespace),
    };
  } catch {
    return undefined;
  }
}

/** Appears whole or not at all. False when somebody else has this number. */
function writeLock(directory: string, number: number): boolean {
  const whole = join(directory, `.lock-${process.pid}-${randomBytes(6).toString('hex')}`);
  writeFileSync(whole, JSON.stringify(ownIdentity()), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(whole, pathOf(directory, number));
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(whole, { force: true });
  }
}
