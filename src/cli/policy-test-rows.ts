/** The rows of a policy's own tests: JSON Lines, checked as strictly as settings, all errors at once. */
import { isObject } from '../core/json.ts';
import type { Behavior, JsonObject, ToolCall, Workplace } from '../core/vocabulary.ts';
import { nearMiss } from '../lib/near-miss.ts';
import { decodeSettings } from '../settings/decode.ts';
import { type JsonDocument, type JsonPath, parseStrictJson } from '../settings/json.ts';
import { describeValue, type SettingsProblem } from '../settings/problem.ts';
import { SUPPORTED_MODES, type WrittenMode } from '../settings/schema.ts';
import { readCall } from './policy-question.ts';

export interface PolicyRow {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly name: string | undefined;
  readonly call: ToolCall;
  readonly mode: WrittenMode | undefined;
  readonly expect: Behavior;
}

export interface ReadRows {
  readonly rows: readonly PolicyRow[];
  readonly problems: readonly SettingsProblem[];
}

const BEHAVIORS: readonly Behavior[] = ['allow', 'ask', 'deny'];
const KEYS = ['tool', 'input', 'mode', 'expect', 'name'];

/** `file` as it is to be shown. Blank lines separate. */
export function readRows(file: string, bytes: Uint8Array, workplace: Workplace): ReadRows {
  const decoded = decodeSettings(file, bytes);
  if (!decoded.ok) return { rows: [], problems: [decoded.problem] };
  const lines = decoded.text.split(/\r?\n/);
  const read = lines.map((text, index) =>
    text.trim() === '' ? NOTHING : readRow(file, index + 1, text, workplace),
  );
  const rows = read.flatMap((one) => one.rows);
  const problems = read.flatMap((one) => one.problems);
  if (rows.length > 0 || problems.length > 0) return { rows, problems };
  const facts = { message: 'no rows', expected: 'one JSON object a line', found: 'nothing' };
  return { rows, problems: [{ severity: 'error', file, line: 1, column: 1, key: '', ...facts }] };
}

const NOTHING: ReadRows = { rows: [], problems: [] };

function readRow(file: string, line: number, text: string, workplace: Workplace): ReadRows {
  const parsed = parseStrictJson(file, text);
  if (!parsed.ok) return { rows: [], problems: parsed.problems.map((one) => ({ ...one, line })) };
  const { document } = parsed;
  const row = new Row(file, line, document);
  const tool = row.text('tool', 'the name of a tool', true);
  const input = row.object('input');
  const expect = row.oneOf('expect', BEHAVIORS, true);
  const mode = row.oneOf('mode', SUPPORTED_MODES, false);
  const name = row.text('name', 'a text', false);
  row.refuseUnknownKeys();
  if (tool === undefined || input === undefined || expect === undefined || row.problems.length > 0)
    return { rows: [], problems: row.problems };
  const read = readCall({ tool, input }, workplace);
  if (read.ok) return { rows: [{ file, line, name, call: read.call, mode, expect }], problems: [] };
  row.refuse([read.about], { message: read.problem.replace(/\.$/, '') });
  return { rows: [], problems: row.problems };
}

/** One row, and what is wrong with it. */
class Row {
  readonly problems: SettingsProblem[] = [];
  readonly #file: string;
  readonly #line: number;
  readonly #document: JsonDocument;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(file: string, line: number, document: JsonDocument) {
    this.#file = file;
    this.#line = line;
    this.#document = document;
    const { value } = document;
    this.#fields = isObject(value) ? value : {};
    if (!isObject(value))
      this.refuse([], { message: 'no row', expected: 'an object', found: describeValue(value) });
  }

  refuse(path: JsonPath, facts: Pick<SettingsProblem, 'message'> & Partial<SettingsProblem>): void {
    const { column } = this.#document.placeOf(path);
    const at = { file: this.#file, line: this.#line, column, key: path.join('.') };
    this.problems.push({ severity: 'error', ...at, ...facts });
  }

  text(key: string, expected: string, isNeeded: boolean): string | undefined {
    const value = this.#value(key, expected, isNeeded);
    if (typeof value === 'string' && (value !== '' || !isNeeded)) return value;
    if (value !== undefined) this.#refuseValue(key, expected, value);
    return undefined;
  }

  object(key: string): JsonObject | undefined {
    const expected = 'an object, the input of the tool';
    const value = this.#value(key, expected, true);
    if (isObject(value)) return value as JsonObject;
    if (value !== undefined) this.#refuseValue(key, expected, value);
    return undefined;
  }

  oneOf<Known extends string>(key: string, known: readonly Known[], isNeeded: boolean): Known | undefined {
    const expected = `one of ${known.join(', ')}`;
    const value = this.#value(key, expected, isNeeded);
    const found = known.find((one) => one === value);
    if (value !== undefined && found === undefined) this.#refuseValue(key, expected, value, known);
    return found;
  }

  refuseUnknownKeys(): void {
    for (const key of Object.keys(this.#fields).filter((one) => !KEYS.includes(one))) {
      const near = nearMiss(key, KEYS);
      const { column } = this.#document.placeOfKey([key]);
      const facts = { message: 'unknown key', expected: `one of ${KEYS.join(', ')}` };
      this.refuse([key], { ...facts, column, ...(near === undefined ? {} : { nearMiss: near }) });
    }
  }

  #value(key: string, expected: string, isNeeded: boolean): unknown {
    const value = Object.hasOwn(this.#fields, key) ? this.#fields[key] : undefined;
    if (value === undefined && isNeeded && isObject(this.#document.value))
      this.refuse([], { key, message: 'missing', expected });
    return value;
  }

  #refuseValue(key: string, expected: string, value: unknown, known: readonly string[] = []): void {
    const near = typeof value === 'string' ? nearMiss(value, known) : undefined;
    const facts = { message: 'wrong value', expected, found: describeValue(value) };
    this.refuse([key], { ...facts, ...(near === undefined ? {} : { nearMiss: near }) });
  }
}
