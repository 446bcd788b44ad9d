/**
 * What the audit log knows of calls whose result is not in a transcript, because hookd was ended meanwhile. Whatever it
 * does not clearly say is unknown: a call that may have run is never taken for one that did not.
 */
import type { ToolOutcome } from '../core/vocabulary.ts';
import type { StoredRecord } from './chain.ts';
import { newestFirst } from './newest.ts';

export type LeftCall =
  /** It was asked for, and nothing permitted it. `waiting`: a person was being asked. */
  | { readonly kind: 'not_started'; readonly waiting: LeftQuestion | undefined }
  /** It was permitted, and there is no result. */
  | { readonly kind: 'started' }
  /** `text` is what the model was to read of a call that did not run. */
  | { readonly kind: 'ended'; readonly outcome: ToolOutcome; readonly text: string | undefined }
  | { readonly kind: 'unknown' };

export interface LeftQuestion {
  readonly toolUseId: string;
  readonly approval: string;
  readonly inputDigest: string;
}

const UNKNOWN: LeftCall = { kind: 'unknown' };
const RAN: ReadonlySet<unknown> = new Set(['ok', 'failed', 'interrupted', 'unknown']);

/** In the order of `ids`. Reads back to where the model asked for them. Throws a system error. */
export function leftCalls(
  auditDirectory: string,
  session: string,
  ids: readonly string[],
): readonly LeftCall[] {
  const calls = ids.map((id) => new CallReader(id));
  const ofSession = Buffer.from(`"session":${JSON.stringify(session)}`);
  const names = ids.map((id) => Buffer.from(JSON.stringify(id)));
  let isWhole = true;
  const records = newestFirst(auditDirectory, {
    since: undefined,
    mayFit: (bytes) => bytes.includes(ofSession) && names.some((name) => bytes.includes(name)),
    onUnsound: () => {
      isWhole = false;
    },
    onUnread: () => {
      isWhole = false;
    },
  });
  for (const { record } of records) {
    if (record.session !== session) continue;
    for (const call of calls) call.take(record);
    if (calls.every((call) => call.isComplete)) break;
  }
  return calls.map((call) => call.state(isWhole));
}

/** Takes records of one call, the newest first. */
class CallReader {
  readonly #id: string;
  /** Its beginning has been found: what is older is about another call with this id. */
  isComplete = false;
  #result: StoredRecord | undefined;
  #isPermitted = false;
  #isResolved = false;
  #question: LeftQuestion | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  take(record: StoredRecord): void {
    if (this.isComplete) return;
    if (record.kind === 'model_response') this.isComplete = asksFor(record, this.#id);
    if (record.tool_use_id !== this.#id) return;
    if (record.kind === 'tool_use') this.isComplete = true;
    if (record.kind === 'tool_result') this.#result ??= record;
    if (record.kind === 'tool_started') this.#isPermitted = true;
    if (record.kind === 'permission') {
      this.#isPermitted ||= record['decision'] === 'allow';
      this.#isResolved = true;
    }
    if (record.kind === 'approval_resolved') this.#isResolved = true;
    if (record.kind === 'approval_requested' && !this.#isResolved) {
      const approval = String(record['approval']);
      this.#question ??= { toolUseId: this.#id, approval, inputDigest: String(record['input_sha256']) };
    }
  }

  state(isWhole: boolean): LeftCall {
    if (this.#result !== undefined) {
      const { outcome, text } = this.#result;
      const isWords = typeof text === 'string' && !RAN.has(outcome);
      return { kind: 'ended', outcome: outcome as ToolOutcome, text: isWords ? text : undefined };
    }
    if (this.#isPermitted) return { kind: 'started' };
    return this.isComplete && isWhole ? { kind: 'not_started', waiting: this.#question } : UNKNOWN;
  }
}

function asksFor({ content }: StoredRecord, id: string): boolean {
  return (
    Array.isArray(content) && content.some((block: unknown) => (block as { id?: unknown } | null)?.id === id)
  );
}
