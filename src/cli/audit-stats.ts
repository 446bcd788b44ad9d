/** `hookd audit stats`: calls by tool, denials by cause, hooks and how long they take, approvals and how long they wait. */
import { newestFirst } from '../audit/newest.ts';
import { fits, mayFit, type RecordFilter } from '../audit/select.ts';
import { TALLIED, type Tallies, Tally, type Times } from '../audit/tally.ts';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { ReadingFaults } from './audit-tail.ts';
import { COLUMNS, cell } from './columns.ts';
import { type Output, oneLine } from './output.ts';
import { causeWords, durationWords, placeWords } from './record-words.ts';

export interface StatsOptions {
  readonly auditDirectory: string;
  readonly filter: RecordFilter;
  readonly json: boolean;
}

/** Rows of one table; `--json` has all. */
const ROWS = 20;
const UNJUDGED = 'a hook ended the turn before the call was judged';
const NAME_WIDTH = 20;
const NUMBER_WIDTH = 9;

export function statsCommand({ auditDirectory, filter, json }: StatsOptions, output: Output): number {
  const faults = new ReadingFaults(output.note);
  const tally = new Tally();
  const counted = { ...filter, kinds: TALLIED };
  const reading = { mayFit: mayFit(counted), since: filter.since, ...faults.callbacks };
  try {
    for (const { record } of newestFirst(auditDirectory, reading))
      if (fits(record, counted)) tally.add(record);
  } catch (error) {
    const message = `${auditDirectory} cannot be read: ${messageOf(error)}.`;
    throw new HookdError('AUDIT_UNAVAILABLE', message, { cause: error });
  }
  faults.tell();
  const tallies = tally.result();
  if (json) output.result(JSON.stringify(tallies));
  else print(tallies, output);
  return EXIT.done;
}

function print({ sessions, calls, tools, denials, hooks, approvals }: Tallies, output: Output): void {
  const say = (line: string) => output.result(oneLine(line, COLUMNS).trimEnd());
  const head = (title: string) => {
    say('');
    output.result(output.colours.bold(title));
  };
  say(`${calls} calls in ${sessions} sessions`);
  head(`${cell('calls by tool', NAME_WIDTH)}${numbers('calls', 'ok', 'failed', 'denied', 'p50', 'p95')}`);
  for (const { tool, calls: count, outcomes, ms } of tools.slice(0, ROWS)) {
    const { ok = 0, failed = 0, denied = 0 } = outcomes;
    say(
      `${cell(oneLine(tool, NAME_WIDTH), NAME_WIDTH)}${numbers(count, ok, failed, denied, ...quantiles(ms))}`,
    );
  }
  if (denials.length > 0) head('denials by cause');
  for (const { cause, count } of denials.slice(0, ROWS))
    say(`${String(count).padStart(NUMBER_WIDTH)}  ${cause === null ? UNJUDGED : causeWords(cause)}`);
  if (hooks.length > 0)
    head(
      `${cell('hooks, slowest first', NAME_WIDTH)}${numbers('runs', 'blocked', 'failed', 'p50', 'p95', 'total')}`,
    );
  for (const hook of hooks.slice(0, ROWS)) {
    const { event, blocked, failed, ms } = hook;
    say(
      `${cell(oneLine(event, NAME_WIDTH), NAME_WIDTH)}${numbers(ms?.count ?? 0, blocked, failed, ...quantiles(ms), durationWords(ms?.total))}`,
    );
    say(`  ${hook.name} (${placeWords(hook)})`);
  }
  const { allow, deny, unanswered, waited_ms: waited } = approvals;
  if (allow + deny + unanswered === 0) return;
  head('approvals');
  say(`${allow} allowed, ${deny} denied, ${unanswered} not answered`);
  const [p50, p95] = quantiles(waited);
  say(`waited p50 ${p50}, p95 ${p95}, longest ${durationWords(waited?.max)}`);
}

function numbers(...values: readonly (number | string)[]): string {
  return values.map((value) => ` ${String(value).padStart(NUMBER_WIDTH)}`).join('');
}

function quantiles(ms: Times | undefined): readonly [string, string] {
  return [durationWords(ms?.p50), durationWords(ms?.p95)];
}
