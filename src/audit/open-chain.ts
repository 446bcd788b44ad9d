/** Begins a chain: its first records name the other chains and say what they left open. */
import { join } from 'node:path';
import { isAuditFailure, messageOf } from '../core/errors.ts';
import { endLeftovers } from './leftovers.ts';
import type { DaemonStarted } from './record-values.ts';
import { lookAtOtherChains } from './recovery.ts';
import { unavailable } from './segment.ts';
import { Trail } from './trail.ts';
import { markLookedInto, type UnknownOutcome } from './unfinished.ts';
import { AuditWriter } from './writer.ts';

export type ChainStart = Omit<DaemonStarted, 'heads' | 'unfinished' | 'unreadable'>;

/**
 * Resolves when the first records are durable. `onUnknown` is told of calls that were left open before they count as
 * looked into. A start that fails leaves no empty chain. Throws AUDIT_UNAVAILABLE.
 */
export async function openChain(
  auditDirectory: string,
  start: ChainStart,
  onUnknown: (outcomes: readonly UnknownOutcome[]) => void = () => undefined,
): Promise<Trail> {
  const trail = new Trail(AuditWriter.create(join(auditDirectory, start.writer)));
  let hasStarted = false;
  try {
    const { heads, unfinished, unreadable, outcomes, leftovers } = lookAtOtherChains(
      auditDirectory,
      start.writer,
    );
    trail.record('daemon_started', {
      ...start,
      heads,
      ...(unfinished.length > 0 ? { unfinished } : {}),
      ...(unreadable.length > 0 ? { unreadable } : {}),
    });
    hasStarted = true;
    for (const outcome of outcomes) trail.record('outcome_unknown', outcome);
    await trail.durable();
    await endLeftovers(trail, leftovers);
    onUnknown(outcomes);
    markLookedInto(auditDirectory, unfinished, start.writer);
    return trail;
  } catch (error) {
    const failure = isAuditFailure(error) ? error : unavailable('read', auditDirectory, error);
    if (hasStarted) await recordEnd(trail, `it could not be started: ${messageOf(failure)}`);
    trail.discard();
    throw failure;
  }
}

async function recordEnd(trail: Trail, reason: string): Promise<void> {
  try {
    trail.record('daemon_stopped', { reason });
    await trail.durable();
  } catch {
    // What made the start fail is what people are told.
  }
}
