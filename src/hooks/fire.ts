/** Events that judge nothing by themselves: their hooks run, and what they add or stop is noted. */
import type { Trail } from '../audit/trail.ts';
import { GRACE_MS, runInBackground } from './background.ts';
import { hooksConcerned, type Judged, type Occasion, runHooks } from './dispatch.ts';
import type { HookEvent } from './events.ts';
import { hookRef } from './hook.ts';
import type { HookHost, HookSettings, TurnNotes } from './host.ts';

/** A session that ends waits no longer for hooks that are asked about its settings than for those in the background. */
function settled(
  host: HookHost,
  event: HookEvent,
  signal: AbortSignal,
): Promise<HookSettings> | HookSettings {
  // Itself it is what is waited for.
  if (event === 'ConfigChange') return host.current();
  return host.settle(
    event === 'SessionEnd' ? AbortSignal.any([signal, AbortSignal.timeout(GRACE_MS)]) : signal,
  );
}

/** Runs all hooks of the occasion and notes context and stops. Returns the outcomes, for events on which a block means something. */
export async function fire(
  trail: Trail,
  host: HookHost,
  occasion: Occasion,
  notes: TurnNotes | undefined,
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  const { hooks } = await settled(host, occasion.event, signal);
  const concerned = hooksConcerned(hooks.hooks, occasion, host.workplace);
  if (concerned.length === 0) return [];
  runInBackground(trail, host, occasion, concerned);
  const awaited = concerned.filter((hook) => !hook.isAsync);
  const judged = await runHooks(trail, host, occasion, awaited, signal);
  const label = occasion.subject === undefined ? occasion.event : `${occasion.event}:${occasion.subject}`;
  for (const { hook, outcome } of judged) {
    if (outcome.additionalContext !== undefined) {
      notes?.addContext(label, `${label} hook additional context: ${outcome.additionalContext}`);
    }
    if (outcome.stop !== undefined) notes?.requestStop(hookRef(hook), outcome.stop.reason);
  }
  return judged;
}
