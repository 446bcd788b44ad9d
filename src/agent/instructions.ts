/**
 * What people wrote down for agents: AGENTS.md, or CLAUDE.md where there is none, of the user and of the project. Those of
 * a project come from whoever wrote it: they are read only where the user trusts it.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { messageOf, systemCode } from '../core/errors.ts';
import type { Workplace } from '../core/vocabulary.ts';

const NAMES = ['AGENTS.md', 'CLAUDE.md'];
/** Each request carries them: a longer file is cut. */
const LONGEST_BYTES = 64 * 1024;

export interface Instructions {
  readonly file: string;
  readonly text: string;
  readonly sha256: string;
}

export interface FoundInstructions {
  readonly instructions: readonly Instructions[];
  /** What was not read, or not whole, and why. */
  readonly notices: readonly string[];
}

/**
 * The user's first: what a project says comes later, and is about less.
 * @param whyDenied why a rule keeps the agent from reading a file of the project; undefined when none does
 */
export function readInstructions(
  { hookdHome, project, cwd }: Workplace,
  trustsProject: boolean,
  whyDenied: (file: string) => string | undefined,
): FoundInstructions {
  const notices: string[] = [];
  const ofUser = firstIn(hookdHome, undefined, () => undefined, notices);
  const directories = trustsProject ? [...new Set([project, cwd])] : [];
  const ofProject = directories.map((directory) => firstIn(directory, project, whyDenied, notices));
  const found = [ofUser, ...ofProject].filter((one) => one !== undefined);
  // The same text under two names, or in two places, is said once.
  const instructions = found.filter(
    ({ sha256 }, index) => found.findIndex((other) => other.sha256 === sha256) === index,
  );
  return { instructions, notices };
}

/** `within`: where the file must lie when its links are followed. */
function firstIn(
  directory: string,
  within: string | undefined,
  whyDenied: (file: string) => string | undefined,
  notices: string[],
): Instructions | undefined {
  for (const name of NAMES) {
    const file = join(directory, name);
    try {
      const target = realpathSync(file);
      if (within !== undefined && relative(within, target).startsWith('..')) {
        notices.push(`${file} is not read: it leads to ${target}, outside of the project.`);
        continue;
      }
      const denied = whyDenied(file);
      if (denied !== undefined) {
        notices.push(`${file} is not read: ${denied}`);
        continue;
      }
      const { bytes, isWhole } = readStart(target);
      if (!isWhole) notices.push(`${file} is longer than 64 KiB: the model is told the beginning.`);
      // Not a character cut in two at the end.
      const text = new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes, { stream: !isWhole });
      return { file, text, sha256: createHash('sha256').update(bytes).digest('hex') };
    } catch (error) {
      const code = systemCode(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') notices.push(`${file} is not read: ${messageOf(error)}.`);
    }
  }
  return undefined;
}

/** Opened without blocking: a named pipe would hold us until somebody writes. */
function readStart(path: string): { readonly bytes: Uint8Array; readonly isWhole: boolean } {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file');
    const buffer = new Uint8Array(LONGEST_BYTES + 1);
    let length = 0;
    for (;;) {
      const taken = readSync(descriptor, buffer, length, buffer.length - length, null);
      length += taken;
      if (taken === 0 || length === buffer.length) break;
    }
    return { bytes: buffer.subarray(0, Math.min(length, LONGEST_BYTES)), isWhole: length <= LONGEST_BYTES };
  } finally {
    closeSync(descriptor);
  }
}
