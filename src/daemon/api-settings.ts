/** The settings in force for a session, as the API shows them: what counts, and where each part was written. */
import type { HookRef, PermissionMode, RuleSource } from '../core/vocabulary.ts';
import { hookRef } from '../hooks/hook.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';

export interface SettingsInForce {
  readonly digest: string;
  readonly mode: PermissionMode;
  readonly model?: string;
  readonly rules: readonly RuleSource[];
  readonly hooks: readonly HookRef[];
  /** The files, the lowest precedence last; their text is in the audit log, under the digest. */
  readonly sources: readonly { readonly scope: string; readonly path: string; readonly sha256: string }[];
  readonly warnings: readonly string[];
}

export function settingsInForce(snapshot: SettingsSnapshot): SettingsInForce {
  const { digest, permissions, model, rules, hooks, sources, warnings } = snapshot;
  return {
    digest,
    mode: permissions.mode,
    ...(model === undefined ? {} : { model }),
    rules: rules.map(({ source }) => source),
    hooks: hooks.hooks.map(hookRef),
    sources: sources.map(({ scope, path, sha256 }) => ({ scope, path, sha256 })),
    warnings,
  };
}
