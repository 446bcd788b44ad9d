/**
 * Measures how long it takes to load 10,000 rules from a settings file, against the engine's own JSON.parse of the same
 * text: a ratio holds on slow and busy machines, too. `npx tsx scripts/load-speed.ts [ROUNDS]`; exit code 1 over the aim.
 */
import { fileURLToPath } from 'node:url';
import { compileRules } from '../src/permissions/rule-set.ts';
import { loadSettings } from '../src/settings/load.ts';
import type { SettingsOrigin } from '../src/settings/origin.ts';

/** On a quiet machine of two cores. */
const AIM_MS = 100;
const RULES = 10_000;

const origin: SettingsOrigin = {
  ...{ scope: 'user', dialect: 'hookd', isTrusted: true },
  ...{ file: '/home/me/.hookd/settings.json', root: '/home/me/.hookd' },
};

/** Commands and paths, all different, in the three lists. */
export function manyRules(count: number): string {
  const rule = (index: number): string =>
    [
      `Bash(tool${index} run *)`,
      `Read(src/folder${index}/**)`,
      `Edit(/packages/p${index}/*.ts)`,
      `Bash(git push origin b${index}:*)`,
      `Read(~/.config/app${index})`,
    ][index % 5] ?? '';
  const list = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => rule(from + at));
  const [first, second] = [Math.floor(count / 3), Math.floor((2 * count) / 3)];
  const permissions = { deny: list(0, first), ask: list(first, second), allow: list(second, count) };
  return JSON.stringify({ permissions }, null, 2);
}

export interface LoadSpeed {
  /** Medians, in ms of processor time: of a busy machine, too. */
  readonly load: number;
  readonly parse: number;
}

export function measureLoad(rounds: number, rules = RULES): LoadSpeed {
  const text = manyRules(rules);
  const bytes = Buffer.from(text);
  const load = (): void => {
    const result = loadSettings(origin, bytes, 'start');
    if (!result.ok || result.loaded.rules.length !== rules) throw new Error('the rules do not load');
    compileRules(result.loaded.rules);
  };
  const [loads, parses] = [load, () => JSON.parse(text) as unknown].map((work) => {
    return Array.from({ length: rounds }, () => {
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    });
  });
  return { load: median(loads ?? []), parse: median(parses ?? []) };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { load, parse } = measureLoad(Number(process.argv[2] ?? 15));
  console.log(
    `${RULES} rules load in ${load.toFixed(1)} ms (aim ${AIM_MS}); JSON.parse ${parse.toFixed(2)} ms; ratio ${(load / parse).toFixed(0)}`,
  );
  process.exitCode = load <= AIM_MS ? 0 : 1;
}
