/**
 * What a decision looked at. The code that decides fills it in when it is given one, and does the same without:
 * an explanation is what happened, not a second opinion.
 */
import type { Decision, RuleSource } from '../core/vocabulary.ts';
import type { Allowance } from './command-part.ts';
import type { Reading } from './programs/reading.ts';
import type { SimpleCommand } from './shell/commands.ts';

/** In the order in which they are made; the first that has an answer decides. */
const CHECKS = [
  'deny-rules',
  'built-in-denies',
  'hook',
  'ask-rules',
  'unresolved',
  'always-asked',
  'allow',
] as const;

export type CheckName = (typeof CHECKS)[number];

export interface TracedCheck {
  readonly name: CheckName;
  /** `undefined` where it had no answer, so that the next one was asked. */
  readonly decision: Decision | undefined;
}

/** A deny or ask rule that fits, whether it decided or not. */
export interface RuleHit {
  readonly rule: RuleSource;
  /** The part of a command that it fits; none when that is the whole call. */
  readonly part?: string | undefined;
  /** The path that a path rule covers. */
  readonly path?: string | undefined;
}

export interface TracedPart {
  readonly command: SimpleCommand;
  /** What allow rules, the mode and the table of harmless commands say of it. */
  readonly allowance: Allowance;
}

export interface TracedFile {
  readonly access: 'read' | 'write';
  /** As it stands in the command or in the input. */
  readonly word: string;
  readonly path: string;
  /** What the path leads to when its links are followed; `undefined` when that cannot be said. */
  readonly target: string | undefined;
}

export class Trace {
  readonly checks: TracedCheck[] = [];
  readonly hits: RuleHit[] = [];
  readonly files: TracedFile[] = [];
  /** The parts that allow rules are compared with; empty where the command as a whole stands in the way, or is covered. */
  readonly parts: TracedPart[] = [];
  /** The answer of those parts together. */
  whole: Allowance | undefined;
  /** All that it may run, through wrappers and interpreters: what deny and ask rules are compared with. */
  readings: readonly Reading[] = [];
  /** What could not be looked into. */
  unresolved: readonly string[] = [];

  addHits(hits: Iterable<RuleHit>): void {
    for (const hit of hits) {
      const known = this.hits.some(
        ({ rule, part, path }) => rule === hit.rule && part === hit.part && path === hit.path,
      );
      if (!known) this.hits.push(hit);
    }
  }

  addFile(file: TracedFile): void {
    const known = this.files.some(
      ({ access, word, path }) => access === file.access && word === file.word && path === file.path,
    );
    if (!known) this.files.push(file);
  }
}

/** The decision itself, put down on its way. */
export function noted<D extends Decision | undefined>(
  { trace }: { readonly trace: Trace | undefined },
  name: CheckName,
  decision: D,
): D {
  trace?.checks.push({ name, decision });
  return decision;
}
