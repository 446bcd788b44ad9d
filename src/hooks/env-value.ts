/** A word of a shell as its texts and the variables between them, where it is made of nothing else. */
import type { DoubleQuotedChild, Word, WordPart } from 'unbash';

export type Piece = string | EnvVariable;
export interface EnvVariable {
  readonly variable: string;
  /** As the same statement has set it: `export A=1 A+=2`. */
  readonly isNow?: true;
}
type Pieces = readonly Piece[];

/** Of what is assigned: a shell does not split it, fits no file names, and expands `~` in front and behind a colon. */
export function piecesOfValue({ text, value, parts }: Word): Pieces | undefined {
  if (parts === undefined) return withHome(text, value, true, true);
  return joined(
    parts.map((part, index) =>
      part.type === 'Literal'
        ? withHome(part.text, part.value, index === 0, index === parts.length - 1)
        : piecesOf(part),
    ),
  );
}

/** Of any other word: undefined where a shell may make several of it, or none. */
export function piecesOfWord({ text, value, parts }: Word): Pieces | undefined {
  if (parts === undefined) return text.startsWith('~') ? undefined : [value];
  const isSplit = parts.some(({ type }) => /Expansion$|Glob$/.test(type));
  return isSplit || text.startsWith('~') ? undefined : joined(parts.map(piecesOf));
}

function piecesOf(part: WordPart | DoubleQuotedChild): Pieces | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value];
    case 'Glob':
      return /["'$`\\]/.test(part.text) ? undefined : [part.text];
    case 'DoubleQuoted':
      return joined(part.parts.map(piecesOf));
    case 'SimpleExpansion':
      return variable(part.text.slice(1));
    case 'ParameterExpansion':
      // Anything else in the braces makes another text.
      return part.text === `\u0024{${part.parameter}}` ? variable(part.parameter) : undefined;
    default:
      return undefined;
  }
}

const variable = (name: string): Pieces | undefined =>
  /^[A-Za-z_]\w*$/.test(name) ? [{ variable: name }] : undefined;

/** Text without quotes. `~name`, and a `~` beside escapes, are left to a shell. */
function withHome(text: string, value: string, isFirst: boolean, isLast: boolean): Pieces | undefined {
  const begin = isFirst ? '(?<=^|:)' : '(?<=:)';
  const tildes = text.match(new RegExp(`${begin}~`, 'g'))?.length ?? 0;
  if (tildes === 0) return [value];
  const [first = '', ...more] = text.split(new RegExp(`${begin}~(?=[/:]${isLast ? '|$' : ''})`));
  if (more.length < tildes || text.includes('\\')) return undefined;
  return [first, ...more.flatMap((rest) => [{ variable: 'HOME' }, rest])];
}

function joined(all: readonly (Pieces | undefined)[]): Pieces | undefined {
  return all.every((pieces) => pieces !== undefined) ? all.flat() : undefined;
}
