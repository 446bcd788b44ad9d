/** `hookd audit verify [PATH] [--head HASH]`: is every record there, unchanged and in its place? */
import { existsSync, statSync } from 'node:fs';
import { listSegments } from '../audit/read.ts';
import { type ChainReport, holdsHead, verifyAll, verifyDirectory, verifyFile } from '../audit/verify.ts';
import { EXIT, HookdError } from '../core/errors.ts';
import type { Output } from './output.ts';

export interface VerifyOptions {
  /** An audit directory, one chain's directory, or one file; without it all chains of $HOOKD_HOME. */
  readonly path: string;
  readonly head: string | undefined;
  readonly json: boolean;
}

/** Returns the exit code: 0 all sound, 1 a fault was found. */
export function verifyCommand({ path, head, json }: VerifyOptions, output: Output): number {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new HookdError(
      'USAGE',
      `--head takes the 64 hex digits of a record's hash, not ${JSON.stringify(head)}.`,
    );
  }
  const reports = reportsFor(path);
  const headFound = head === undefined ? undefined : holdsHead(path, head);
  const sound = reports.every((report) => report.problem === undefined) && headFound !== false;
  if (json) {
    output.result(
      JSON.stringify({ sound, path, ...(head === undefined ? {} : { head, headFound }), chains: reports }),
    );
  } else {
    printReports(reports, output);
    if (headFound === false)
      output.result(`FAULT  no chain holds the head ${head}: its end was cut or written anew`);
    if (headFound === true) output.result(`ok     the head ${head} is there`);
    output.result(sound ? summary(reports) : 'The audit log is NOT sound.');
  }
  return sound ? EXIT.done : EXIT.failed;
}

function reportsFor(path: string): readonly ChainReport[] {
  if (!existsSync(path)) throw new HookdError('USAGE', `There is no audit log at ${path}.`);
  if (statSync(path).isFile()) return [verifyFile(path)];
  return listSegments(path).length > 0 ? [verifyDirectory(path)] : verifyAll(path);
}

function printReports(reports: readonly ChainReport[], output: Output): void {
  for (const report of reports) {
    for (const note of report.notes) output.result(`note   ${note}`);
    if (report.problem === undefined) continue;
    const { file, line, message } = report.problem;
    output.result(`FAULT  ${line === 0 ? file : `${file}:${line}: the record`} ${message}`);
  }
}

function summary(reports: readonly ChainReport[]): string {
  const records = reports.reduce((sum, report) => sum + report.records, 0);
  const chains = `${reports.length} ${reports.length === 1 ? 'chain' : 'chains'}`;
  const head = reports.at(-1)?.head;
  return `ok     ${records} records in ${chains}, all sound${head === undefined ? '' : `; newest head ${head}`}`;
}
