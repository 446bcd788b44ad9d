/** The calls in the log that rules have decided about, with what is needed to judge them again. */
import type { Behavior, Cause, HookRef, HookVerdict } from '../core/vocabulary.ts';
import type { StoredRecord } from './chain.ts';
import { newestFirst } from './newest.ts';
import type { ReadOptions } from './read-back.ts';
import { isCut, isMasked } from './redact.ts';

export interface RecordedCall {
  readonly session: string;
  readonly id: string;
  readonly time: string;
  readonly tool: string;
  /** The input that was judged, parsed already. */
  readonly input: unknown;
  /** What the hooks of the call said, which rules are asked after. */
  readonly verdict: HookVerdict | undefined;
  /** What the rules said, before a person or a hook of PermissionRequest answered. */
  readonly ruling: { readonly behavior: Behavior; readonly reason: string; readonly cause: Cause };
  /** Where its session worked; `undefined` where the log does not say. */
  readonly cwd: string | undefined;
  /** The sources of the settings that decided; `undefined` where the log does not hold them. */
  readonly sources: readonly RecordedSource[] | undefined;
}

export interface RecordedSource {
  readonly scope: string;
  readonly path: string;
  readonly text: unknown;
}

export interface RecordedCalls {
  /** Oldest first. */
  readonly calls: readonly RecordedCall[];
  /** Calls that rules never saw: of a tool that there is not, with a wrong input, refused by a hook. */
  readonly unjudged: number;
}

const KINDS = [
  ...['session_started', 'settings_loaded', 'settings_changed'],
  ...['tool_use', 'tool_call', 'input_rewritten', 'hooked_call', 'permission'],
] as const;

const NEEDLES = KINDS.map((kind) => Buffer.from(`"kind":"${kind}"`));

/** `since` in milliseconds since 1970: calls that were decided before are left out. Throws a system error. */
export function recordedCalls(
  auditDirectory: string,
  since: number | undefined,
  faults: Pick<ReadOptions, 'onUnread' | 'onUnsound'>,
): RecordedCalls {
  const mayFit = (bytes: Buffer): boolean => NEEDLES.some((needle) => bytes.includes(needle));
  const reader = new CallReader(since);
  // A session began before its calls, so that nothing is too old to be looked at.
  const found = [...newestFirst(auditDirectory, { ...faults, since: undefined, mayFit })];
  for (const { record } of found.reverse()) reader.take(record);
  return { calls: reader.calls, unjudged: reader.unjudged };
}

interface Session {
  readonly cwd: string | undefined;
  /** Hooks that were tried out: no session of an agent. */
  readonly isTrial: boolean;
}

interface Begun {
  tool: string;
  input: unknown;
  verdict: HookVerdict | undefined;
}

class CallReader {
  readonly calls: RecordedCall[] = [];
  readonly #since: number | undefined;
  readonly #sessions = new Map<string, Session>();
  readonly #policies = new Map<string, readonly RecordedSource[]>();
  /** By session and id; an id may come again. */
  readonly #begun = new Map<string, Begun>();
  #seen = 0;

  constructor(since: number | undefined) {
    this.#since = since;
  }

  get unjudged(): number {
    return this.#seen - this.calls.length;
  }

  take(record: StoredRecord): void {
    const { session = '' } = record;
    switch (record.kind) {
      case 'session_started':
        this.#sessions.set(session, { cwd: cwdOf(record), isTrial: record['model'] === 'none' });
        return;
      case 'settings_loaded':
      case 'settings_changed':
        this.#policies.set(String(record['digest']), sourcesOf(record));
        return;
      default:
        if (this.#sessions.get(session)?.isTrial !== true) this.#takeStage(record, session);
    }
  }

  #takeStage(record: StoredRecord, session: string): void {
    const key = `${session} ${record.tool_use_id}`;
    if (record.kind === 'tool_use') {
      if (this.#isWanted(record)) this.#seen += 1;
      this.#begun.set(key, { tool: String(record['name']), input: record['input'], verdict: undefined });
      return;
    }
    const call = this.#begun.get(key);
    if (call === undefined) return;
    if (typeof record['tool'] === 'string') call.tool = record['tool'];
    if (record.kind === 'tool_call' && record['input'] !== undefined) call.input = record['input'];
    if (record.kind === 'input_rewritten') call.input = record['after'];
    if (record.kind === 'hooked_call') call.verdict = verdictOf(record);
    if (record.kind !== 'permission' || !this.#isWanted(record) || isHooksRefusal(record, call.verdict))
      return;
    this.calls.push({
      ...call,
      ...{ session, id: String(record.tool_use_id), time: record.time, ruling: rulingOf(record) },
      cwd: this.#sessions.get(session)?.cwd,
      sources: this.#policies.get(String(record['decided_by_policy'])),
    });
  }

  #isWanted({ time }: StoredRecord): boolean {
    return this.#since === undefined || Date.parse(time) >= this.#since;
  }
}

function cwdOf({ workplace }: StoredRecord): string | undefined {
  const cwd =
    typeof workplace === 'object' && workplace !== null && 'cwd' in workplace ? workplace.cwd : undefined;
  return typeof cwd === 'string' ? cwd : undefined;
}

function sourcesOf({ sources }: StoredRecord): readonly RecordedSource[] {
  return Array.isArray(sources) ? (sources as readonly RecordedSource[]) : [];
}

function verdictOf(record: StoredRecord): HookVerdict | undefined {
  const behavior = record['verdict'];
  if ((behavior !== 'allow' && behavior !== 'ask') || record['by'] === undefined) return undefined;
  return { behavior, reason: String(record['reason'] ?? ''), hook: record['by'] as HookRef };
}

/** A hook of PreToolUse refused: rules were not asked. With its ask, in a mode that asks nobody, they were. */
function isHooksRefusal(record: StoredRecord, verdict: HookVerdict | undefined): boolean {
  const cause = record['cause'] as Cause;
  const isRefusal = record['decision'] === 'deny' && cause.kind === 'hook';
  return isRefusal && cause.hook.event !== 'PermissionRequest' && verdict?.behavior !== 'ask';
}

/** The record holds the last word; where somebody was asked, the rules had said ask. */
function rulingOf(record: StoredRecord): RecordedCall['ruling'] {
  const cause = record['cause'] as Cause;
  const reason = String(record['reason']);
  const isAnswer =
    cause.kind === 'human' ||
    cause.kind === 'unanswered' ||
    (cause.kind === 'hook' && cause.hook.event === 'PermissionRequest');
  if (!isAnswer) return { behavior: record['decision'] as Behavior, reason, cause };
  return { behavior: 'ask', reason, cause: (record['asked_by'] as Cause | undefined) ?? cause };
}

/** Why a value of a record is not what it was, if so. */
export function whyNotWhole(value: unknown): string | undefined {
  if (typeof value === 'string') return isMasked(value) ? 'is masked' : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (isCut(value)) return 'is cut';
  for (const one of [...Object.keys(value), ...Object.values(value)]) {
    const why = whyNotWhole(one);
    if (why !== undefined) return why;
  }
  return undefined;
}
