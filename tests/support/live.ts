/** A daemon in this process whose sessions clients watch, with a scripted model. */
import type { Delivery, SessionEvent } from '../../src/core/protocol.ts';
import { Daemon, type DaemonOptions } from '../../src/daemon/daemon.ts';
import type { HostedSession } from '../../src/daemon/hosted-session.ts';
import type { LiveSession } from '../../src/daemon/live-session.ts';
import type { CreateSession } from '../../src/daemon/start-live.ts';
import type { ScriptedTurn } from '../../src/model/script.ts';
import { createScriptedModel } from '../../src/model/scripted.ts';
import type { Workspace } from './hookd.ts';
import { until } from './hookd.ts';

export function openDaemon(workspace: Workspace, options: Partial<DaemonOptions> = {}): Promise<Daemon> {
  return Daemon.open({ env: workspace.env, mode: 'daemon', ...options });
}

export function createSession(
  daemon: Daemon,
  workspace: Workspace,
  turns: readonly ScriptedTurn[],
  request: Partial<CreateSession> = {},
): Promise<LiveSession> {
  return daemon.createSession({
    startDirectory: workspace.project,
    flags: {},
    model: { model: createScriptedModel(turns), name: 'scripted' },
    ...request,
  });
}

/** A client that reads everything as it comes. */
export class Watcher {
  readonly deliveries: Delivery[] = [];
  readonly finished: Promise<void>;
  readonly #leave = new AbortController();

  constructor(session: HostedSession, after?: number) {
    this.finished = this.#read(session.events(after, this.#leave.signal));
  }

  leave(): Promise<void> {
    this.#leave.abort();
    return this.finished;
  }

  /** Those with a number. */
  get ids(): readonly number[] {
    return this.deliveries.flatMap((one) => (one.kind === 'event' && one.id !== undefined ? [one.id] : []));
  }

  get events(): readonly SessionEvent[] {
    return this.deliveries.flatMap((one) => (one.kind === 'event' ? [one.event] : []));
  }

  all<Kind extends SessionEvent['kind']>(kind: Kind): readonly Extract<SessionEvent, { kind: Kind }>[] {
    return this.events.filter((event): event is Extract<SessionEvent, { kind: Kind }> => event.kind === kind);
  }

  /** Resolves with the `count`th event of a kind. */
  async next<Kind extends SessionEvent['kind']>(
    kind: Kind,
    count = 1,
  ): Promise<Extract<SessionEvent, { kind: Kind }>> {
    await until(() => this.all(kind).length >= count, `${count} × ${kind}`);
    return this.all(kind)[count - 1] as Extract<SessionEvent, { kind: Kind }>;
  }

  async #read(events: AsyncIterable<Delivery>): Promise<void> {
    for await (const delivery of events) this.deliveries.push(delivery);
  }
}
