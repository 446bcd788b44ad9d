/** Half of a surrogate pair has no form in UTF-8: it would be written as another character, and nobody would know. */

const LONE = /\p{Surrogate}/u;

/** Why a text cannot be written; undefined when it can. */
export function halfCharacterIn(field: string, text: string): string | undefined {
  const position = text.search(LONE);
  if (position === -1) return undefined;
  return `Nothing was written: ${field} holds half of a character at position ${position} (a lone surrogate). Send the whole character.`;
}

/** Where an input, as JSON has it, holds half of a character, in a name or a value; undefined when nowhere. */
export function halfCharacterInside(input: unknown): string | undefined {
  const left: { readonly at: string; readonly value: unknown }[] = [{ at: '', value: input }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { at, value } = next;
    if (typeof value === 'string' && LONE.test(value))
      return `${at === '' ? 'it' : at} holds half of a character at position ${value.search(LONE)} (a lone surrogate)`;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, item] of Object.entries(value)) {
      if (LONE.test(name)) return 'the name of a field holds half of a character (a lone surrogate)';
      left.push({ at: at === '' ? name : `${at}/${name}`, value: item });
    }
  }
  return undefined;
}
