/** What settings files hold that does not count: each rule and hook by itself, with the reason. For people who look. */
import { hookRef } from '../hooks/hook.ts';
import { configuredHooks, hooksOff } from './configured-hooks.ts';
import { WAITS } from './holding.ts';
import { firstLook } from './layer.ts';
import type { LoadedSettings } from './load.ts';
import type { SettingsSnapshot } from './merge.ts';
import type { SettingsPlace } from './scopes.ts';

export interface NotInForce {
  readonly key: string;
  readonly value: string;
  readonly file: string;
  readonly line: number;
  readonly why: string;
}

/** What is not a rule or a hook is in the snapshot's warnings; of files that are `waiting` something waits for a person. */
export function notInForce(
  places: readonly SettingsPlace[],
  { rules, hooks, rulesPinnedBy }: SettingsSnapshot,
  waiting: ReadonlyMap<string, string>,
  now: number,
): readonly NotInForce[] {
  const counted = new Set(rules.map(({ source: { file, line, column } }) => `${line}:${column}:${file}`));
  const left = places.flatMap((place) => {
    const { isTrusted } = place.origin;
    return contentNow(place, now)
      .flatMap((content) => content.rules)
      .filter(({ source: { file, line, column } }) => !counted.has(`${line}:${column}:${file}`))
      .map(({ source: { text, list, file, line } }): NotInForce => {
        const isPinned = list === 'allow' && rulesPinnedBy !== undefined;
        const why = !isTrusted ? UNTRUSTED : !isPinned && waiting.has(file) ? WAITS : PINNED;
        return { key: `permissions.${list}`, value: text, file, line, why };
      });
  });
  const off = hooksOff(configuredHooks(places), hooks.hooks, waiting).map(({ hook, why }): NotInForce => {
    const { event, name, file, line } = hookRef(hook);
    return { key: `hooks.${event}`, value: name, file, line, why };
  });
  return [...left, ...off];
}

/** What stands in a file now, as if it were trusted; none where it has errors, or is not there. */
export function contentNow(place: SettingsPlace, now: number): readonly LoadedSettings[] {
  const origin = { ...place.origin, isTrusted: true };
  const { inForce } = firstLook({ ...place, origin }, now).layer;
  return inForce === undefined ? [] : [inForce];
}

const UNTRUSTED = 'the project is not trusted: of its files only what tightens counts';
const PINNED = 'managed settings reserve allow rules to themselves';
