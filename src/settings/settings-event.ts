/** What people and the audit log are told of the settings. */
import type { SettingsSnapshot } from './merge.ts';
import type { SettingsProblem } from './problem.ts';
import type { Refusal } from './withheld.ts';

export type SettingsEvent =
  | { readonly kind: 'loaded'; readonly snapshot: SettingsSnapshot }
  | {
      readonly kind: 'changed';
      readonly snapshot: SettingsSnapshot;
      readonly before: SettingsSnapshot;
      /** Files of which only what tightens counts so far. */
      readonly waiting: readonly string[];
    }
  /** A file was not put in force; told once for each content of it. */
  | { readonly kind: 'rejected'; readonly problems: readonly SettingsProblem[] }
  /** Somebody refused a new content of a file. The old one stays; deny and ask rules of the new one count as well. */
  | { readonly kind: 'refused'; readonly file: string; readonly refusal: Refusal };
