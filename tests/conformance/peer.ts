/** Second opinions: what other projects answer to the same inputs. Theirs is no contract; looser than a sound one is worth a look. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Behavior } from '../../src/core/vocabulary.ts';
import type { Answer, Row, Sandbox } from './rows.ts';

/**
 * `refused`: no session starts with the row's settings. `elsewhere`: it is about something that this adapter does not
 * play; `why` says what, or which test does.
 */
export type PeerVerdict = 'agree' | 'stricter' | 'looser' | 'refused' | 'elsewhere';

export interface PeerRow {
  readonly row: number;
  /** The input, short. */
  readonly input: string;
  readonly verdict: PeerVerdict;
  readonly why: string;
}

/** Plays all rows of one project. */
export type Peer = (sandbox: Sandbox) => readonly PeerRow[];

export function tableOf<Entry>(name: string): readonly Entry[] {
  const text = readFileSync(join(import.meta.dirname, 'peers', `${name}.json`), 'utf8');
  return (JSON.parse(text) as { readonly rows: readonly Entry[] }).rows;
}

const RANK: Readonly<Record<Behavior, number>> = { allow: 0, ask: 1, deny: 2 };

export function compared(expected: Behavior, answer: Answer): Pick<PeerRow, 'verdict' | 'why'> {
  if (answer.kind === 'refused')
    return {
      verdict: 'refused',
      why: answer.errors.map(({ key, message }) => `${key}: ${message}`).join('; '),
    };
  const why = `expected ${expected}, got ${answer.behavior}: ${answer.reason}`;
  if (answer.behavior === expected) return { verdict: 'agree', why };
  return { verdict: RANK[answer.behavior] > RANK[expected] ? 'stricter' : 'looser', why };
}

/** A row of ours for a call in a trusted project without any rule. */
export function rowFor(tool: string, input: Row['input'], more: Partial<Row> = {}): Row {
  return {
    ...{ id: 'peer', area: 'peer', mode: 'default', rules: {}, expected: 'ask', observed: 'ask' },
    ...{ tool, input, ...more },
  } as Row;
}
