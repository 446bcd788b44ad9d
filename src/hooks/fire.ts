/** Events that judge nothing by themselves: their hooks run, and what they add or stop is noted. */
import type { Trail } from '../audit/trail.ts';
import { runInBackground } from './background.ts';
import { hooksConcerned, type Judged, type Occasion, runHooks } from './dispatch.ts';
import { hookRef } from './hook.ts';
import type { HookHost, TurnNotes } from './host.ts';

/** Runs all hooks of the occasion and notes context and stops. Returns the outcomes, for events on which a block means something. */
export async function fire(
  trail: Trail,
  host: HookHost,
  occasion: Occasion,
  notes: TurnNotes | undefined,
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  // Itself it is what is waited for.
  const { hooks } = occasion.event === 'ConfigChange' ? host.current() : await host.settle(signal);
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
