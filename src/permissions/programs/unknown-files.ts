/**
 * Whether words that are known only when a call runs may be files, for programs whose files are looked at by their options:
 * `curl -T $f`, `find … -exec gzip {} +`. For those that take nothing but files as operands the table says so: `cat $f`.
 */
import { isInterpreter } from './opaque.ts';
import { programOf } from './program-name.ts';
import type { Reading } from './reading.ts';

export interface UnknownWord {
  /** As written. */
  readonly text: string;
  /** The word in front of it, as written. */
  readonly before: string;
}

/** Archivers, compressors and the like: every unknown word may be a file. */
const TAKE_FILES = new Set(
  [
    'zip ditto 7z 7za 7zr 7zz rar cpio pax jar ar gzip gunzip pigz unpigz bzip2 bunzip2 pbzip2 lbzip2 xz unxz pixz lzma',
    'unlzma lzip plzip lz4 unlz4 lzop zstd unzstd zstdmt brotli compress uncompress gpg gpg2 age openssl curl wget',
  ]
    .join(' ')
    .split(' '),
);

export function mayNameFiles(reading: Reading): boolean {
  const name = programOf(reading.words[0] ?? '');
  const interprets = isInterpreter(name);
  if (!interprets && !TAKE_FILES.has(name)) return false;
  if (reading.made) return true;
  if (interprets) return isUnknownScript(reading);
  if (name === 'openssl' && NO_FILES_OF_OPENSSL.test(reading.words[1] ?? '')) return false;
  const isPlain = name === 'curl' ? isPlainForCurl : name === 'wget' ? isAddress : undefined;
  return isPlain === undefined || reading.unknown.some((word) => !isPlain(word));
}

const NO_FILES_OF_OPENSSL = /^(?:rand|s_client|s_time|version|prime|passwd|list|ciphers|speed|help)$/;

/** Nothing stands before it that can be the script: what follows one is given to that. */
const isUnknownScript = ({ words, sure = 0 }: Reading): boolean =>
  words.slice(1, Math.max(sure, 1)).every((word) => word.startsWith('-'));

/** One word for certain, and no file: `"https://host/$x"`. */
const isAddress = ({ text }: UnknownWord): boolean => ADDRESS.test(text);

const ADDRESS = /^(?:"(?:https?:\/\/|[\w.-]+:[\d$]|localhost)[^"]*"|https?:\/\/[^\s]*"[^"]*"[^\s]*)$/i;

/** Data, a header and other texts are files only behind `@`. */
const TEXT_OPTION =
  /^(?:-[a-zA-Z]*[dHAXeumwrzyYU]|--(?:data|data-ascii|data-binary|data-raw|json|header|user-agent|request|referer|user|max-time|write-out|range|connect-timeout|retry|proxy|oauth2-bearer|resolve|limit-rate))$/;

function isPlainForCurl(word: UnknownWord): boolean {
  const { text, before } = word;
  const [, first] = /^"([^"$`\\@<-]|\\.)(?:[^"\\]|\\.)*"$/s.exec(text) ?? [];
  if (TEXT_OPTION.test(before)) return first !== undefined;
  return !/^-[a-zA-Z]*[TKoDcbEFQx]$|^--/.test(before) && isAddress(word);
}
