/** The table of `hookd audit …`: one module each, loaded when it is asked for. */
import type { Argv } from 'yargs';
import type { RecordFilter } from '../audit/select.ts';
import { TAIL_COUNT } from './audit-tail-flags.ts';
import { JSON_FLAG } from './json-flag.ts';
import type { Output } from './output.ts';
import { givenPath } from './start-directory.ts';

type Becomes = (work: Promise<number>) => Promise<void>;

export function auditCommands(y: Argv, env: NodeJS.ProcessEnv, output: Output, becomes: Becomes): Argv {
  const ownAudit = async (): Promise<string> => {
    const { auditDirectoryOf, hookdHomeOf } = await import('../daemon/hookd-home.ts');
    return auditDirectoryOf(hookdHomeOf(env));
  };
  return y
    .command(
      'tail',
      'Show the newest records of all chains, oldest first; -f goes on with new ones.',
      (t) =>
        withFilterFlags(t)
          .option('follow', {
            alias: 'f',
            type: 'boolean',
            default: false,
            describe: 'go on with new records',
          })
          .option('lines', {
            alias: 'n',
            type: 'number',
            nargs: 1,
            default: TAIL_COUNT,
            describe: 'how many to begin with',
          })
          .option('json', { type: 'boolean', default: false, describe: 'the records as they are stored' }),
      (argv) =>
        becomes(
          Promise.all([import('./audit-tail.ts'), import('./signals.ts'), ownAudit(), filterOf(argv)]).then(
            ([{ tailCommand }, { interruptSignal }, auditDirectory, filter]) => {
              const { lines: count, follow, json } = argv;
              const signal = follow ? interruptSignal() : new AbortController().signal;
              return tailCommand({ auditDirectory, count, follow, json, filter, signal }, output);
            },
          ),
        ),
    )
    .command(
      'show <id>',
      'Tell the whole story of one tool call, by its id or how it begins.',
      (s) =>
        s
          .positional('id', { type: 'string', demandOption: true, describe: 'a tool_use_id: toolu_…' })
          .option('session', {
            type: 'string',
            nargs: 1,
            describe: 'where several sessions have such a call',
          })
          .option('json', JSON_FLAG),
      (argv) =>
        becomes(
          Promise.all([import('./audit-show.ts'), ownAudit()]).then(([{ showCommand }, auditDirectory]) => {
            const { id, session, json } = argv;
            return showCommand({ auditDirectory, id, session, json }, output);
          }),
        ),
    )
    .command(
      'stats',
      'Count calls by tool, denials by cause, hooks and their times, approvals and their waits.',
      (s) =>
        s
          .option('session', {
            type: 'string',
            nargs: 1,
            describe: 'of this session: its id, or how it begins',
          })
          .option('since', { type: 'string', nargs: 1, describe: 'not older: 30m, 1h, 7d, or a date' })
          .option('json', JSON_FLAG),
      (argv) =>
        becomes(
          Promise.all([import('./audit-stats.ts'), ownAudit(), filterOf(argv)]).then(
            ([{ statsCommand }, auditDirectory, filter]) =>
              statsCommand({ auditDirectory, filter, json: argv.json }, output),
          ),
        ),
    )
    .command(
      'export',
      'Print records as CSV for spreadsheets, or as they are stored; the newest first.',
      (e) =>
        withFilterFlags(e)
          .option('format', {
            choices: ['csv', 'jsonl'] as const,
            nargs: 1,
            default: 'csv' as const,
            describe: 'for spreadsheets, or as they are stored',
          })
          .option('json', { type: 'boolean', default: false, describe: 'the same as --format jsonl' }),
      (argv) =>
        becomes(
          Promise.all([import('./audit-export.ts'), ownAudit(), filterOf(argv)]).then(
            ([{ exportCommand }, auditDirectory, filter]) =>
              exportCommand({ auditDirectory, filter, format: argv.json ? 'jsonl' : argv.format }, output),
          ),
        ),
    )
    .command(
      'verify [path]',
      'Check that every record is there, unchanged and in its place.',
      (v) =>
        v
          .positional('path', {
            type: 'string',
            describe: 'a file or directory; default: all of $HOOKD_HOME/audit',
          })
          .option('head', { type: 'string', nargs: 1, describe: 'a hash kept elsewhere that must be there' })
          .option('json', JSON_FLAG),
      (argv) =>
        becomes(
          Promise.all([import('./audit-verify.ts'), ownAudit()]).then(([{ verifyCommand }, audit]) =>
            verifyCommand(
              {
                path: givenPath(argv.path ?? audit),
                all: argv.path === undefined,
                head: argv.head,
                json: argv.json,
              },
              output,
            ),
          ),
        ),
    )
    .demandCommand(1, 'Say what to look at: tail, show, stats, export or verify.');
}

interface FilterArguments {
  readonly session?: string | undefined;
  readonly kind?: readonly string[] | undefined;
  readonly tool?: string | undefined;
  readonly decision?: string | undefined;
  readonly since?: string | undefined;
}

function withFilterFlags<T>(y: Argv<T>) {
  return y
    .option('session', { type: 'string', nargs: 1, describe: 'of this session: its id, or how it begins' })
    .option('kind', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'of this kind (repeat for more): permission, tool_result …',
    })
    .option('tool', { type: 'string', nargs: 1, describe: 'records that name this tool' })
    .option('decision', {
      choices: ['allow', 'deny'] as const,
      nargs: 1,
      describe: 'permissions that were decided so',
    })
    .option('since', { type: 'string', nargs: 1, describe: 'not older: 30m, 1h, 7d, or a date' });
}

async function filterOf({ session, kind, tool, decision, since }: FilterArguments): Promise<RecordFilter> {
  const [{ parseSince }, { checkedKinds }] = await Promise.all([
    import('./since.ts'),
    import('./audit-kinds.ts'),
  ]);
  return {
    session,
    kinds: checkedKinds(kind ?? []),
    tool,
    decision,
    since: since === undefined ? undefined : parseSince(since),
  };
}
