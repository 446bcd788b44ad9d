import type { GateSettings } from '../agent/authorize.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';

/** The settings' slice for the gate: the same object while the settings are the same. */
export function gateSettings(keptOutputs: string): (snapshot: SettingsSnapshot) => GateSettings {
  let last: { readonly of: SettingsSnapshot; readonly slice: GateSettings } | undefined;
  return (of) => {
    if (last?.of !== of) {
      const { digest, permissions } = of;
      last = { of, slice: { digest, permissions: { ...permissions, keptOutputs } } };
    }
    return last.slice;
  };
}
