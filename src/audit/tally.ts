/** Counts over the log: calls by tool, denials by cause, hooks, approvals, times. Takes records in any order of chains, the newest of each first. */
import type { StoredRecord } from './chain.ts';
import { toolOf } from './select.ts';

/** The kinds that are counted: others need not be read. */
export const TALLIED = [
  'tool_use',
  'tool_call',
  'tool_result',
  'permission',
  'hook_run',
  'approval_resolved',
] as const;

export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  readonly total: number;
}

export interface ToolTally {
  readonly tool: string;
  readonly calls: number;
  /** By outcome; `open` where there is none. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly ms: Times | undefined;
}

export interface HookTally {
  readonly event: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly blocked: number;
  readonly asked: number;
  /** Runs that could not answer. */
  readonly failed: number;
  readonly ms: Times | undefined;
}

export interface Tallies {
  readonly sessions: number;
  readonly calls: number;
  readonly tools: readonly ToolTally[];
  /** `cause` is null where no permission says why: the turn was ended before the call was judged. */
  readonly denials: readonly { readonly cause: unknown; readonly count: number }[];
  /** Slowest (in all) first. */
  readonly hooks: readonly HookTally[];
  readonly approvals: {
    readonly allow: number;
    readonly deny: number;
    readonly unanswered: number;
    readonly waited_ms: Times | undefined;
  };
}

interface Call {
  tool?: string | undefined;
  outcome?: string;
  ms?: number;
  /** A permission says why it was denied. */
  isDenied?: boolean;
}

interface Tool {
  calls: number;
  readonly outcomes: Record<string, number>;
  readonly ms: number[];
}

type Hook = {
  -readonly [Key in 'event' | 'name' | 'file' | 'line' | 'blocked' | 'asked' | 'failed']: HookTally[Key];
} & {
  readonly ms: number[];
};

export class Tally {
  readonly #sessions = new Set<string>();
  /** Calls whose beginning is still to come: we read backwards. */
  readonly #begun = new Map<string, Call>();
  readonly #tools = new Map<string, Tool>();
  readonly #denials = new Map<string, { cause: unknown; count: number }>();
  readonly #hooks = new Map<string, Hook>();
  readonly #answers = { allow: 0, deny: 0, unanswered: 0 };
  readonly #waits: number[] = [];

  add(record: StoredRecord): void {
    if (record.session !== undefined) this.#sessions.add(record.session);
    if (record.kind === 'hook_run') this.#addHook(record);
    else if (record.kind === 'approval_resolved') this.#addAnswer(record);
    else this.#addToCall(record);
  }

  result(): Tallies {
    // Calls that began before the time that is looked at.
    for (const call of this.#begun.values()) this.#end(call);
    this.#begun.clear();
    const tools = [...this.#tools].map(([tool, { calls, outcomes, ms }]) => ({
      tool,
      calls,
      outcomes,
      ms: timesOf(ms),
    }));
    return {
      sessions: this.#sessions.size,
      calls: tools.reduce((sum, { calls }) => sum + calls, 0),
      tools: tools.sort((a, b) => b.calls - a.calls),
      denials: [...this.#denials.values()].sort((a, b) => b.count - a.count),
      hooks: [...this.#hooks.values()]
        .map((hook) => ({ ...hook, ms: timesOf(hook.ms) }))
        .sort((a, b) => (b.ms?.total ?? 0) - (a.ms?.total ?? 0)),
      approvals: { ...this.#answers, waited_ms: timesOf(this.#waits) },
    };
  }

  #addToCall(record: StoredRecord): void {
    const id = `${record.session} ${record.tool_use_id}`;
    const call = this.#begun.get(id) ?? {};
    // What a model calls a tool counts only where it was resolved to none.
    call.tool ??= record.kind === 'tool_use' || record['tool'] !== undefined ? toolOf(record) : undefined;
    if (record.kind === 'tool_result') {
      call.outcome = String(record['outcome']);
      if (typeof record['duration_ms'] === 'number') call.ms = record['duration_ms'];
    }
    if (record.kind === 'permission' && record['decision'] === 'deny') {
      call.isDenied = true;
      this.#addDenial(record['cause']);
    }
    if (record.kind === 'tool_use') {
      this.#begun.delete(id);
      this.#end(call);
    } else this.#begun.set(id, call);
  }

  #end({ tool = '?', outcome = 'open', ms, isDenied = false }: Call): void {
    // A hook that ended the turn, or the turn's end, came before any judgement.
    if (outcome === 'denied' && !isDenied) this.#addDenial(null);
    const tally = entryOf(this.#tools, tool, () => ({ calls: 0, outcomes: {}, ms: [] }));
    tally.calls += 1;
    tally.outcomes[outcome] = (tally.outcomes[outcome] ?? 0) + 1;
    if (ms !== undefined) tally.ms.push(ms);
  }

  #addDenial(cause: unknown): void {
    entryOf(this.#denials, JSON.stringify(cause), () => ({ cause, count: 0 })).count += 1;
  }

  #addHook(record: StoredRecord): void {
    const { event, name, file, line } = record['hook'] as Hook;
    const key = JSON.stringify([event, name, file, line]);
    const hook = entryOf(this.#hooks, key, () => ({
      event,
      name,
      file,
      line,
      blocked: 0,
      asked: 0,
      failed: 0,
      ms: [],
    }));
    if (record['verdict'] === 'block') hook.blocked += 1;
    if (record['verdict'] === 'ask') hook.asked += 1;
    if (record['failure'] !== undefined) hook.failed += 1;
    hook.ms.push(Number(record['duration_ms']));
  }

  #addAnswer(record: StoredRecord): void {
    const answer = record['answer'];
    if (answer === 'allow' || answer === 'deny' || answer === 'unanswered') this.#answers[answer] += 1;
    if (typeof record['waited_ms'] === 'number') this.#waits.push(record['waited_ms']);
  }
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const fresh = make();
  map.set(key, fresh);
  return fresh;
}

/** Percentiles by the nearest rank. */
export function timesOf(values: readonly number[]): Times | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  const total = sorted.reduce((sum, value) => sum + value, 0);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1), total };
}
