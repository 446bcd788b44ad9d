/** A session as the process that runs it, or keeps it, has it: whoever speaks to it may say through which client. */
import type { ApprovalReply, SessionClient } from '../core/protocol.ts';
import type { PermissionMode } from '../core/vocabulary.ts';

export interface HostedSession extends SessionClient {
  answer(approvalId: string, reply: ApprovalReply, client?: string): Promise<void>;
  setMode(mode: PermissionMode, client?: string): Promise<void>;
  interrupt(client?: string): Promise<void>;
}
