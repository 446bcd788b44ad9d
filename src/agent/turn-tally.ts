/** What happens in one turn, counted as it happens: calls by tool and outcome, requests, tokens, and where the time goes. */
import type { ToolOutcome, ToolResult, ToolUse, TurnSummary, Usage } from '../core/vocabulary.ts';
import { NO_USAGE, sumOf } from '../model/message.ts';
import { findTool } from '../tools/tool.ts';
import type { Gate } from './authorize.ts';

/** Names of tools that there are not: the model may make up any number of them. */
const UNKNOWN = '(unknown)';

export class TurnTally {
  /** The same gate; what its hooks and people take is counted. */
  readonly gate: Gate;
  readonly #began = performance.now();
  readonly #calls = new Map<string, Map<ToolOutcome, number>>();
  #requests = 0;
  #retries = 0;
  #compactions = 0;
  #usage: Usage = NO_USAGE;
  #modelMs = 0;
  #toolsMs = 0;
  #hooksMs = 0;
  #questionsMs = 0;

  constructor(gate: Gate) {
    const { approvals } = gate;
    this.gate = {
      ...gate,
      hooks: {
        ...gate.hooks,
        waited: (ms) => {
          this.#hooksMs += ms;
        },
      },
      approvals: {
        ask: async (request, signal) => {
          const asked = performance.now();
          try {
            return await approvals.ask(request, signal);
          } finally {
            this.#questionsMs += performance.now() - asked;
          }
        },
        idOf: (question, digest) => approvals.idOf?.(question, digest),
        settled: (...ended) => approvals.settled?.(...ended),
      },
    };
  }

  call({ name }: ToolUse, { outcome, durationMs = 0 }: ToolResult): void {
    const tool = findTool(this.gate.toolbox.tools, name)?.name ?? UNKNOWN;
    const outcomes = this.#calls.get(tool) ?? new Map<ToolOutcome, number>();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    this.#calls.set(tool, outcomes);
    this.#toolsMs += durationMs;
  }

  answered(usage: Usage): void {
    this.#requests += 1;
    this.#usage = sumOf(this.#usage, usage);
  }

  /** A request took so long, answered or not. */
  asked(ms: number): void {
    this.#modelMs += ms;
  }

  retried(): void {
    this.#retries += 1;
  }

  compacted(): void {
    this.#compactions += 1;
  }

  summary(): TurnSummary {
    const calls = [...this.#calls].map(([tool, outcomes]) => [tool, Object.fromEntries(outcomes)] as const);
    const denied = [...this.#calls.values()].map((outcomes) => outcomes.get('denied') ?? 0);
    return {
      calls: Object.fromEntries(calls),
      denials: denied.reduce((all, one) => all + one, 0),
      requests: this.#requests,
      retries: this.#retries,
      compactions: this.#compactions,
      usage: this.#usage,
      duration_ms: {
        total: Math.round(performance.now() - this.#began),
        model: Math.round(this.#modelMs),
        hooks: Math.round(this.#hooksMs),
        tools: Math.round(this.#toolsMs),
        questions: Math.round(this.#questionsMs),
      },
    };
  }
}
