/** What a session has on the disk beside the audit: its transcript, and a directory for its hooks that goes with it. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { transcriptPath } from '../agent/transcript-file.ts';
import type { SessionId } from '../core/vocabulary.ts';
import { realPath } from '../settings/scopes.ts';

export interface SessionHome {
  readonly transcript: string;
  /** HOOKD_SESSION_DIR. */
  readonly shared: string;
  /** CLAUDE_ENV_FILE of SessionStart hooks. */
  readonly envFile: string;
  /** What commands printed, where the model was shown a part. Links resolved. It stays when the session ends. */
  readonly outputs: string;
  readonly removeShared: () => void;
}

export function makeSessionHome(hookdHome: string, session: SessionId): SessionHome {
  const home = join(hookdHome, 'sessions', session);
  const shared = join(home, 'shared');
  const envFile = join(home, 'session-env');
  // What an earlier process of the session has left: its SessionStart hooks run again.
  for (const left of [shared, envFile]) rmSync(left, { recursive: true, force: true });
  mkdirSync(shared, { recursive: true, mode: 0o700 });
  return {
    transcript: transcriptPath(hookdHome, session),
    shared,
    outputs: outputsOf(hookdHome, session),
    envFile,
    removeShared: () => rmSync(shared, { recursive: true, force: true }),
  };
}

/** The directory need not be there. */
export function outputsOf(hookdHome: string, session: string): string {
  return realPath(join(hookdHome, 'sessions', session, 'outputs'));
}
