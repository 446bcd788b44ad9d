/** New records of all chains, as they come into the files: what a client is shown is what is recorded. */
import { follow, whereFilesEnd } from '../audit/follow.ts';
import { whyUnread } from '../audit/read.ts';
import type { Found } from '../audit/read-back.ts';
import { mayFit, type RecordFilter } from '../audit/select.ts';
import { Mailbox } from '../lib/mailbox.ts';
import type { Frame } from './api-stream.ts';

/** Records that wait for a slow reader. */
const WAITING = 5_000;

export async function* followAudit(
  auditDirectory: string,
  filter: RecordFilter,
  signal: AbortSignal,
): AsyncGenerator<Frame, void> {
  const box = new Mailbox<Frame>(WAITING);
  const warn = (text: string) => box.put({ event: 'warning', data: JSON.stringify({ text }) });
  const reading = {
    mayFit: mayFit(filter),
    since: undefined,
    onUnread: (path: string, error: unknown) => warn(`${path} ${whyUnread(error)}`),
    onUnsound: (path: string) =>
      warn(`${path}: a line is no sound record; "hookd audit verify" names the fault`),
  };
  const print = ({ record, bytes }: Found) => box.put({ event: record.kind, data: bytes.toString('utf8') });
  const ends = whereFilesEnd(auditDirectory, reading);
  const done = new AbortController();
  const following = follow(
    {
      ...{ auditDirectory, filter, reading, ends, onFault: warn },
      signal: AbortSignal.any([signal, done.signal]),
      isDone: () => box.overflowed,
    },
    print,
  ).finally(() => box.close());
  try {
    yield* box.items(signal);
    if (box.overflowed) {
      const why = 'The client read too slowly; what it missed is in the audit log.';
      yield { event: 'dropped', data: JSON.stringify({ why }) };
    }
  } finally {
    done.abort();
    await following;
  }
}
