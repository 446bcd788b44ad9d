/** Where settings come from, and what that means for their weight. */
import type { SettingsScope } from './schema.ts';

export interface SettingsOrigin {
  readonly scope: SettingsScope;
  /** `claude`: a file of Claude Code, of which only the keys that we know are judged. */
  readonly dialect: 'hookd' | 'claude';
  /** An untrusted file only tightens. Files of the user are, unless `--setting-sources` leaves them out; those above always. */
  readonly isTrusted: boolean;
  /** An absolute path, or `--settings` for settings written on the command line. */
  readonly file: string;
  /** The directory that `/p` path rules of this file are anchored at. */
  readonly root: string;
  /** Nothing that the agent works on lies at `root`: a `/p` rule there is almost never meant so. */
  readonly rootIsAway?: boolean;
}

/** `file` of settings that are typed as JSON on the command line. */
export const INLINE = '--settings';

/** Whoever writes to the project's directory can write this file, the local one too. */
export function isOfProject({ scope }: Pick<SettingsOrigin, 'scope'>): boolean {
  return scope === 'project' || scope === 'local';
}

/** No project has a say in the audit log, and Claude Code's files know no such key. */
export function speaksOfAudit(origin: SettingsOrigin): boolean {
  return origin.dialect === 'hookd' && !isOfProject(origin);
}
