/** `hookd audit verify [PATH] [--head HASH]`: is every record there, unchanged and in its place? */
import { existsSync } from 'node:fs';
import { type ChainReport, verifyAll, verifyPath } from '../audit/verify.ts';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { type Output, printable } from './output.ts';

export interface VerifyOptions {
  /** An audit directory, one chain's directory, or one file. */
  readonly path: string;
  /** True where no PATH was given: all of $HOOKD_HOME/audit, whatever lies there. */
  readonly all?: boolean;
  readonly head: string | undefined;
  readonly json: boolean;
}

/** Returns the exit code: 0 all sound, 1 a fault was found, or nothing that could be checked. */
export function verifyCommand({ path, all, head, json }: VerifyOptions, output: Output): number {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new HookdError(
      'USAGE',
      `--head takes the 64 hex digits of a record's hash, not ${JSON.stringify(head)}.`,
    );
  }
  const reports = reportsFor(path, all === true, head);
  const headFound = head === undefined ? undefined : reports.some((report) => report.holdsHead === true);
  const hasFault = reports.some((report) => report.problem !== undefined);
  const isEmpty = reports.every((report) => report.records === 0);
  const sound = !hasFault && !isEmpty && headFound !== false;
  if (json) {
    const result = { sound, path, ...(head === undefined ? {} : { head, headFound }), chains: reports };
    output.result(JSON.stringify(result));
    return sound ? EXIT.done : EXIT.failed;
  }
  const say = (line: string) => output.result(printable(line));
  printReports(reports, say);
  if (headFound === false) {
    const why = hasFault ? ' before the first fault of its chain' : ': its end was cut or written anew';
    say(`FAULT  no chain holds the head ${head}${why}`);
  }
  if (headFound === true) say(`ok     the head ${head} is there`);
  if (sound) say(summary(reports));
  else
    say(
      isEmpty && !hasFault
        ? `There is nothing to verify: no record in ${path}.`
        : 'The audit log is NOT sound.',
    );
  return sound ? EXIT.done : EXIT.failed;
}

function reportsFor(path: string, all: boolean, head: string | undefined): readonly ChainReport[] {
  if (!existsSync(path)) throw new HookdError('USAGE', `There is no audit log at ${path}.`);
  try {
    return all ? verifyAll(path, head) : verifyPath(path, head);
  } catch (error) {
    throw new HookdError('AUDIT_UNAVAILABLE', `${path} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

function printReports(reports: readonly ChainReport[], say: (line: string) => void): void {
  for (const report of reports) {
    for (const note of report.notes) say(`note   ${note}`);
    if (report.problem === undefined) continue;
    const { file, line, message } = report.problem;
    say(`FAULT  ${line === 0 ? file : `${file}:${line}: the record`} ${message}`);
  }
}

function summary(reports: readonly ChainReport[]): string {
  const chains = reports.filter(({ records }) => records > 0);
  const records = chains.reduce((sum, report) => sum + report.records, 0);
  const head = chains.at(-1)?.head;
  return `ok     ${records} records in ${chains.length} ${chains.length === 1 ? 'chain' : 'chains'}, all sound; newest head ${head}`;
}
