/** Turns the bytes of a settings file into text, or says exactly why they are none. */
import type { SettingsProblem } from './problem.ts';

export const LONGEST_FILE = 2 * 1024 * 1024;

const BYTE_ORDER_MARK = '\uFEFF';

export type Decoded =
  /** `text` without a byte order mark. */
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: SettingsProblem };

export function decodeSettings(file: string, bytes: Uint8Array): Decoded {
  const refuse = (message: string, advice: string, before = ''): Decoded => {
    return { ok: false, problem: { severity: 'error', file, ...endOf(before), key: '', message, advice } };
  };
  if (bytes.length > LONGEST_FILE) {
    return refuse(
      `the file is larger than ${LONGEST_FILE} bytes`,
      'Split the rules, or remove what is not used.',
    );
  }
  if (looksLikeUtf16(bytes)) return refuse('the file is UTF-16', 'Save it as UTF-8.');
  const valid = validUtf8Length(bytes);
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, valid));
  if (valid < bytes.length) {
    const byte = (bytes[valid] ?? 0).toString(16).padStart(2, '0');
    return refuse(`byte 0x${byte} is not valid UTF-8 here`, 'Save the file as UTF-8.', text);
  }
  const nul = text.indexOf('\0');
  if (nul >= 0) {
    return refuse(
      'a NUL byte',
      'Remove it; a disk that was full or a crash may have left it.',
      text.slice(0, nul),
    );
  }
  return { ok: true, text };
}

/** A byte order mark of UTF-16, or JSON's first characters with every other byte NUL. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  const [first, second, third, fourth] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const littleEndian = first !== 0 && second === 0 && third !== 0 && fourth === 0;
  const bigEndian = first === 0 && second !== 0 && third === 0 && fourth !== 0;
  return bytes.length >= 4 && bytes.length % 2 === 0 && (littleEndian || bigEndian);
}

/** How many bytes from the start are whole, valid UTF-8. */
function validUtf8Length(bytes: Uint8Array): number {
  const isWhole = (length: number): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
      return true;
    } catch {
      return false;
    }
  };
  if (isWhole(bytes.length)) return bytes.length;
  const hasNoFault = (length: number): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  let [faultless, faulty] = [0, bytes.length + 1];
  while (faulty - faultless > 1) {
    const middle = (faultless + faulty) >> 1;
    if (hasNoFault(middle)) faultless = middle;
    else faulty = middle;
  }
  // The longest faultless prefix may end inside a character that never becomes whole.
  while (!isWhole(faultless)) faultless -= 1;
  return faultless;
}

/** The place right behind `text`. */
function endOf(text: string): { readonly line: number; readonly column: number } {
  const lines = text.replace(BYTE_ORDER_MARK, '').split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
