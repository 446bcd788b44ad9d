/** What a change of settings means for people: which rules and values came and which went. */
import type { SettingsSnapshot } from './merge.ts';

export interface SettingsDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Moving a rule to another line or file changes nothing that is in force, so it is no difference. */
export function differenceBetween(before: SettingsSnapshot, after: SettingsSnapshot): SettingsDifference {
  const [old, new_] = [itemsOf(before), itemsOf(after)];
  return { added: without(new_, old), removed: without(old, new_) };
}

function without(items: readonly string[], known: readonly string[]): readonly string[] {
  const set = new Set(known);
  return [...new Set(items)].filter((item) => !set.has(item));
}

function itemsOf({ rules, permissions, model, maxTurns, maxTokens }: SettingsSnapshot): readonly string[] {
  return [
    ...rules.map(({ source }) => `${source.list} ${source.text}`),
    ...permissions.workplace.directories.map((directory) => `directory ${directory}`),
    ...[...permissions.disabledBuiltins].map((name) => `built-in rule off: ${name}`),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(maxTurns === undefined ? [] : [`maxTurns ${maxTurns}`]),
    ...(maxTokens === undefined ? [] : [`maxTokens ${maxTokens}`]),
  ];
}
