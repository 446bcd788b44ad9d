/**
 * The trail: a stage's value becomes visible only after its record is on the channel.
 *
 * `Recorded<T>` is minted here and nowhere else. The class has a private field and is exported as a type only, so
 * no literal, spread or subclass passes for one; the doors (`assertRecorded`) look it up at run time, so that no cast
 * does either. There is no trail without a writer.
 */
import { HookdError } from '../core/errors.ts';
import type { SessionId } from '../core/vocabulary.ts';
import { Channel } from './channel.ts';
import type { ChannelSettings } from './channel-settings.ts';
import type { SinkSurroundings } from './command-sink.ts';
import { freeze } from './freeze.ts';
import { RECORDS, type RecordKind, type RecordValue } from './record.ts';
import { bodyOf, type RecordText, scopeText, timeText } from './record-body.ts';
import { type Mask, maskSecrets, maskTokens } from './redact.ts';
import type { SinkLag } from './sinks.ts';
import type { TokenPattern } from './token-pattern.ts';
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

type ScopeInForce = Pick<RecordText, 'scope' | 'scopeText' | 'mask'>;

/** What all trails of one chain share. */
interface ChainState {
  readonly now: () => Date;
  /** Permits whose result is not on record yet, by session and id. */
  readonly openIntents: Set<string>;
  readonly secrets: Set<string>;
  /** By name and source. */
  readonly patterns: Map<string, TokenPattern>;
  readonly channel: Channel;
  mask: Mask;
}

interface Part {
  readonly chain: ChainState;
  readonly scope: Scope;
  /** Digest of the settings in force; one object for all trails of a session. */
  readonly policy: { digest: string | undefined };
  /** What is done at each barrier; one list for all trails of a session. */
  readonly besides: (() => void)[];
}

function wholeChain(writer: AuditWriter, now: () => Date = () => new Date()): Part {
  const channel = new Channel(writer, (...about) => {
    new Trail(writer, ofChain()).record(...about);
  });
  const chain: ChainState = {
    now,
    openIntents: new Set(),
    secrets: new Set(),
    patterns: new Map(),
    mask: maskTokens,
    channel,
  };
  const ofChain = (): Part => ({ chain, scope: {}, policy: { digest: undefined }, besides: [] });
  return ofChain();
}

export class Trail {
  readonly #writer: AuditWriter;
  readonly #part: Part;
  #scope: ScopeInForce | undefined;

  constructor(writer: AuditWriter, part: Part = wholeChain(writer)) {
    this.#writer = writer;
    this.#part = part;
  }

  /** The same chain, for the records of one session; it has its own settings in force. */
  forSession(session: SessionId): Trail {
    const { chain } = this.#part;
    return new Trail(this.#writer, { chain, scope: { session }, policy: { digest: undefined }, besides: [] });
  }

  forTurn(turn: number): Trail {
    return new Trail(this.#writer, { ...this.#part, scope: { ...this.#part.scope, turn } });
  }

  get head(): Head {
    return this.#writer.head;
  }

  get sinkLag(): readonly SinkLag[] {
    return this.#part.chain.channel.sinkLag;
  }

  /**
   * How the chain is kept from now on, as this session's settings say. Only user, command line and managed settings
   * have a say in it. Without `surroundings` sinks stay as they are.
   */
  configure(settings: ChannelSettings, surroundings?: SinkSurroundings): void {
    const { chain, scope } = this.#part;
    // A shape that is taken back counts until the chain ends: another session may still name it.
    for (const pattern of settings.redact)
      chain.patterns.set(JSON.stringify([pattern.name, pattern.source]), pattern);
    this.#renewMask();
    chain.channel.configure(scope.session, settings, surroundings);
  }

  /** `tell` gets what people must know of the channel, until the returned function is called. */
  watch(tell: (text: string) => void): () => void {
    return this.#part.chain.channel.watch(tell);
  }

  /** From now on these very values (the configured credentials) are masked too, in every record of the chain. */
  maskSecrets(values: readonly string[]): void {
    const { chain } = this.#part;
    for (const value of values) chain.secrets.add(value);
    this.#renewMask();
  }

  #renewMask(): void {
    const { chain } = this.#part;
    chain.mask = maskSecrets([...chain.secrets], [...chain.patterns.values()]);
  }

  /**
   * Writes the record of `value` and returns it sealed. When this returns, the record survives the death of the
   * process. Throws AUDIT_UNAVAILABLE: then there is no record and no sealed value.
   */
  record<K extends RecordKind, V extends RecordValue<K>>(kind: K, value: V): Sealed<V> {
    freeze(value);
    const fieldsOf = RECORDS[kind] as (value: V) => Readonly<Record<string, unknown>>;
    const { chain, policy } = this.#part;
    const fields = fieldsOf(value);
    if (kind === 'settings_loaded' || kind === 'settings_changed') policy.digest = String(fields['digest']);
    // Counted here, not by the caller: a later start believes it, and looks closer only where it is not 0.
    const counted = kind === 'daemon_stopped' ? { open_intents: chain.openIntents.size } : undefined;
    const body = bodyOf({
      time: timeText(chain.now()),
      kind,
      ...this.#scopeNow(),
      fields: counted === undefined ? fields : { ...fields, ...counted },
    });
    const { hash } = this.#writer.append(body);
    if (kind === 'permission' && fields['decision'] === 'allow') chain.openIntents.add(this.#callOf(fields));
    if (kind === 'tool_result') chain.openIntents.delete(this.#callOf(fields));
    const sealed = new Sealed(kind, value, hash);
    minted.add(sealed);
    return sealed;
  }

  #callOf(fields: Readonly<Record<string, unknown>>): string {
    return `${this.#part.scope.session} ${String(fields['tool_use_id'])}`;
  }

  /** Made anew only where the settings in force have changed, or what is masked. */
  #scopeNow(): ScopeInForce {
    const { chain, scope, policy } = this.#part;
    if (this.#scope?.scope.policy !== policy.digest || this.#scope?.mask !== chain.mask) {
      const inForce = { ...scope, policy: policy.digest };
      const { mask } = chain;
      this.#scope = { scope: inForce, scopeText: scopeText(inForce, mask), mask };
    }
    return this.#scope;
  }

  /**
   * To be called before anything new begins. Throws AUDIT_UNAVAILABLE below the floor of free space: what runs already
   * can still be recorded there.
   */
  assertRoom(): void {
    this.#part.chain.channel.assertRoom();
  }

  /**
   * From now on each barrier of this session waits for `work` too. It is done while the disk takes the records, which is
   * waiting time anyway, and must neither throw nor record.
   */
  besides(work: () => void): void {
    this.#part.besides.push(work);
  }

  /**
   * The barrier before an act: everything so far is durable, and there is room to record what follows. `prepare` makes
   * what the act needs, as in `besides`; nobody may see anything of it before the barrier is passed. Throws what it throws.
   */
  async readyToAct(prepare?: () => void): Promise<void> {
    await this.durable(prepare);
    this.assertRoom();
  }

  /**
   * Resolves when everything recorded so far survives a power loss, and every required sink has it. Throws
   * AUDIT_UNAVAILABLE or AUDIT_TAMPERED, or what `prepare` throws.
   */
  durable(prepare?: () => void): Promise<void> {
    const { chain, besides } = this.#part;
    const work = prepare === undefined ? besides : [...besides, prepare];
    const durable = chain.channel.durable();
    if (work.length === 0) return durable;
    return Promise.all([durable, afterSyncBegan(work)]).then(() => undefined);
  }

  close(): Promise<void> {
    return this.#part.chain.channel.close();
  }

  /** Lets go of a chain whose start has failed; what has no record yet is removed. */
  discard(): void {
    this.#writer.discard();
  }
}

/** A sync begins with the next tick (`writer.ts`), which was asked for earlier: what is done now is done while it runs. */
async function afterSyncBegan(work: readonly (() => void)[]): Promise<void> {
  await new Promise<void>((resolve) => process.nextTick(resolve));
  for (const one of work) one();
}
