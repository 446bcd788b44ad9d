/** What managed settings reserve to themselves: the rules that allow, or the hooks. What only tightens stays, whoever wrote it. */
import type { Rule } from '../permissions/rule.ts';
import type { JsonDocument, Place } from './json.ts';
import type { LoadedSettings, SettingsValues } from './load.ts';
import type { Settings } from './schema.ts';

export interface Pinned {
  readonly loaded: readonly LoadedSettings[];
  readonly flagRules: readonly Rule[];
  readonly warnings: readonly string[];
}

/** Takes out what the pins of managed settings take away from all others. */
export function applyPins(loaded: readonly LoadedSettings[], flagRules: readonly Rule[]): Pinned {
  const rulesPin = loaded.find(({ values }) => values.managedRulesOnly !== undefined);
  const hooksPin = loaded.find(({ values }) => values.managedHooksOnly !== undefined);
  const without = (file: LoadedSettings): LoadedSettings => {
    if (file.origin.scope === 'managed') return file;
    const rules = rulesPin === undefined ? file.rules : file.rules.filter(tightens);
    const hooks = hooksPin === undefined ? file.hooks : [];
    const { disableBuiltinRules, disablesHooks, ...rest } = file.values;
    const values = {
      ...rest,
      ...(disableBuiltinRules === undefined || rulesPin !== undefined ? {} : { disableBuiltinRules }),
      ...(disablesHooks === undefined || hooksPin !== undefined ? {} : { disablesHooks }),
    };
    return { ...file, rules, hooks, values };
  };
  const others = loaded.filter(({ origin }) => origin.scope !== 'managed');
  const allows = [...flagRules, ...others.flatMap(({ rules }) => rules)].filter((rule) => !tightens(rule));
  const hooks = others.flatMap((file) => file.hooks);
  return {
    loaded: rulesPin === undefined && hooksPin === undefined ? loaded : loaded.map(without),
    flagRules: rulesPin === undefined ? flagRules : flagRules.filter(tightens),
    warnings: [
      ...told(rulesPin, rulesPin?.values.managedRulesOnly, allows.length, 'allow rule'),
      ...told(hooksPin, hooksPin?.values.managedHooksOnly, hooks.length, 'hook'),
    ],
  };
}

const tightens = ({ source }: Rule): boolean => source.list !== 'allow';

function told(
  file: LoadedSettings | undefined,
  place: Place | undefined,
  count: number,
  what: string,
): readonly string[] {
  if (file === undefined || place === undefined || count === 0) return [];
  const many = count === 1 ? `1 ${what} of other settings does` : `${count} ${what}s of other settings do`;
  return [`${file.origin.file}:${place.line}:${place.column}: ${many} not count here.`];
}

/** What one managed file reserves. */
export function pinsOf({
  value,
  placeOfKey,
}: JsonDocument): Pick<SettingsValues, 'managedRulesOnly' | 'managedHooksOnly'> {
  const { allowManagedRulesOnly, allowManagedPermissionRulesOnly, allowManagedHooksOnly } = value as Settings;
  const rules =
    allowManagedRulesOnly === true
      ? 'allowManagedRulesOnly'
      : allowManagedPermissionRulesOnly === true
        ? 'allowManagedPermissionRulesOnly'
        : undefined;
  return {
    ...(rules === undefined ? {} : { managedRulesOnly: placeOfKey([rules]) }),
    ...(allowManagedHooksOnly === true ? { managedHooksOnly: placeOfKey(['allowManagedHooksOnly']) } : {}),
  };
}
