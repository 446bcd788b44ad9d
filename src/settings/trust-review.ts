/** What trusting a project would switch on, for a person to read before they say yes. */
import { holdBack } from './hold-back.ts';
import { loadSettings } from './load.ts';
import { isOfProject } from './origin.ts';
import { isError, type SettingsProblem } from './problem.ts';
import { readWhole } from './read-file.ts';
import type { SettingsPlace } from './scopes.ts';

export interface ReviewedFile {
  readonly file: string;
  /** `allow Bash(make)`, `hook PreToolUse ./guard.sh`, `mode acceptEdits`, `directory ../more`, `env NAME` … */
  readonly loosens: readonly string[];
  /** Why no session would start if the file were trusted. */
  readonly problems: readonly SettingsProblem[];
}

/** The files of the project among these places that are there. */
export function reviewProject(places: readonly SettingsPlace[]): readonly ReviewedFile[] {
  return places.flatMap((place): readonly ReviewedFile[] => {
    if (place.kind === 'inline' || !isOfProject(place.origin)) return [];
    const { file } = place.origin;
    const content = readWhole(file);
    if (content.kind === 'missing') return [];
    if (content.kind === 'unreadable')
      return [{ file, loosens: [], problems: [unreadable(file, content.why)] }];
    const result = loadSettings({ ...place.origin, isTrusted: true }, content.bytes, 'start');
    if (!result.ok) return [{ file, loosens: [], problems: result.problems.filter(isError) }];
    return [{ file, loosens: holdBack(undefined, result.loaded).waiting, problems: [] }];
  });
}

function unreadable(file: string, why: string): SettingsProblem {
  return { severity: 'error', file, line: 1, column: 1, key: '', message: `it cannot be used: ${why}` };
}
