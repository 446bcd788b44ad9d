/**
 * The daemon that scripts/soak-sessions.ts loads and kills: many sessions that never stop, each watched by a client, each
 * with a marker of its own in its environment. A line of JSON a second says how it goes. It ends with its stdin.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { SessionEvent } from '../src/core/protocol.ts';
import type { SessionId } from '../src/core/vocabulary.ts';
import { Daemon } from '../src/daemon/daemon.ts';
import type { LiveSession } from '../src/daemon/live-session.ts';
import { NO_USAGE } from '../src/model/message.ts';
import type { Model } from '../src/model/model.ts';
import { type HostOptions, markerOf, type Sample } from './soak-sessions.ts';

/** Calls of one turn. */
const CALLS = 3;
/** The timer of the histogram: its own period is no delay. */
const RESOLUTION_MS = 5;

/** Asks for three commands, one after the other, then says "done"; for ever. */
function thinkingModel(thinkMs: number): Model {
  let asked = 0;
  return {
    async *respond(request, signal) {
      asked += 1;
      await delay(thinkMs * (0.5 + Math.random()), undefined, { signal });
      const isCall = asked % (CALLS + 1) !== 0;
      const command = 'printenv SOAK_MARKER';
      yield {
        kind: 'response',
        response: {
          id: `msg_${asked}`,
          model: request.value.model,
          content: isCall
            ? [{ type: 'tool_use', id: `toolu_${asked}`, name: 'Bash', input: { command } }]
            : [{ type: 'text', text: 'done' }],
          stopReason: isCall ? 'tool_use' : 'end_turn',
          usage: NO_USAGE,
        },
      };
    },
  };
}

class Client {
  readonly #session: LiveSession;
  readonly #marker: string;
  readonly faults: string[] = [];
  #lastId = 0;
  calls = 0;
  turns = 0;

  constructor(session: LiveSession, marker: string) {
    this.#session = session;
    this.#marker = marker;
  }

  get id(): SessionId {
    return this.#session.id;
  }

  async run(): Promise<void> {
    await this.#session.prompt('go');
    for await (const delivery of this.#session.events(0, new AbortController().signal)) {
      if (delivery.kind !== 'event') {
        this.faults.push(`${this.#marker}: ${delivery.kind}`);
        return;
      }
      const { id, event } = delivery;
      if (id !== undefined) {
        if (id !== this.#lastId + 1) this.faults.push(`${this.#marker}: event ${id} after ${this.#lastId}`);
        this.#lastId = id;
      }
      await this.#look(event);
    }
  }

  async #look(event: SessionEvent): Promise<void> {
    const wrong = (what: string) => this.faults.push(`${this.#marker}: ${what}`);
    if (event.kind === 'hook_message' && event.text !== this.#marker) wrong(`a hook said ${event.text}`);
    if (event.kind === 'tool_result') {
      this.calls += 1;
      const { outcome, text } = event.result;
      if (outcome !== 'ok' || text.trim() !== this.#marker) wrong(`${outcome}: ${text}`);
    }
    if (event.kind === 'approval_requested') wrong(event.approval.decision.reason);
    if (event.kind === 'turn_failed') wrong(event.message);
    if (event.kind === 'warning') wrong(event.text);
    if (event.kind !== 'turn_ended') return;
    this.turns += 1;
    if (event.end.reason !== 'completed') wrong(`a turn ended with ${event.end.reason}`);
    await this.#session.prompt('again');
  }
}

async function host({ home, project, sessions, thinkMs }: HostOptions): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: home, HOOKD_HOME: home };
  const daemon = await Daemon.open({ env, mode: 'daemon' });
  const clients: Client[] = [];
  for (let index = 0; index < sessions; index++) {
    const marker = markerOf(index);
    const session = await daemon.createSession({
      startDirectory: project,
      flags: {},
      env: { ...env, SOAK_MARKER: marker },
      model: { model: thinkingModel(thinkMs), name: 'thinking' },
    });
    clients.push(new Client(session, marker));
  }
  for (const client of clients) client.run().catch((error) => client.faults.push(String(error)));
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  let heap = collected();
  for (let second = 0; ; second++) {
    await delay(1000);
    // A collection stops the loop, which is no fault of the sessions: not often enough to be a hundredth of the time.
    if (second % 5 === 0) heap = collected();
    say(clients, loop, heap);
    // What began is no part of what goes on.
    if (second === 0) loop.reset();
  }
}

function collected(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function say(clients: readonly Client[], loop: IntervalHistogram, heap: number): void {
  const inMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  const sample: Sample = {
    ids: clients.map(({ id }) => id),
    calls: clients.map(({ calls }) => calls),
    turns: clients.reduce((sum, { turns }) => sum + turns, 0),
    faults: clients.flatMap(({ faults }) => faults),
    loop: { p50: inMs(loop.percentile(50)), p99: inMs(loop.percentile(99)), max: inMs(loop.max) },
    heap,
    rss: process.memoryUsage.rss() / 2 ** 20,
  };
  process.stdout.write(`${JSON.stringify(sample)}\n`);
}

process.stdin.on('end', () => process.exit(1)).resume();
await host(JSON.parse(process.argv[2] ?? '') as HostOptions);
