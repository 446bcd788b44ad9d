/** One turn as it stands, and the ways in which it ends. */
import type { Trail } from '../audit/trail.ts';
import { messageOf } from '../core/errors.ts';
import type { TurnEnd, TurnEndReason } from '../core/vocabulary.ts';
import { TurnNotes } from '../hooks/host.ts';
import type { Gate } from './authorize.ts';
import type { Session } from './session.ts';
import { TurnTally } from './turn-tally.ts';

export interface Turn {
  readonly session: Session;
  /** That of the session; what its hooks and people take is counted for the turn. */
  readonly gate: Gate;
  readonly tally: TurnTally;
  readonly trail: Trail;
  readonly notes: TurnNotes;
  readonly signal: AbortSignal;
  /** Model requests that left. */
  requests: number;
  stopReason: string | null;
  /** How often a Stop hook has sent the model on. */
  stopBlocks: number;
  /** Responses in a row whose calls could not run. */
  unusable: number;
  /** How often in a row the answer was cut at the end of the context window. */
  cuts: number;
  /** Calls, as name and input, that failed since something worked, with how often. */
  readonly failures: Map<string, number>;
}

export function newTurn(session: Session, trail: Trail, signal: AbortSignal): Turn {
  const notes = new TurnNotes(trail);
  const counts = {
    requests: 0,
    stopReason: null,
    stopBlocks: 0,
    unusable: 0,
    cuts: 0,
    failures: new Map<string, number>(),
  };
  const tally = new TurnTally(session.gate);
  return { session, gate: tally.gate, tally, trail, notes, signal, ...counts };
}

/** Why a turn ends here. */
export function endOf(
  { stopReason, requests, signal }: Turn,
  reason: TurnEndReason,
  detail?: string,
): TurnEnd {
  // Who interrupts says who they are.
  const more = reason === 'interrupted' ? messageOf(signal.reason) : detail;
  return { reason, stopReason, requests, ...(more === undefined ? {} : { detail: more }) };
}
