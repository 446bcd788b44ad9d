/** Signals from outside as an abort signal: what runs ends in order, and all of it is on record. */
import inspector from 'node:inspector';
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

/**
 * Closes a debugger that nobody has asked for on the command line. The launcher takes SIGUSR1, with which Node opens
 * one, away from it; this is for a signal that was quicker than the launcher.
 */
export function closeUnaskedDebugger(env: NodeJS.ProcessEnv): void {
  const asked = [...process.execArgv, env['NODE_OPTIONS'] ?? ''].some((option) =>
    option.includes('--inspect'),
  );
  if (!asked && inspector.url() !== undefined) inspector.close();
}
