/** The settings in force, from the contents that count, the flags, and what people decided about the project. */
import type { PermissionMode, Workplace } from '../core/vocabulary.ts';
import type { CommandLine, FlagSettings } from './command-line.ts';
import { decisionsOf, waitingOf } from './holding.ts';
import type { Layer } from './layer.ts';
import type { LoadedSettings } from './load.ts';
import { mergeSettings, type SettingsSnapshot } from './merge.ts';
import type { ProjectState } from './project-state.ts';
import type { Trust } from './trust-file.ts';

export interface PolicyInputs {
  readonly workplace: Workplace;
  readonly state: ProjectState;
  readonly flags: CommandLine;
  readonly readFlags: FlagSettings;
}

export function snapshotOf(
  { workplace, flags, readFlags, state }: PolicyInputs,
  layers: readonly Layer[],
  loaded: readonly LoadedSettings[],
  trust: Trust,
  notices: readonly string[] = [],
): SettingsSnapshot {
  const moreSources = decisionsOf(layers, state, trust);
  return mergeSettings({
    ...{ workplace, flags, readFlags, moreSources, loaded },
    notices: [...layers.flatMap(waitingOf), ...notices],
  });
}

/** As if this mode had been given as a flag. */
export function withMode({ flags, readFlags }: PolicyInputs, mode: PermissionMode): Partial<PolicyInputs> {
  return { flags: { ...flags, permissionMode: mode }, readFlags: { ...readFlags, mode } };
}
