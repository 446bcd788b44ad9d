/** The `hookd daemon` commands, as a table. */
import type { Argv } from 'yargs';
import type { Output } from './output.ts';
import { interruptSignal } from './signals.ts';

export function daemonCommands(
  y: Argv,
  env: NodeJS.ProcessEnv,
  output: Output,
  becomes: (work: Promise<number>) => Promise<void>,
) {
  const json = { type: 'boolean', default: false } as const;
  const grace = {
    type: 'number',
    nargs: 1,
    describe: 'seconds that running turns get when the daemon stops; default: 10',
  } as const;
  const idle = {
    type: 'boolean',
    default: false,
    describe: 'end after 30 minutes without clients, running sessions and questions',
  } as const;
  return y
    .command(
      'run',
      'The daemon in this process, until a signal ends it (for systemd and containers).',
      (one) => one.option('grace', grace).option('end-when-idle', idle).option('json', json),
      ({ grace: graceSeconds, endWhenIdle: endsWhenIdle, json }) =>
        becomes(
          import('./daemon-run.ts').then(({ daemonRunCommand }) =>
            daemonRunCommand({ env, graceSeconds, endsWhenIdle, json }, output),
          ),
        ),
    )
    .command(
      'start',
      'Start the daemon; it outlives this terminal.',
      (one) => one.option('grace', grace).option('end-when-idle', idle).option('json', json),
      ({ grace: graceSeconds, endWhenIdle: endsWhenIdle, json }) =>
        becomes(
          import('./daemon-start.ts').then(({ startCommand }) =>
            startCommand({ env, graceSeconds, endsWhenIdle, json }, output),
          ),
        ),
    )
    .command(
      'stop',
      'End the daemon in order: nothing new, time for running turns, everything on record.',
      (one) => one.option('grace', grace).option('json', json),
      ({ grace: graceSeconds, json }) =>
        becomes(
          import('./daemon-stop.ts').then(({ stopCommand }) =>
            stopCommand({ env, graceSeconds, json }, output),
          ),
        ),
    )
    .command(
      'restart',
      'Stop the daemon and start it, as this version.',
      (one) => one.option('grace', grace).option('json', json),
      ({ grace: graceSeconds, json }) =>
        becomes(
          import('./daemon-stop.ts').then(({ restartCommand }) =>
            restartCommand({ env, graceSeconds, json }, output),
          ),
        ),
    )
    .command(
      'status',
      'Does it run, and what is it doing? Exit code 1 when it does not run.',
      (one) => one.option('json', json),
      (argv) =>
        becomes(
          import('./daemon-status.ts').then(({ statusCommand }) =>
            statusCommand({ env, json: argv.json }, output),
          ),
        ),
    )
    .command(
      'logs',
      'What the daemon said of itself, and faults inside hookd.',
      (one) =>
        one
          .option('follow', { alias: 'f', type: 'boolean', default: false, describe: 'show what comes, too' })
          .option('lines', { alias: 'n', type: 'number', nargs: 1, default: 50 })
          .option('json', json),
      ({ follow, lines: count, json }) =>
        becomes(
          import('./daemon-logs.ts').then(({ logsCommand }) =>
            logsCommand({ env, count, follow, json, signal: interruptSignal() }, output),
          ),
        ),
    )
    .command(
      'unit',
      'Print a systemd user unit for this installation.',
      (one) => one,
      () => becomes(import('./daemon-unit.ts').then(({ unitCommand }) => unitCommand(output))),
    )
    .demandCommand(1, 'Say what to do with the daemon: run, start, stop, restart, status, logs or unit');
}
