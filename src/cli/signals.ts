/** Signals from outside as an abort signal: what runs ends in order, and all of it is on record. */
import { EXIT } from '../core/errors.ts';

type Signals = readonly ('SIGINT' | 'SIGTERM' | 'SIGHUP')[];

/** The first of the signals aborts; a second one leaves at once. */
export function interruptSignal(signals: Signals = ['SIGINT', 'SIGTERM', 'SIGHUP']): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(EXIT.interrupted);
      controller.abort(new Error(`interrupted by ${signal}`));
    });
  }
  return controller.signal;
}
