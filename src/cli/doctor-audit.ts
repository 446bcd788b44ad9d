/** What `hookd doctor` looks at of the audit: its place, its chains, what a durable record costs. */
import { closeSync, existsSync, fdatasyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describeSpace, diskSpace } from '../audit/disk-space.ts';
import { listSegments, listWriters } from '../audit/read.ts';
import { type ChainReport, verifyAll, verifyDirectory } from '../audit/verify.ts';
import { systemCode } from '../core/errors.ts';
import { auditDirectoryOf, hookdHomeOf } from '../daemon/hookd-home.ts';
import { SettingsStore } from '../settings/store.ts';
import { counted } from './columns.ts';
import type { Check, DoctorOptions, Found } from './doctor.ts';
import { whereaboutsOf } from './hooks-settings.ts';

/** About ten seconds of verifying; of more only the newest chains are looked at. */
const MOST_VERIFIED_BYTES = 1024 ** 3;
const SYNCS = 20;
/** Each call waits for two. */
const SLOW_SYNC_MS = 20;

export const auditChecks: readonly Check[] = [
  { name: 'disk', look: disk },
  { name: 'fsync', look: ({ env }) => [syncs(auditDirectoryOf(hookdHomeOf(env)))] },
  { name: 'audit', look: ({ env }) => chains(auditDirectoryOf(hookdHomeOf(env))) },
];

function disk({ flags, env }: DoctorOptions): readonly Found[] {
  const opened = SettingsStore.open({ ...whereaboutsOf(env), flags, onEvent: () => undefined });
  const settings = opened.ok ? opened.store.current().audit : undefined;
  const directory = nearest(auditDirectoryOf(hookdHomeOf(env)));
  if (settings === undefined)
    return [{ state: 'warns', what: 'not judged: the settings are broken (see above)' }];
  const space = diskSpace(directory, settings);
  const what = describeSpace(space);
  if (space.state === 'enough') return [{ state: 'ok', what: what.replace(': enough again.', '') }];
  return [
    {
      state: space.state === 'low' ? 'warns' : 'fails',
      what,
      advice:
        'Free space there, move HOOKD_HOME, or let "audit.keepDays" or "audit.keepChains" remove old chains.',
    },
  ];
}

/** Measured in the directory itself: nothing runs before its record is durable. */
function syncs(directory: string): Found {
  const place = nearest(directory);
  const path = join(place, `.doctor-${process.pid}.tmp`);
  let times: number[];
  try {
    times = measureSyncs(path);
  } catch (error) {
    return {
      state: 'fails',
      what: `Nothing can be written in ${place} (${systemCode(error) ?? String(error)}).`,
      advice: 'Nothing runs that cannot be recorded: restore write access there.',
    };
  }
  const sorted = times.toSorted((one, other) => one - other);
  const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  const what = `a durable write takes ${median.toFixed(1)} ms (longest of ${SYNCS}: ${longest.toFixed(1)} ms)`;
  if (median <= SLOW_SYNC_MS) return { state: 'ok', what };
  return {
    state: 'warns',
    what,
    advice: 'Each call waits for two of these: a faster disk for HOOKD_HOME helps.',
  };
}

function measureSyncs(path: string): number[] {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    return Array.from({ length: SYNCS }, () => {
      writeSync(descriptor, 'x'.repeat(512));
      const began = performance.now();
      fdatasyncSync(descriptor);
      return performance.now() - began;
    });
  } finally {
    closeSync(descriptor);
    rmSync(path, { force: true });
  }
}

function chains(directory: string): readonly Found[] {
  if (!existsSync(directory))
    return [{ state: 'ok', what: `${directory} (comes into being with the first session)` }];
  const found: Found[] = [];
  const stats = statSync(directory);
  if ((stats.mode & 0o077) !== 0)
    found.push({
      state: 'warns',
      what: `Others may look into ${directory}.`,
      advice: `chmod 700 ${directory}`,
    });
  const { reports, left } = verified(directory);
  const broken = reports.filter(({ problem }) => problem !== undefined);
  for (const { problem } of broken)
    found.push({
      state: 'fails',
      what: `${problem?.file}${problem?.line ? `:${problem.line}` : ''} ${problem?.message}`,
      advice: 'Somebody or something changed the log: see "hookd audit verify", and keep a copy of it.',
    });
  if (broken.length > 0) return found;
  const records = reports.reduce((sum, report) => sum + report.records, 0);
  const rest =
    left === 0 ? '' : `; ${counted(left, 'older chain')} not looked at ("hookd audit verify" does)`;
  return [
    ...found,
    {
      state: 'ok',
      what: `${counted(records, 'record')} in ${counted(reports.length, 'chain')}, all sound${rest}`,
    },
  ];
}

/** All chains; of a large log the newest ones, as many as take some seconds. */
function verified(directory: string): { readonly reports: readonly ChainReport[]; readonly left: number } {
  const writers = listWriters(directory);
  const sizes = writers.map((writer) => sizeOf(join(directory, writer)));
  if (sizes.reduce((sum, size) => sum + size, 0) <= MOST_VERIFIED_BYTES)
    return { reports: verifyAll(directory), left: 0 };
  let first = writers.length - 1;
  let bytes = sizes[first] ?? 0;
  while (first > 0 && bytes + (sizes[first - 1] ?? 0) <= MOST_VERIFIED_BYTES) bytes += sizes[--first] ?? 0;
  return {
    reports: writers.slice(first).map((writer) => verifyDirectory(join(directory, writer))),
    left: first,
  };
}

function sizeOf(chain: string): number {
  return listSegments(chain).reduce(
    (sum, segment) => sum + (statSync(segment.path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** The directory, or the nearest one above that is there. */
function nearest(path: string): string {
  let place = path;
  while (!existsSync(place) && place !== '/') place = join(place, '..');
  return place;
}
