/**
 * What a record shows of secrets and of large values. Masking never hides what ran: a token shape holds neither blanks
 * nor shell metacharacters, a configured credential is masked as that very value only.
 */
import { createHash } from 'node:crypto';
import type { Json } from '../core/vocabulary.ts';
import { maskPattern, type TokenPattern } from './token-pattern.ts';

/**
 * Published shapes of credentials. Their prefixes are distinctive: a token is one wherever it stands (`-ughp_…`,
 * `%3Dghp_…`), so that nothing is asked about the character before it.
 */
const TOKEN_SHAPES = {
  'anthropic-key': 'sk-ant-[A-Za-z0-9_-]{16,}',
  'openai-key': 'sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}',
  'github-token': '(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})',
  'gitlab-token': 'glpat-[A-Za-z0-9_-]{20,}',
  'aws-key-id': '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'slack-token': 'xox[abeoprs]-[A-Za-z0-9-]{10,}',
  'npm-token': 'npm_[A-Za-z0-9]{36}',
  'google-key': 'AIza[A-Za-z0-9_-]{35}',
  'stripe-key': '[rs]k_live_[A-Za-z0-9]{20,}',
} as const satisfies Record<string, string>;

const NAMES = Object.keys(TOKEN_SHAPES);
const ANY_TOKEN = new RegExp(
  Object.values(TOKEN_SHAPES)
    .map((shape) => `(${shape})`)
    .join('|'),
  'g',
);
/** `sk-` alone also ends words (`task-…`, `disk-…`): it counts at the start of a word, an escape or a flag's value. */
const BARE_KEY = /(?<=^|[^A-Za-z0-9]|%[0-9A-Fa-f]{2}|\\[nrt]|(?:^|\s)-[A-Za-z])sk-[A-Za-z0-9_-]{32,}/g;
const DOTTED_RUN = /[A-Za-z0-9_.-]+/g;

export interface Mask {
  (text: string): string;
  /** False of a JSON text only when masking would change no string in it: most records need no closer look. */
  readonly suspects: (json: string) => boolean;
}

/** With one of these every shape begins, or holds it. Escapes of JSON do not touch them. */
const SUSPICIOUS = /sk-|gh[pousr]_|github_pat_|glpat-|AKIA|ASIA|xox|npm_|AIza|k_live_|\.eyJ/;

/** Masks token shapes. */
export const maskTokens: Mask = Object.assign(maskShapes, {
  suspects: (json: string) => SUSPICIOUS.test(json) || SECRET_MEMBER.test(json),
});

function maskShapes(text: string): string {
  const shaped = text.replace(ANY_TOKEN, (...match: unknown[]) => {
    const group = match.slice(1, 1 + NAMES.length).findIndex((value) => value !== undefined);
    return redacted(NAMES[group] ?? 'token', String(match[0]));
  });
  const keyed = shaped.replace(BARE_KEY, (run) =>
    // A name of a file in kebab case is no key.
    /[0-9]/.test(run) && /[A-Z]/.test(run) ? redacted('openai-key', run) : run,
  );
  return keyed.includes('.eyJ') ? keyed.replace(DOTTED_RUN, maskWebTokens) : keyed;
}

/** The digest tells two masked values apart, and one from itself. */
function redacted(name: string, value: string): string {
  return `[REDACTED:${name}:${digestOf(value).slice(0, 8)}]`;
}

/** True where something in the text was masked, or looks like it. */
export function isMasked(text: string): boolean {
  return /\[REDACTED:(?:field|[a-z][a-z0-9-]*:[0-9a-f]{8})\]/.test(text);
}

/** Part by part, in one pass: a pattern over the whole would try each beginning anew. */
function maskWebTokens(run: string): string {
  const parts = run.split('.');
  const shown: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const [first = '', payload = '', signature = ''] = parts.slice(at, at + 3);
    const begin = first.indexOf('eyJ');
    const isToken = begin !== -1 && /^eyJ.{8}/.test(payload) && signature.length >= 8;
    if (isToken && first.length - begin > 10) {
      const token = `${first.slice(begin)}.${payload}.${signature}`;
      shown.push(`${first.slice(0, begin)}${redacted('jwt', token)}`);
      at += 2;
    } else shown.push(first);
  }
  return shown.join('.');
}

const SHORTEST_SECRET = 8;

/** Names of fields whose value is a credential, whoever has made the object; in any case, with blanks, `-` and `_` anywhere. */
const SECRET_FIELDS = [
  ...['password', 'passwd', 'passphrase', 'secret', 'clientsecret', 'privatekey', 'secretkey', 'credentials'],
  ...[
    'token',
    'accesstoken',
    'refreshtoken',
    'idtoken',
    'authtoken',
    'apikey',
    'authorization',
    'cookie',
    'setcookie',
  ],
]
  .map((name) => [...name].join('[-_ ]*'))
  .join('|');
const SECRET_FIELD = new RegExp(`^[-_ ]*(?:${SECRET_FIELDS})[-_ ]*$`, 'i');
/** Looks back from where a name ends: a JSON text has many more quotes than members. */
const SECRET_MEMBER = new RegExp(`":(?<="[-_ ]*(?:${SECRET_FIELDS})[-_ ]*":)`, 'i');

function isSecretField(key: string): boolean {
  return key.length <= 64 && SECRET_FIELD.test(key);
}

/** Without a digest: a password can be guessed from one. */
const MASKED_FIELD = '[REDACTED:field]';

/** Masks these very values, then the shapes that the user has named, then known token shapes. A value that is short or holds a blank is left out: it could hide what ran. */
export function maskSecrets(values: readonly string[], patterns: readonly TokenPattern[] = []): Mask {
  const secrets = values
    .filter((value) => value.length >= SHORTEST_SECRET && !/\s/.test(value))
    // Of two that overlap the longer one first.
    .sort((a, b) => b.length - a.length);
  const inJson = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  const mask = (text: string) => {
    let masked = text;
    for (const secret of secrets)
      if (masked.includes(secret)) masked = masked.replaceAll(secret, () => redacted('credential', secret));
    for (const pattern of patterns) masked = maskPattern(masked, pattern, redacted);
    return maskTokens(masked);
  };
  const suspects = (json: string) =>
    maskTokens.suspects(json) ||
    inJson.some((secret) => json.includes(secret)) ||
    patterns.some(({ prefix }) => json.includes(prefix));
  return Object.assign(mask, { suspects });
}

/** Bytes of one string in a record, more than Linux takes as one argument (131072): a command that ran is there whole. A longer one is kept as size, digest and head. */
export const MAX_STRING_BYTES = 160 * 1024;
/** For records whose texts must be whole: the largest settings file is 2 MiB, and a summary is what the model goes on from. */
const WHOLE_STRING_BYTES = 3 * 1024 * 1024;
const WHOLE_KINDS: ReadonlySet<string> = new Set(['settings_loaded', 'settings_changed', 'compacted']);
/** Characters of a name or an id that the model chose. */
const MAX_ID = 256;
const HEAD_CHARACTERS = 4096;
/** Masked before the cut, so that a token across it is not left half in the open. */
const MASKED_CHARACTERS = 2 * HEAD_CHARACTERS;

interface LargeValue {
  readonly bytes: number;
  readonly sha256: string;
  readonly head: string;
}

/** True for what stands in place of a string that was too large. */
export function isCut(value: object): value is LargeValue {
  return (
    Object.keys(value).length === 3 &&
    'bytes' in value &&
    'head' in value &&
    'sha256' in value &&
    /^[0-9a-f]{64}$/.test(String(value.sha256))
  );
}

/** The most bytes that one string of a record of this kind keeps. */
export function limitOf(kind: string): number {
  return WHOLE_KINDS.has(kind) ? WHOLE_STRING_BYTES : MAX_STRING_BYTES;
}

/** The value as it goes into a record: secrets masked, large strings replaced by their size, digest and head. */
export function forRecord(
  value: unknown,
  mask: Mask = maskTokens,
  limit: number = MAX_STRING_BYTES,
): Json | undefined {
  if (typeof value === 'string') return presentString(value, mask, limit);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => forRecord(item, mask, limit) ?? null);
  if (typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        shortened(mask(key), HEAD_CHARACTERS),
        isSecretField(key) ? hidden(item) : forRecord(item, mask, limit),
      ]),
    );
  }
  return undefined;
}

/** Strings and numbers hidden, whatever they stand in; `null`, `true` and `false` tell nothing. */
function hidden(value: unknown): Json | undefined {
  if (typeof value === 'string') return value === '' ? value : MASKED_FIELD;
  if (typeof value === 'number') return MASKED_FIELD;
  if (typeof value === 'boolean' || value === null) return value;
  return typeof value === 'object' ? MASKED_FIELD : undefined;
}

/** An id as it goes into a record: masked, and with a digest in place of what is too long. */
export function idForRecord(id: string, mask: Mask): string {
  return shortened(mask(id), MAX_ID);
}

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const digest = digestOf(text).slice(0, 32);
  return `${text.slice(0, limit - 64)}…[${text.length}:${digest}]`;
}

function presentString(text: string, mask: Mask, limit: number): Json {
  const bytes = Buffer.byteLength(text);
  if (bytes <= limit) return mask(text);
  const large: LargeValue = { bytes, sha256: digestOf(text), head: headOf(text, mask) };
  return { ...large };
}

/** Where masking made the text shorter, the word at the cut may be half a token: it is left out. */
function headOf(text: string, mask: Mask): string {
  const masked = mask(text.slice(0, MASKED_CHARACTERS));
  if (masked.length > HEAD_CHARACTERS + MASKED_CHARACTERS / 4) return masked.slice(0, HEAD_CHARACTERS);
  return beforeWord(masked).slice(0, HEAD_CHARACTERS);
}

/** The first characters of a text, and no half word at the cut: it may be half a token, which nothing would recognise. */
export function beginningOf(text: string, limit: number): string {
  return text.length <= limit ? text : beforeWord(text.slice(0, limit));
}

function beforeWord(text: string): string {
  let end = text.length;
  while (end > 0 && /[\w.+/=:@%,~-]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
