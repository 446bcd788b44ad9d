/**
 * The trail: a stage's value becomes visible only after its record is on the channel.
 *
 * `Recorded<T>` is minted here and nowhere else. The class has a private field and is exported as a type only, so
 * no literal, spread or subclass passes for one; the doors (`assertRecorded`) look it up at run time, so that no cast
 * does either. There is no trail without a writer.
 */

import { HookdError } from '../core/errors.ts';
import type { SessionId } from '../core/vocabulary.ts';
import { RECORDS, type RecordKind, type RecordValue } from './record.ts';
import { forRecord } from './redact.ts';
import type { AuditWriter, Head } from './writer.ts';

const minted = new WeakSet<object>();

class Sealed<T> {
  readonly kind: RecordKind;
  readonly value: T;
  readonly hash: string;
  readonly #sealed = true;

  constructor(kind: RecordKind, value: T, hash: string) {
    this.kind = kind;
    this.value = value;
    this.hash = hash;
    Object.freeze(this);
  }

  /** Keeps the private field alive for the type checker, whose rule it is that makes the class nominal. */
  get isSealed(): boolean {
    return this.#sealed;
  }
}

/** A value whose record is on the channel. Frozen, whole: what was recorded cannot be changed afterwards. */
export type { Sealed as Recorded };

/** The run-time half of the seal: throws for anything that this module did not mint, or minted as another kind. */
export function assertRecorded(value: Sealed<unknown>, ...kinds: readonly RecordKind[]): void {
  if (!minted.has(value) || !kinds.includes(value.kind)) {
    throw new HookdError(
      'INTERNAL',
      `A value that was not recorded as ${kinds.join(' or ')} reached a guarded door.`,
    );
  }
}

interface Scope {
  readonly session?: SessionId;
  readonly turn?: number;
}

export class Trail {
  readonly #writer: AuditWriter;
  readonly #scope: Scope;
  readonly #now: () => Date;
  /** Digest of the settings in force; one object for all trails of a session. */
  readonly #policy: { digest: string | undefined };

  constructor(
    writer: AuditWriter,
    scope: Scope = {},
    now: () => Date = () => new Date(),
    policy: { digest: string | undefined } = { digest: undefined },
  ) {
    this.#writer = writer;
    this.#scope = scope;
    this.#now = now;
    this.#policy = policy;
  }

  /** The same chain, for the records of one session; it has its own settings in force. */
  forSession(session: SessionId): Trail {
    return new Trail(this.#writer, { session }, this.#now);
  }

  forTurn(turn: number): Trail {
    return new Trail(this.#writer, { ...this.#scope, turn }, this.#now, this.#policy);
  }

  get head(): Head {
    return this.#writer.head;
  }

  /**
   * Writes the record of `value` and returns it sealed. When this returns, the record survives the death of the
   * process. Throws AUDIT_UNAVAILABLE: then there is no record and no sealed value.
   */
  record<K extends RecordKind, V extends RecordValue<K>>(kind: K, value: V): Sealed<V> {
    freeze(value);
    const fieldsOf = RECORDS[kind] as (value: V) => Readonly<Record<string, unknown>>;
    const { tool_use_id, ...fields } = fieldsOf(value);
    if (kind === 'settings_loaded' || kind === 'settings_changed')
      this.#policy.digest = String(fields['digest']);
    const body = JSON.stringify({
      time: this.#now().toISOString(),
      kind,
      ...this.#scope,
      tool_use_id,
      policy: this.#policy.digest,
      ...(forRecord(fields) as object),
    });
    const { hash } = this.#writer.append(body);
    const sealed = new Sealed(kind, value, hash);
    minted.add(sealed);
    return sealed;
  }

  /** Resolves when everything recorded so far survives a power loss. Throws AUDIT_UNAVAILABLE or AUDIT_TAMPERED. */
  durable(): Promise<void> {
    return this.#writer.durable();
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}

/** Freezes plain objects and arrays all the way down. Instances of classes freeze themselves. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return;
  Object.freeze(value);
  for (const item of Object.values(value)) freeze(item);
}
