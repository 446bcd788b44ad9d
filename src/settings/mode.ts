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

/** Whether `mode` lets nothing through that `other` stops. */
export function isNoLooser(mode: PermissionMode, other: PermissionMode): boolean {
  return NO_LOOSER[other].includes(mode);
}

/**
 * `files`: the highest precedence first. A mode of a project counts unless it loosens the one that the user chose; nobody's
 * mode counts where it loosens the one of managed settings.
 */
export function modeInForce(flag: PermissionMode | undefined, files: readonly ModeOfFile[]): ModeInForce {
  const warnings: string[] = [];
  const firstOf = (...scopes: readonly SettingsScope[]): ModeOfFile | undefined =>
    files.find(({ origin, mode }) => mode !== undefined && scopes.includes(origin.scope));
  const limit = firstOf('managed')?.mode;
  const ofUser = fitting(firstOf('user'), limit, warnings);
  const typed = flag === undefined ? firstOf('command-line') : { origin: FLAG, mode: flag };
  const ofCommandLine = fitting(typed, limit, warnings);
  const fits = (mode: PermissionMode): boolean =>
    [limit, ofUser].every((other) => other === undefined || NO_LOOSER[other].includes(mode));

  let mode = ofCommandLine ?? ofUser ?? limit ?? 'default';
  for (const { origin, mode: wanted } of ofCommandLine === undefined ? files.filter(isChoiceOfProject) : []) {
    if (fits(wanted)) {
      mode = wanted;
      break;
    }
    const who = ofUser === undefined ? ADMINISTRATOR : 'the user';
    warnings.push(loosening(origin.file, wanted, mode, who));
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

const FLAG = { file: '--permission-mode', scope: 'command-line' } as const;
const ADMINISTRATOR = 'whoever manages this machine';

/** The managed mode is the loosest that anybody can have: a stricter one may be chosen, a looser one is ignored. */
function fitting(
  chosen: ModeOfFile | undefined,
  limit: PermissionMode | undefined,
  warnings: string[],
): PermissionMode | undefined {
  const { mode } = chosen ?? {};
  if (chosen === undefined || mode === undefined || limit === undefined) return mode;
  if (NO_LOOSER[limit].includes(mode)) return mode;
  warnings.push(loosening(chosen.origin.file, mode, limit, ADMINISTRATOR));
  return limit;
}

function loosening(file: string, wanted: PermissionMode, inForce: PermissionMode, who: string): string {
  const key = file === FLAG.file ? file : `${file}: permissions.defaultMode`;
  return `${key}: "${wanted}" would loosen the mode "${inForce}" that ${who} chose; ignored.`;
}
