/** `async` hooks: not awaited by the call, but on record like all others, and ended with their session. */
import type { Trail } from '../audit/trail.ts';
import { isAuditFailure } from '../core/errors.ts';
import { type Occasion, runHooks } from './dispatch.ts';
import type { Hook } from './hook.ts';
import type { HookHost } from './host.ts';

/** How long a session waits for its async hooks before it ends them. */
export const GRACE_MS = 2000;

export class Background {
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #context: { readonly event: string; readonly text: string }[] = [];
  #failure: unknown;

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  add(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => {
        // A hook that cannot be recorded must not go unnoticed: the next step of the session fails.
        if (isAuditFailure(error)) this.#failure = error;
      })
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  addContext(event: string, text: string): void {
    this.#context.push({ event, text });
  }

  /** What async hooks want the model to know, for the next request. Throws when one could not be recorded. */
  takeContext(): readonly { readonly event: string; readonly text: string }[] {
    this.#throwFailure();
    const context = this.#context;
    this.#context = [];
    return context;
  }

  /** Waits for what still runs, then ends it. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.#end.abort(new Error('the session has ended')), GRACE_MS);
    await Promise.all(this.#running);
    clearTimeout(timer);
    this.#throwFailure();
  }

  /** Once: when the audit works again, so does the session. */
  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }
}

/** Starts the async ones of the hooks that an occasion concerns. What they decide comes too late to count. */
export function runInBackground(
  trail: Trail,
  host: HookHost,
  occasion: Occasion,
  concerned: readonly Hook[],
): void {
  const hooks = concerned.filter((hook) => hook.isAsync);
  if (hooks.length === 0) return;
  const { background } = host;
  const label = occasion.subject === undefined ? occasion.event : `${occasion.event}:${occasion.subject}`;
  background.add(
    runHooks(trail, host, occasion, hooks, background.signal).then((judged) => {
      for (const { outcome } of judged) {
        for (const text of [outcome.systemMessage, outcome.additionalContext]) {
          if (text !== undefined) background.addContext(label, text);
        }
      }
    }),
  );
}
