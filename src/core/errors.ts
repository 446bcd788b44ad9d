/**
 * Every coded error of hookd, in one table: what is expected to fail is a value, what is not carries one of these.
 * Exit codes are the CLI's contract (docs/cli.md).
 */
import type { ToolOutcome } from './vocabulary.ts';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  auditUnavailable: 4,
  interrupted: 130,
} as const;

interface ErrorRow {
  readonly exit: number;
  /** What the reader can do about it. */
  readonly hint: string;
}

const ERRORS = {
  AUDIT_UNAVAILABLE: {
    exit: EXIT.auditUnavailable,
    hint: 'Nothing runs that cannot be recorded. Free space or restore write access to the audit directory, then try again.',
  },
  AUDIT_TAMPERED: {
    exit: EXIT.auditUnavailable,
    hint: 'The audit file was changed by somebody else while it was open. Run "hookd audit verify".',
  },
  SETTINGS_INVALID: { exit: EXIT.usage, hint: 'Correct the lines named above; nothing was loaded.' },
  USAGE: { exit: EXIT.usage, hint: 'See "hookd --help".' },
  MODEL_NOT_CONFIGURED: {
    exit: EXIT.usage,
    hint: 'Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), in the environment or in $HOOKD_HOME/.env. "hookd demo" needs neither.',
  },
  MODEL_FAILED: { exit: EXIT.failed, hint: 'The conversation up to here is in the audit log.' },
  MODEL_SCRIPT_INVALID: {
    exit: EXIT.usage,
    hint: 'A script is a JSON array of turns; a turn is an array of content blocks.',
  },
  DAEMON_UNREACHABLE: {
    exit: EXIT.failed,
    hint: 'See "hookd daemon status" and "hookd daemon logs"; "--no-daemon" does without it.',
  },
  DAEMON_RUNNING: { exit: EXIT.failed, hint: '"hookd daemon status" shows it, "hookd daemon stop" ends it.' },
  DAEMON_STOPPING: { exit: EXIT.failed, hint: 'Start it again with "hookd daemon start".' },
  DAEMON_OTHER_VERSION: {
    exit: EXIT.failed,
    hint: 'Run "hookd daemon restart" (running turns are given time to end), or use "--no-daemon".',
  },
  REQUEST_INVALID: { exit: EXIT.usage, hint: 'docs/api.md says what each request holds.' },
  SESSION_UNKNOWN: { exit: EXIT.failed, hint: '"hookd sessions list" shows those that there are.' },
  SESSION_BUSY: {
    exit: EXIT.failed,
    hint: 'Wait until it has worked some off, or interrupt it, which drops those that wait.',
  },
  SESSION_NOT_RESUMABLE: {
    exit: EXIT.failed,
    hint: 'Nothing was changed. What happened in it is in the audit log: "hookd audit tail --session ID".',
  },
  SESSION_LIVE: {
    exit: EXIT.failed,
    hint: 'One process at a time goes on with a session. "--fork-session" goes on in a new one, from a copy.',
  },
  SESSION_ENDED: { exit: EXIT.failed, hint: '"hookd sessions list" shows those that there are.' },
  APPROVAL_GONE: {
    exit: EXIT.failed,
    hint: 'It was answered, has expired, or never was: "hookd approvals list".',
  },
  APPROVAL_MISMATCH: {
    exit: EXIT.failed,
    hint: 'An answer counts for the input that was shown: look at it again with "hookd approvals list".',
  },
  AGENT_REFUSED: {
    exit: EXIT.denied,
    hint: 'Run it yourself, in a terminal that the agent did not start.',
  },
  NOT_COMPACTED: { exit: EXIT.failed, hint: 'The conversation goes on as it was.' },
  INTERRUPTED: { exit: EXIT.interrupted, hint: 'What ran until then is in the audit log.' },
  INTERNAL: { exit: EXIT.failed, hint: 'This is a fault of hookd; please report it.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export class HookdError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'HookdError';
    this.code = code;
  }

  get exitCode(): number {
    return ERRORS[this.code].exit;
  }

  get hint(): string {
    return ERRORS[this.code].hint;
  }
}

/** An error that another process of hookd has told of; one whose code this version does not know is INTERNAL. */
export function errorNamed(code: string, message: string): HookdError {
  return Object.hasOwn(ERRORS, code)
    ? new HookdError(code as ErrorCode, message)
    : new HookdError('INTERNAL', `${code}: ${message}`);
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system error (`ENOENT` …), if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

/** A stage refuses a tool call: the loop turns it into a recorded result that the model reads. */
export class Rejected extends Error {
  readonly outcome: ToolOutcome;

  constructor(outcome: ToolOutcome, text: string) {
    super(text);
    this.name = 'Rejected';
    this.outcome = outcome;
  }
}

/** True for the failures after which nothing may run: they end the session and are never turned into a result. */
export function isAuditFailure(error: unknown): error is HookdError {
  return (
    error instanceof HookdError && (error.code === 'AUDIT_UNAVAILABLE' || error.code === 'AUDIT_TAMPERED')
  );
}
