/** One turn as it stands, and the ways in which it ends. */
import type { TurnEnd, TurnEndReason } from '../audit/record-values.ts';
import type { Trail } from '../audit/trail.ts';
import type { TurnNotes } from '../hooks/host.ts';
import type { Session } from './session.ts';

export interface Turn {
  readonly session: Session;
  readonly trail: Trail;
  readonly notes: TurnNotes;
  readonly signal: AbortSignal;
  /** Model requests that left. */
  requests: number;
  stopReason: string | null;
  /** How often a Stop hook has sent the model on. */
  stopBlocks: number;
}

/** Why a turn ends here. */
export function endOf({ stopReason, requests }: Turn, reason: TurnEndReason, detail?: string): TurnEnd {
  return { reason, stopReason, requests, ...(detail === undefined ? {} : { detail }) };
}
