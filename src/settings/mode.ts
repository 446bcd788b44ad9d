/** Which permission mode is in force: who may choose one, who may loosen what another chose, and who may forbid bypass. */
import type { PermissionMode } from '../core/vocabulary.ts';
import { isOfProject, type SettingsOrigin } from './origin.ts';
import { type SettingsScope, SUPPORTED_MODES, type WrittenMode } from './schema.ts';

/** What one file says of modes. */
export interface ModeOfFile {
  readonly origin: Pick<SettingsOrigin, 'file' | 'scope'>;
  readonly mode?: PermissionMode;
  readonly forbidsBypass?: boolean;
}

export interface ModeInForce {
  readonly mode: PermissionMode;
  readonly warnings: readonly string[];
}

export function modeNamed(written: WrittenMode): PermissionMode {
  return written === 'manual' ? 'default' : written;
}

/** Modes that a project, even a trusted one, cannot choose are told and passed over. */
export function isModeForProjects(mode: string): boolean {
  return mode !== 'bypassPermissions' && SUPPORTED_MODES.some((known) => known === mode);
}

/**
 * A mode that may stand in for another one without letting anything through that the other stops. `plan` and `dontAsk`
 * are each stricter where the other is not.
 */
const NO_LOOSER: Readonly<Record<PermissionMode, readonly PermissionMode[]>> = {
  bypassPermissions: ['bypassPermissions', 'acceptEdits', 'default', 'plan', 'dontAsk'],
  acceptEdits: ['acceptEdits', 'default', 'plan', 'dontAsk'],
  default: ['default', 'plan', 'dontAsk'],
  plan: ['plan'],
  dontAsk: ['dontAsk'],
};

/** `files`: the highest precedence first. A mode of a project counts unless it loosens the one that the user chose. */
export function modeInForce(flag: PermissionMode | undefined, files: readonly ModeOfFile[]): ModeInForce {
  const warnings: string[] = [];
  const firstOf = (...scopes: readonly SettingsScope[]): ModeOfFile | undefined =>
    files.find(({ origin, mode }) => mode !== undefined && scopes.includes(origin.scope));
  const ofUser = firstOf('user')?.mode;
  const fits = (mode: PermissionMode): boolean => ofUser === undefined || NO_LOOSER[ofUser].includes(mode);
  const ofCommandLine = flag ?? firstOf('command-line')?.mode;

  let mode = ofCommandLine ?? ofUser ?? 'default';
  for (const { origin, mode: wanted } of ofCommandLine === undefined ? files.filter(isChoiceOfProject) : []) {
    if (fits(wanted)) {
      mode = wanted;
      break;
    }
    warnings.push(loosening(origin.file, wanted, mode));
  }
  const forbidding = files.find(({ forbidsBypass }) => forbidsBypass === true);
  if (mode === 'bypassPermissions' && forbidding !== undefined) {
    warnings.push(
      `${forbidding.origin.file}: permissions.disableBypassPermissionsMode: mode bypassPermissions is forbidden here; mode default is in force.`,
    );
    mode = 'default';
  }
  return { mode, warnings };
}

type Choice = ModeOfFile & { readonly mode: PermissionMode };

function isChoiceOfProject(file: ModeOfFile): file is Choice {
  return file.mode !== undefined && isOfProject(file.origin);
}

function loosening(file: string, wanted: PermissionMode, inForce: PermissionMode): string {
  return `${file}: permissions.defaultMode: "${wanted}" would loosen the mode "${inForce}" that the user chose; ignored.`;
}
