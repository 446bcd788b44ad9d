/** The text of a record without its place in the chain: secrets masked, large values cut. */
import type { Body } from './pending.ts';
import { forRecord, idForRecord, limitOf, type Mask } from './redact.ts';

/** What the records of one trail have in common. */
export interface Scope {
  readonly session?: string | undefined;
  readonly turn?: number | undefined;
  readonly policy?: string | undefined;
}

export interface RecordText {
  readonly time: string;
  readonly kind: string;
  readonly scope: Scope;
  /** The members of the scope, as `scopeText` gives them. */
  readonly scopeText: string | undefined;
  /** `tool_use_id` among them is an id, not a text. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly mask: Mask;
}

/** In a text of this length nothing is too large and no key too long. Most records are shorter. */
const SMALL_CHARACTERS = 4096;
const SHORT_ID = 256;

/** The members of a JSON object, each with a comma behind it; undefined where something in them may have to be masked. */
export function scopeText(scope: Scope, mask: Mask): string | undefined {
  const text = JSON.stringify(scope);
  if (mask.suspects(text)) return undefined;
  return text === '{}' ? '' : `${text.slice(1, -1)},`;
}

let lastMs = Number.NaN;
let lastText = '';

/** In UTC, with milliseconds. Of the many records of one millisecond only the first has it made. Throws RangeError for an invalid date. */
export function timeText(time: Date): string {
  const ms = time.getTime();
  if (ms !== lastMs) {
    lastText = time.toISOString();
    lastMs = ms;
  }
  return lastText;
}

export function bodyOf(record: RecordText): Body {
  const { time, kind, fields, mask } = record;
  const own = JSON.stringify(fields);
  const isSmall = own.length <= SMALL_CHARACTERS && !isLong(fields['tool_use_id']);
  // Where masking and cutting would change nothing, walking through every value would only cost time.
  if (!isSmall || own === '{}' || record.scopeText === undefined || mask.suspects(own))
    return lookedThrough(record);
  return `{"time":"${time}","kind":"${kind}",${record.scopeText}${own.slice(1)}`;
}

function isLong(id: unknown): boolean {
  return typeof id === 'string' && id.length > SHORT_ID;
}

function lookedThrough({ time, kind, scope, fields, mask }: RecordText): Body {
  const masked = (id: unknown) => (typeof id === 'string' ? idForRecord(id, mask) : undefined);
  const { tool_use_id, ...others } = fields;
  return JSON.stringify({
    ...{ time, kind, session: masked(scope.session), turn: scope.turn, policy: scope.policy },
    tool_use_id: masked(tool_use_id),
    ...(forRecord(others, mask, limitOf(kind)) as object),
  });
}
