/**
 * What a record shows of secrets and of large values. Only known token shapes are masked, and none of them can hold a
 * blank or a shell metacharacter: masking never hides what ran.
 */
import { createHash } from 'node:crypto';
import type { Json } from '../core/vocabulary.ts';

/** Published shapes of credentials; each has a fixed prefix, so that ordinary text does not match by chance. */
const TOKEN_SHAPES = {
  'anthropic-key': 'sk-ant-[A-Za-z0-9_-]{16,}',
  'openai-key': 'sk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}',
  'github-token': '(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})',
  'gitlab-token': 'glpat-[A-Za-z0-9_-]{20,}',
  'aws-key-id': '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'slack-token': 'xox[abeoprs]-[A-Za-z0-9-]{10,}',
  'npm-token': 'npm_[A-Za-z0-9]{36}',
  'google-key': 'AIza[A-Za-z0-9_-]{35}',
  'stripe-key': '[rs]k_live_[A-Za-z0-9]{20,}',
  jwt: 'eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.][A-Za-z0-9_-]{8,}',
} as const satisfies Record<string, string>;

const NAMES = Object.keys(TOKEN_SHAPES);
const ANY_TOKEN = new RegExp(
  `(?<![A-Za-z0-9])(?:${Object.values(TOKEN_SHAPES)
    .map((shape) => `(${shape})`)
    .join('|')})`,
  'g',
);

export function maskTokens(text: string): string {
  return text.replace(ANY_TOKEN, (...match: unknown[]) => {
    const group = match.slice(1, 1 + NAMES.length).findIndex((value) => value !== undefined);
    return `[REDACTED:${NAMES[group]}]`;
  });
}

/** Bytes of one string in a record; a longer one is kept as size, digest and head. */
export const MAX_STRING_BYTES = 64 * 1024;
const HEAD_CHARACTERS = 4096;
/** Masked before the cut, so that a token across it is not left half in the open. */
const MASKED_CHARACTERS = 2 * HEAD_CHARACTERS;

interface LargeValue {
  readonly bytes: number;
  readonly sha256: string;
  readonly head: string;
}

/** The value as it goes into a record: tokens masked, large strings replaced by their size, digest and head. */
export function forRecord(value: unknown): Json | undefined {
  if (typeof value === 'string') return presentString(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => forRecord(item) ?? null);
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskTokens(key), forRecord(item)]));
  }
  return undefined;
}

function presentString(text: string): Json {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_STRING_BYTES) return maskTokens(text);
  const large: LargeValue = {
    bytes,
    sha256: createHash('sha256').update(text).digest('hex'),
    head: maskTokens(text.slice(0, MASKED_CHARACTERS)).slice(0, HEAD_CHARACTERS),
  };
  return { ...large };
}
