/** Half of a surrogate pair has no form in UTF-8: it would be written as another character, and nobody would know. */

/** Why a text cannot be written; undefined when it can. */
export function halfCharacterIn(field: string, text: string): string | undefined {
  const position = text.search(/\p{Surrogate}/u);
  if (position === -1) return undefined;
  return `Nothing was written: ${field} holds half of a character at position ${position} (a lone surrogate). Send the whole character.`;
}
