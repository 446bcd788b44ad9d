/** `--setting-sources`: which of the usual files a session reads. Managed settings and the command line are always read. */
import { nearMiss } from '../lib/near-miss.ts';
import { describeValue, type SettingsProblem } from './problem.ts';

const SETTING_SOURCES = ['user', 'project', 'local'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

export type ReadSources =
  | { readonly ok: true; readonly sources: ReadonlySet<SettingSource> }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

/** `undefined`: all of them; an empty text: none. */
export function readSources(written: string | undefined): ReadSources {
  if (written === undefined) return { ok: true, sources: new Set(SETTING_SOURCES) };
  const names = written
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = names.flatMap((name) => SETTING_SOURCES.filter((source) => source === name));
  const problems = names.filter((name) => !known.some((source) => source === name)).map(unknownSource);
  return problems.length === 0 ? { ok: true, sources: new Set(known) } : { ok: false, problems };
}

function unknownSource(name: string): SettingsProblem {
  const near = nearMiss(name, SETTING_SOURCES);
  return {
    ...{ severity: 'error', file: '--setting-sources', line: 1, column: 1, key: '' },
    message: 'no such source of settings',
    expected: `a list of ${SETTING_SOURCES.join(', ')}, separated by commas`,
    found: describeValue(name),
    ...(near === undefined ? {} : { nearMiss: near }),
  };
}

/** So that nobody relies in vain on a file that was left out. `files`: those that are there. */
export function noticeOfLeftOut(
  files: readonly { readonly file: string; readonly tightens: boolean }[],
): readonly string[] {
  return files.map(({ file, tightens }) =>
    tightens
      ? `${file}: left out by --setting-sources; its deny and ask rules count all the same.`
      : `${file}: left out by --setting-sources; nothing of it counts, its deny rules neither.`,
  );
}
