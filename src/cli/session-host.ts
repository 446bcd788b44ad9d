/** Where a command's session runs: in this process, or in the daemon. Its users cannot tell. */
import type { PromptFlags } from '../agent/system-prompt.ts';
import { isAuditFailure } from '../core/errors.ts';
import type { AuditPosition, SessionClient, SessionInfo } from '../core/protocol.ts';
import { nobody } from '../daemon/approvals.ts';
import { Daemon } from '../daemon/daemon.ts';
import type { CommandLine } from '../settings/command-line.ts';

export interface OpenRequest {
  readonly startDirectory: string;
  readonly flags: CommandLine;
  readonly modelScript: string | undefined;
  readonly promptFlags: PromptFlags;
  /** False: nobody can be asked, so that every question is a denial at once. */
  readonly someoneAnswers: boolean;
  /** Somebody is there between turns, too. */
  readonly watchesSettings: boolean;
  /** The session to go on with; `fork`: as a new one. */
  readonly resume?: SessionInfo | undefined;
  readonly fork?: boolean;
  readonly signal?: AbortSignal;
}

export interface OpenedSession {
  readonly client: SessionClient;
  /** The last event of the time before it was opened. */
  readonly after: number;
  /** It was going on already: somebody else may be in it. */
  readonly isJoined: boolean;
}

export interface SessionHost {
  readonly isDaemon: boolean;
  /** Throws SETTINGS_INVALID with every problem of every file, MODEL_NOT_CONFIGURED … */
  open(request: OpenRequest): Promise<OpenedSession>;
  /** The latest active first. */
  list(): Promise<readonly SessionInfo[]>;
  /** Nobody here needs the host any more; where the audit stands then, if it is this process that writes it. */
  close(reason: string): Promise<AuditPosition | undefined>;
}

/** Throws AUDIT_UNAVAILABLE. */
export async function hostHere(env: NodeJS.ProcessEnv): Promise<SessionHost> {
  const daemon = await Daemon.open({ env });
  return {
    isDaemon: false,
    async open({ someoneAnswers, resume, fork = false, ...request }) {
      const client = await daemon.createSession({
        ...request,
        ...(resume === undefined ? {} : { resume: resume.id, fork }),
        ...(someoneAnswers ? {} : { approvals: nobody }),
      });
      return { client, after: fork ? 0 : (resume?.lastEventId ?? 0), isJoined: false };
    },
    list: () => daemon.sessions.list(),
    async close(reason) {
      await daemon.close(reason);
      return daemon.audit;
    },
  };
}

/** After a failure the chain may not take its last records; the failure itself is what is reported. */
export async function closeQuietly<Closed>(
  host: { close(reason: string): Promise<Closed> },
  reason: string,
): Promise<Closed | undefined> {
  try {
    return await host.close(reason);
  } catch (error) {
    if (!isAuditFailure(error)) throw error;
    return undefined;
  }
}
