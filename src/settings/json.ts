/** Strict JSON with places: no comments, no trailing commas, no key twice. */
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { keyText, type SettingsProblem } from './problem.ts';

export type JsonPath = readonly (string | number)[];

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A parsed file that still knows where everything stands. */
export interface JsonDocument {
  readonly value: unknown;
  /** Where the value at `path` begins; the nearest enclosing value when there is none. */
  readonly placeOf: (path: JsonPath) => Place;
  /** Where the key at the end of `path` begins. */
  readonly placeOfKey: (path: JsonPath) => Place;
}

export type ParsedJson =
  | { readonly ok: true; readonly document: JsonDocument }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

export function parseStrictJson(file: string, text: string): ParsedJson {
  const placeAt = placesOf(text);
  const syntaxError = (offset: number, message: string, advice?: string): SettingsProblem => ({
    severity: 'error',
    file,
    ...placeAt(offset),
    key: '',
    message: `not valid JSON: ${message}`,
    ...(advice === undefined ? {} : { advice }),
  });

  const errors: ParseError[] = [];
  let root: Node | undefined;
  let value: unknown;
  let repeated: readonly RepeatedKey[] = [];
  try {
    root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    // The value comes from the engine's own parser: it knows `__proto__` as a plain key, and it is a second
    // opinion on what strict JSON is.
    if (errors.length === 0) value = JSON.parse(text) as unknown;
    if (errors.length === 0 && root !== undefined) repeated = repeatedKeys(root);
  } catch (error) {
    const why = error instanceof RangeError ? 'nested too deeply' : String(error);
    return { ok: false, problems: [syntaxError(0, why)] };
  }
  if (errors.length > 0 || root === undefined) {
    const told = worthTelling(errors).map((error) => {
      const { offset, message, advice } = explain(error, text);
      return syntaxError(offset, message, advice);
    });
    return { ok: false, problems: told.length > 0 ? told : [syntaxError(0, 'no value')] };
  }

  const tree = root;
  const problems = repeated.map(
    ({ node, first, path }): SettingsProblem => ({
      severity: 'error',
      file,
      ...placeAt(node.offset),
      key: keyText(path),
      message: `this key is already at line ${placeAt(first.offset).line}, and one of the two would be lost`,
      advice: 'Join the two into one.',
    }),
  );
  if (problems.length > 0) return { ok: false, problems };

  const nodeAt = (path: JsonPath): Node => {
    const node = findNodeAtLocation(tree, [...path]);
    return node ?? (path.length === 0 ? tree : nodeAt(path.slice(0, -1)));
  };
  const placeOfKey = (path: JsonPath): Place => {
    const node = nodeAt(path);
    return placeAt(node.parent?.type === 'property' ? node.parent.offset : node.offset);
  };
  return { ok: true, document: { value, placeOf: (path) => placeAt(nodeAt(path).offset), placeOfKey } };
}

const MOST_FAULTS = 100;

/** The comments, and the first other fault: what follows a fault is mostly its echo. */
function worthTelling(errors: readonly ParseError[]): readonly ParseError[] {
  const isComment = (error: ParseError): boolean =>
    printParseErrorCode(error.error) === 'InvalidCommentToken';
  const firstOther = errors.find((error) => !isComment(error));
  return errors.filter((error) => isComment(error) || error === firstOther).slice(0, MOST_FAULTS);
}

interface Explanation {
  readonly offset: number;
  readonly message: string;
  readonly advice?: string;
}

function explain(error: ParseError, text: string): Explanation {
  const { offset } = error;
  const before = text.slice(0, offset).trimEnd();
  const isTrailingComma = before.endsWith(',') && /[\]}]/.test(text[offset] ?? '');
  if (isTrailingComma) {
    return {
      offset: before.length - 1,
      message: 'a comma with nothing after it',
      advice: 'Remove the comma.',
    };
  }
  if (offset >= text.trimEnd().length) {
    return {
      offset: text.trimEnd().length,
      message: 'the file ends too early',
      advice: 'It may be cut off.',
    };
  }
  if (text[offset] === "'") return { offset, message: 'single quotes', advice: 'Use double quotes.' };
  return { offset, message: FAULTS[printParseErrorCode(error.error)] ?? 'unexpected text' };
}

const FAULTS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'unexpected text',
  InvalidNumberFormat: 'a malformed number',
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected a closing brace',
  CloseBracketExpected: 'expected a closing bracket',
  EndOfFileExpected: 'text after the end of the object',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfComment: 'comments are not allowed',
  UnexpectedEndOfString: 'a string without its closing quote',
  UnexpectedEndOfNumber: 'a malformed number',
  InvalidUnicode: 'a malformed \\u escape',
  InvalidEscapeCharacter: 'an unknown escape in a string',
  InvalidCharacter: 'a control character in a string',
};

interface RepeatedKey {
  readonly node: Node;
  readonly first: Node;
  readonly path: JsonPath;
}

function repeatedKeys(node: Node, path: JsonPath = []): readonly RepeatedKey[] {
  const children = node.children ?? [];
  if (node.type === 'array') return children.flatMap((child, index) => repeatedKeys(child, [...path, index]));
  if (node.type !== 'object') return [];
  const seen = new Map<string, Node>();
  return children.flatMap((property) => {
    const [key, value] = property.children ?? [];
    if (key === undefined) return [];
    const name = String(key.value);
    const here = [...path, name];
    const first = seen.get(name);
    if (first === undefined) seen.set(name, key);
    const nested = value === undefined ? [] : repeatedKeys(value, here);
    return first === undefined ? nested : [{ node: key, first, path: here }, ...nested];
  });
}

function placesOf(text: string): (offset: number) => Place {
  const starts = [0];
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + lineBreak.length);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
