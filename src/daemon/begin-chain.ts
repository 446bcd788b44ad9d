/** A chain of this process, and decisions of a person that are no session's: each has a short chain of its own. */
import { randomBytes } from 'node:crypto';
import { openChain } from '../audit/open-chain.ts';
import type { RecordValue } from '../audit/record.ts';
import type { Trail } from '../audit/trail.ts';
import { ownIdentity } from '../lib/proc.ts';
import { auditDirectoryOf } from './hookd-home.ts';
import { holdLeftSettings } from './left-settings.ts';
import { VERSION } from './version.ts';

/** Says in it what an earlier crash left open. Throws AUDIT_UNAVAILABLE. */
export function beginChain(hookdHome: string, mode: 'foreground' | 'daemon'): Promise<Trail> {
  const directory = auditDirectoryOf(hookdHome);
  const start = {
    writer: writerName(),
    version: VERSION,
    node: process.version,
    mode,
    process: ownIdentity(),
  };
  return openChain(directory, start, (open) => holdLeftSettings(hookdHome, directory, open));
}

type Decisions = 'trust_given' | 'trust_revoked' | 'settings_accepted';

/** Resolves when it is durable. Throws AUDIT_UNAVAILABLE. */
export async function recordDecision<Kind extends Decisions>(
  hookdHome: string,
  kind: Kind,
  decision: RecordValue<Kind>,
): Promise<void> {
  const trail = await beginChain(hookdHome, 'foreground');
  try {
    trail.record(kind, decision);
    await trail.durable();
    trail.record('daemon_stopped', { reason: 'done' });
  } finally {
    await trail.close();
  }
}

function writerName(): string {
  const time = new Date().toISOString().replace(/[-:]/g, '').replace('.', '');
  return `${time}-${process.pid}-${randomBytes(3).toString('hex')}`;
}
