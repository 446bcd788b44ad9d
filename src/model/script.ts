/** The text of a script → its turns, or every fault in it with its place. Pure. */
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { isObject } from '../core/json.ts';
import { MAX_DEPTH, tooDeepAt } from './depth.ts';
import { describe, type Fields } from './message.ts';

export type ScriptedBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id?: string; readonly name: string; readonly input: unknown };

/** A list of blocks stops with `tool_use` when it holds one, else with `end_turn`. */
export type ScriptedTurn =
  | readonly ScriptedBlock[]
  | { readonly content: readonly ScriptedBlock[]; readonly stop_reason?: string }
  | { readonly error: { readonly status?: number; readonly type?: string; readonly message: string } };

export type ScriptText =
  | { readonly ok: true; readonly turns: readonly ScriptedTurn[] }
  | { readonly ok: false; readonly faults: readonly string[] };

type Path = readonly (string | number)[];

interface Fault {
  readonly path: Path;
  readonly expected: string;
  readonly found: unknown;
}

export function parseScript(text: string): ScriptText {
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    const fault = `${position(text, deep)}: expected at most ${MAX_DEPTH} levels of lists and objects, found more`;
    return { ok: false, faults: [fault] };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowEmptyContent: false });
  const [broken] = errors;
  if (root === undefined || broken !== undefined) return { ok: false, faults: [syntaxFault(text, broken)] };
  const value: unknown = getNodeValue(root);
  const faults = turnsFaults(value).map(({ path, expected, found }) => {
    const place = `${position(text, offsetOf(root, path))}: ${pathText(path)}`;
    return `${place}: expected ${expected}, found ${describe(found)}`;
  });
  return faults.length === 0 ? { ok: true, turns: value as readonly ScriptedTurn[] } : { ok: false, faults };
}

function syntaxFault(text: string, error: ParseError | undefined): string {
  if (error === undefined) return '1:1: expected JSON, found nothing';
  const { offset, length } = error;
  const found = text.slice(offset, offset + Math.min(length, 40));
  const what = found === '' ? 'the end of the text' : JSON.stringify(found);
  return `${position(text, offset)}: expected JSON, found ${what} (${printParseErrorCode(error.error)})`;
}

function turnsFaults(value: unknown): Fault[] {
  if (!Array.isArray(value)) return [{ path: [], expected: 'a list of turns', found: value }];
  return value.flatMap((turn: unknown, index) => turnFaults(turn, [index]));
}

function turnFaults(turn: unknown, path: Path): Fault[] {
  if (Array.isArray(turn)) return blocksFaults(turn, path);
  if (!isObject(turn)) return [{ path, expected: 'a list of content blocks, or an object', found: turn }];
  if ('error' in turn) return errorFaults(turn['error'], [...path, 'error']);
  return [
    ...blocksFaults(turn['content'], [...path, 'content']),
    ...fieldFaults(turn, path, 'stop_reason', 'string', 'optional'),
  ];
}

function errorFaults(error: unknown, path: Path): Fault[] {
  if (!isObject(error)) return [{ path, expected: 'an object with "message"', found: error }];
  return [
    ...fieldFaults(error, path, 'message', 'string'),
    ...fieldFaults(error, path, 'status', 'number', 'optional'),
    ...fieldFaults(error, path, 'type', 'string', 'optional'),
  ];
}

function blocksFaults(blocks: unknown, path: Path): Fault[] {
  if (!Array.isArray(blocks)) return [{ path, expected: 'a list of content blocks', found: blocks }];
  return blocks.flatMap((block: unknown, index) => blockFaults(block, [...path, index]));
}

function blockFaults(block: unknown, path: Path): Fault[] {
  if (!isObject(block)) return [{ path, expected: 'a content block', found: block }];
  switch (block['type']) {
    case 'text':
      return fieldFaults(block, path, 'text', 'string');
    case 'tool_use':
      return [
        ...fieldFaults(block, path, 'name', 'string'),
        ...fieldFaults(block, path, 'id', 'string', 'optional'),
        // Any value will do, so that a script can show what a bad input leads to.
        ...('input' in block
          ? []
          : [{ path: [...path, 'input'], expected: 'the input of the tool', found: undefined }]),
      ];
    default:
      return [{ path: [...path, 'type'], expected: '"text" or "tool_use"', found: block['type'] }];
  }
}

function fieldFaults(
  object: Fields,
  path: Path,
  key: string,
  type: 'string' | 'number',
  presence?: 'optional',
): Fault[] {
  const found = object[key];
  if (typeof found === type || (presence === 'optional' && found === undefined)) return [];
  return [{ path: [...path, key], expected: `a ${type}`, found }];
}

/** Where the value stands; where a key is missing, its object. */
function offsetOf(root: Node, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node.offset;
  }
  return root.offset;
}

function position(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

function pathText(path: Path): string {
  return `turns${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')}`;
}
