/** How a request is refused: a status, and one shape of body for every error. */
import { type ErrorCode, HookdError, messageOf } from '../core/errors.ts';

export interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
}

/** What is wrong with the request itself, whatever it asks for. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;

  constructor(status: number, code: string, message: string, hint: string) {
    super(message);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** Every code: one that is left out by mistake would look like a fault of hookd. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  AUDIT_UNAVAILABLE: 503,
  AUDIT_TAMPERED: 503,
  DAEMON_STOPPING: 503,
  DAEMON_UNREACHABLE: 503,
  DAEMON_RUNNING: 409,
  DAEMON_OTHER_VERSION: 409,
  SETTINGS_INVALID: 422,
  MODEL_NOT_CONFIGURED: 422,
  MODEL_SCRIPT_INVALID: 422,
  MODEL_FAILED: 502,
  USAGE: 400,
  REQUEST_INVALID: 400,
  AGENT_REFUSED: 403,
  SESSION_UNKNOWN: 404,
  SESSION_BUSY: 409,
  SESSION_LIVE: 409,
  SESSION_NOT_RESUMABLE: 409,
  SESSION_ENDED: 409,
  NOT_COMPACTED: 409,
  INTERRUPTED: 409,
  APPROVAL_GONE: 410,
  APPROVAL_MISMATCH: 409,
  INTERNAL: 500,
};

export function isExpected(error: unknown): boolean {
  return error instanceof ApiProblem || (error instanceof HookdError && error.code !== 'INTERNAL');
}

export function problemResponse(error: unknown): Response {
  const { status, ...words } = wordsOf(error);
  const body: ErrorBody = { error: words };
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  // What of the request is unread would be taken for the next one.
  if (status === 413 || status === 408) headers['connection'] = 'close';
  return new Response(`${JSON.stringify(body)}\n`, { status, headers });
}

function wordsOf(error: unknown): { status: number; code: string; message: string; hint: string } {
  if (error instanceof ApiProblem) {
    const { status, code, message, hint } = error;
    return { status, code, message, hint };
  }
  const known = error instanceof HookdError ? error : new HookdError('INTERNAL', messageOf(error));
  return { status: STATUS[known.code], code: known.code, message: known.message, hint: known.hint };
}
