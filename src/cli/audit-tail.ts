/** `hookd audit tail`: the newest records of all chains, in time order, a line each; then new ones as they come. */
import { type NewestOptions, newestFirst } from '../audit/newest.ts';
import { whyUnread } from '../audit/read.ts';
import type { Found } from '../audit/read-back.ts';
import { fits, mayFit, type RecordFilter } from '../audit/select.ts';
import { EXIT, HookdError, messageOf } from '../core/errors.ts';
import { type Output, printable } from './output.ts';
import { dayOf, renderRecord } from './render-record.ts';

export interface TailOptions {
  readonly auditDirectory: string;
  readonly count: number;
  readonly follow: boolean;
  readonly json: boolean;
  readonly filter?: RecordFilter;
  /** Ends following. */
  readonly signal: AbortSignal;
}

export async function tailCommand(options: TailOptions, output: Output): Promise<number> {
  const { auditDirectory, count, json, filter = {} } = options;
  if (!Number.isSafeInteger(count) || count < 0)
    throw new HookdError('USAGE', `-n takes a whole number from 0, not ${count}.`);
  let day: string | undefined;
  const print = ({ record, bytes }: Found) => {
    if (json) return output.result(bytes.toString('utf8'));
    if (dayOf(record) !== day) output.result(output.colours.dim(`${dayOf(record)} (times are UTC)`));
    day = dayOf(record);
    output.result(renderRecord(record, output.colours, output.columns));
  };
  const faults = new ReadingFaults(output.note);
  const reading = { mayFit: mayFit(filter), since: filter.since, ...faults.callbacks };
  try {
    if (!options.follow) {
      for (const found of newest(auditDirectory, count, filter, reading)) print(found);
    } else {
      const { follow, whereFilesEnd } = await import('../audit/follow.ts');
      const ends = whereFilesEnd(auditDirectory, reading);
      const endOf = (path: string): number => ends.at(path);
      for (const found of newest(auditDirectory, count, filter, { ...reading, endOf })) print(found);
      const onFault = (text: string): void => output.note(`hookd: ${text}`);
      await follow({ ...options, filter, reading, ends, onFault, isDone: output.isClosed }, print);
    }
  } catch (error) {
    if (error instanceof HookdError) throw error;
    const message = `${auditDirectory} cannot be read: ${messageOf(error)}.`;
    throw new HookdError('AUDIT_UNAVAILABLE', message, { cause: error });
  }
  faults.tell();
  return EXIT.done;
}

/** The last `count` fitting records of all chains, oldest first. */
function newest(
  auditDirectory: string,
  count: number,
  filter: RecordFilter,
  options: NewestOptions,
): readonly Found[] {
  const found: Found[] = [];
  if (count === 0) return found;
  for (const next of newestFirst(auditDirectory, options)) {
    if (fits(next.record, filter)) found.push(next);
    if (found.length >= count) break;
  }
  return found.reverse();
}

/** Keeps what could not be read, so that each file is named once and nothing is passed over in silence. */
export class ReadingFaults {
  readonly #note: (line: string) => void;
  readonly #unread = new Set<string>();
  readonly #unsound = new Map<string, number>();

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  get callbacks(): Pick<NewestOptions, 'onUnread' | 'onUnsound'> {
    return {
      onUnread: (path, error) => {
        if (this.#unread.has(path)) return;
        this.#unread.add(path);
        this.#note(`hookd: ${printable(path)} ${whyUnread(error)}`);
      },
      onUnsound: (path) => void this.#unsound.set(path, (this.#unsound.get(path) ?? 0) + 1),
    };
  }

  tell(): void {
    for (const [path, lines] of this.#unsound) {
      const words =
        lines === 1 ? '1 line is no sound record and was' : `${lines} lines are no sound records and were`;
      this.#note(`hookd: ${printable(path)}: ${words} left out; "hookd audit verify" names the fault`);
    }
  }
}
