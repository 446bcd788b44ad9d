/** Why settings of a row are not loaded, in the words of the design; each error must have one of these reasons. */
import type { SettingsProblem } from '../../src/settings/problem.ts';

interface Reason {
  readonly name: string;
  readonly fits: (problem: SettingsProblem) => boolean;
}

const REASONS: readonly Reason[] = [
  {
    name: 'not strict JSON in UTF-8',
    fits: ({ message }) => /not valid JSON|not valid UTF-8|NUL byte|is UTF-16/.test(message),
  },
  {
    name: 'a key that stands there twice',
    fits: ({ message }) => message.startsWith('this key is already at'),
  },
  { name: 'no object', fits: ({ message }) => message === 'no settings' },
  {
    name: 'a malformed deny or ask entry',
    fits: ({ key, message }) =>
      /^permissions\.(?:deny|ask)\[/.test(key) && message.includes('is not a permission rule'),
  },
  { name: 'an unknown permission mode', fits: ({ key }) => key === 'permissions.defaultMode' },
  { name: 'a value of the wrong type', fits: ({ message }) => message === 'wrong value' },
  { name: 'a misspelt key that guards', fits: ({ message }) => message.startsWith('unknown key, so near') },
];

/** The reasons, or nothing where an error has none of them. */
export function refusalOf(errors: readonly SettingsProblem[]): readonly string[] | undefined {
  const names = errors.map((error) => REASONS.find(({ fits }) => fits(error))?.name);
  return names.every((name) => name !== undefined) && names.length > 0 ? [...new Set(names)] : undefined;
}
