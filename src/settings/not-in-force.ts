/** What settings files hold that does not count: each rule and hook by itself, with the reason. For people who look. */
import { hookRef } from '../hooks/hook.ts';
import { configuredHooks, hooksOff } from './configured-hooks.ts';
import { firstLook } from './layer.ts';
import type { SettingsSnapshot } from './merge.ts';
import type { SettingsPlace } from './scopes.ts';

export interface NotInForce {
  readonly key: string;
  readonly value: string;
  readonly file: string;
  readonly line: number;
  readonly why: string;
}

/** What is not a rule or a hook is in the snapshot's warnings. */
export function notInForce(
  places: readonly SettingsPlace[],
  { rules }: SettingsSnapshot,
  now: number,
): readonly NotInForce[] {
  const counted = new Set(rules.map(({ source: { file, line, column } }) => `${line}:${column}:${file}`));
  const files = places.map((place) => {
    const origin = { ...place.origin, isTrusted: true };
    const { inForce } = firstLook({ ...place, origin }, now).layer;
    return { rules: inForce?.rules ?? [], isTrusted: place.origin.isTrusted };
  });
  const left = files.flatMap(({ rules, isTrusted }) =>
    rules
      .filter(({ source: { file, line, column } }) => !counted.has(`${line}:${column}:${file}`))
      .map(({ source: { text, list, file, line } }): NotInForce => {
        const why = isTrusted ? PINNED : UNTRUSTED;
        return { key: `permissions.${list}`, value: text, file, line, why };
      }),
  );
  const off = hooksOff(configuredHooks(places)).map(({ hook, why }): NotInForce => {
    const { event, name, file, line } = hookRef(hook);
    return { key: `hooks.${event}`, value: name, file, line, why };
  });
  return [...left, ...off];
}

const UNTRUSTED = 'the project is not trusted: of its files only what tightens counts';
const PINNED = 'managed settings reserve allow rules to themselves';
