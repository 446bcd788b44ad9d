/** All sessions: those that this process runs, and those that are kept on the disk. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HookdError } from '../core/errors.ts';
import type { SessionInfo } from '../core/protocol.ts';
import type { SessionId } from '../core/vocabulary.ts';
import type { HostedSession } from './hosted-session.ts';
import { type EndOfLeft, infoOf, LeftSession } from './left-session.ts';
import type { LiveSession } from './live-session.ts';
import { readApprovals, readStored } from './session-files.ts';

/** How many sessions are read from the disk before others have their turn. */
const AT_ONCE = 20;

export class SessionRegister {
  readonly #hookdHome: string;
  readonly #live = new Map<SessionId, LiveSession>();

  readonly #onEnd: EndOfLeft;

  /** `onEnd`: one that does not run was ended. */
  constructor(hookdHome: string, onEnd: EndOfLeft) {
    this.#hookdHome = hookdHome;
    this.#onEnd = onEnd;
  }

  /** Those of this process. */
  get live(): readonly LiveSession[] {
    return [...this.#live.values()];
  }

  add(session: LiveSession): void {
    this.#live.set(session.id, session);
  }

  remove(id: SessionId): void {
    this.#live.delete(id);
  }

  /** Rejects with SESSION_UNKNOWN. */
  get(id: string): HostedSession {
    const live = this.#live.get(id as SessionId);
    if (live !== undefined) return live;
    const stored = readStored(this.#hookdHome, id);
    if (stored === undefined)
      throw new HookdError('SESSION_UNKNOWN', `There is no session ${JSON.stringify(id)}.`);
    return new LeftSession(this.#hookdHome, stored, this.#onEnd);
  }

  /** Also those of earlier processes, and of others that run now; the latest active first. */
  async list(): Promise<readonly SessionInfo[]> {
    const infos = this.live.map(({ info }) => info);
    for (const [index, id] of (await this.#kept()).entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
      if (this.#live.has(id as SessionId)) continue;
      const stored = readStored(this.#hookdHome, id);
      if (stored === undefined) continue;
      const waiting = stored.ended === undefined ? readApprovals(this.#hookdHome, id).length : 0;
      infos.push(infoOf(stored, waiting));
    }
    return infos.sort((one, other) => other.lastActiveAt.localeCompare(one.lastActiveAt));
  }

  async #kept(): Promise<readonly string[]> {
    try {
      return await readdir(join(this.#hookdHome, 'sessions'));
    } catch {
      return [];
    }
  }
}
