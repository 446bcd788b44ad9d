/** Another permission mode for a running session, on record before it is in force. */
import type { Trail } from '../audit/trail.ts';
import { HookdError } from '../core/errors.ts';
import type { PermissionMode } from '../core/vocabulary.ts';
import type { SettingsStore } from '../settings/store.ts';

/** Throws USAGE where settings do not let it be. */
export function chooseMode(store: SettingsStore, trail: Trail, mode: PermissionMode, client: string): void {
  const before = store.latest.warnings;
  const { permissions, warnings } = store.chooseMode(mode, (old) =>
    trail.record('mode_chosen', { mode, before: old, client }),
  );
  if (permissions.mode === mode) return;
  const why = warnings.filter((text) => !before.includes(text));
  throw new HookdError('USAGE', `The mode stays ${store.latest.permissions.mode}. ${why.join(' ')}`.trim());
}
