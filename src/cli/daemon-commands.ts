/** The `hookd daemon` commands, as a table. */
import type { Argv } from 'yargs';
import { JSON_FLAG } from './json-flag.ts';
import type { Output } from './output.ts';
import { interruptSignal } from './signals.ts';

export function daemonCommands(
  y: Argv,
  env: NodeJS.ProcessEnv,
  output: Output,
  becomes: (work: Promise<number>) => Promise<void>,
) {
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
      'Run the daemon in this process, until a signal ends it (for systemd and containers).',
      (one) => one.option('grace', grace).option('end-when-idle', idle).option('json', JSON_FLAG),
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
      (one) => one.option('grace', grace).option('end-when-idle', idle).option('json', JSON_FLAG),
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
      (one) => one.option('grace', grace).option('json', JSON_FLAG),
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
      (one) => one.option('grace', grace).option('json', JSON_FLAG),
      ({ grace: graceSeconds, json }) =>
        becomes(
          import('./daemon-stop.ts').then(({ restartCommand }) =>
            restartCommand({ env, graceSeconds, json }, output),
          ),
        ),
    )
    .command(
      'status',
      'Tell whether the daemon runs, and what it does; exit code 1 when it does not run.',
      (one) => one.option('json', JSON_FLAG),
      (argv) =>
        becomes(
          import('./daemon-status.ts').then(({ statusCommand }) =>
            statusCommand({ env, json: argv.json }, output),
          ),
        ),
    )
    .command(
      'logs',
      'Show what the daemon said of itself, and faults inside hookd.',
      (one) =>
        one
          .option('follow', {
            alias: 'f',
            type: 'boolean',
            default: false,
            describe: 'go on with what comes',
          })
          .option('lines', {
            alias: 'n',
            type: 'number',
            nargs: 1,
            default: 50,
            describe: 'how many to begin with',
          })
          .option('json', JSON_FLAG),
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
      (one) => one.option('json', JSON_FLAG),
      ({ json }) => becomes(import('./daemon-unit.ts').then(({ unitCommand }) => unitCommand(json, output))),
    )
    .demandCommand(1, 'Say what to do with the daemon: run, start, stop, restart, status, logs or unit.');
}
