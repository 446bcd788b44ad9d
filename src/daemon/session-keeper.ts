/** Keeps what a running session is on the disk, so that others can list it and it can be resumed. */
import { messageOf } from '../core/errors.ts';
import type { SessionInfo } from '../core/protocol.ts';
import { ownIdentity } from '../lib/proc.ts';
import { type StoredSession, writeStored } from './session-files.ts';

export class SessionKeeper {
  readonly #hookdHome: string;
  readonly #warn: (text: string) => void;
  #hasFailed = false;

  /** `warn` is told once of a disk that fails: that is no reason to stop a session. */
  constructor(hookdHome: string, warn: (text: string) => void) {
    this.#hookdHome = hookdHome;
    this.#warn = warn;
  }

  /** This process has it, unless `more` says otherwise. */
  keep(info: SessionInfo, more: Pick<Partial<StoredSession>, 'holder' | 'ended'>): void {
    const { state: _, approvals: __, context: ___, ...kept } = info;
    try {
      writeStored(this.#hookdHome, { v: 1, ...kept, holder: ownIdentity(), ...more });
    } catch (error) {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      this.#warn(
        `What session ${info.id} is cannot be kept on the disk (${messageOf(error)}): it will not be listed once hookd has ended.`,
      );
    }
  }
}
