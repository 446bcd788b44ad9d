/** What a rewrite has changed in a tool's input, field by field, as lines with `-` and `+`. */
import { text } from './record-words.ts';

export interface DiffLine {
  readonly sign: '-' | '+';
  readonly text: string;
}

export function diffInputs(before: unknown, after: unknown): readonly DiffLine[] {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  return keys.flatMap((key) => {
    const [was, is] = [shown(old, key), shown(fresh, key)];
    if (was === is) return [];
    const [gone, come] = changedLines(was, is);
    return [...signed('-', key, gone), ...signed('+', key, come)];
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : { input: value };
}

function shown(fields: Readonly<Record<string, unknown>>, key: string): string | undefined {
  return Object.hasOwn(fields, key) ? text(fields[key]) : undefined;
}

/** The lines that differ: those that both begin or end with are left out. */
function changedLines(was: string | undefined, is: string | undefined): readonly [string[], string[]] {
  const [old, fresh] = [was?.split('\n') ?? [], is?.split('\n') ?? []];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end))
    end += 1;
  return [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
}

function signed(sign: '-' | '+', key: string, lines: readonly string[]): readonly DiffLine[] {
  return lines.map((line) => ({ sign, text: `${key}: ${line}` }));
}
