/** The texts of MODEL_FAILED: one sentence for each way in which an endpoint does not answer. */
import { HookdError, messageOf, systemCode } from '../core/errors.ts';

/** For hooks that handle some failures in their own way. */
export type FailureKind = 'authentication_failed' | 'rate_limit' | 'unknown';

export class ModelFailure extends HookdError {
  readonly kind: FailureKind;
  /** The same request may well succeed a little later. */
  readonly isTransient: boolean;
  /** How long the endpoint asks its clients to wait. */
  readonly retryAfterMs: number | undefined;
  /** The conversation does not fit into the context window of the model. */
  readonly overflow: Overflow | undefined;

  constructor(
    message: string,
    { kind = 'unknown', isTransient = false, retryAfterMs, overflow }: FailureTraits = {},
  ) {
    super('MODEL_FAILED', message);
    this.overflow = overflow;
    this.kind = kind;
    this.isTransient = isTransient;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface FailureTraits {
  readonly kind?: FailureKind;
  readonly isTransient?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly overflow?: Overflow | undefined;
}

/** In tokens, where the endpoint names them. */
export interface Overflow {
  readonly tokens?: number;
  readonly most?: number;
}

export function modelFailed(message: string, traits: FailureTraits = {}): ModelFailure {
  return new ModelFailure(message, traits);
}

/** What an endpoint said instead of a message. `status` is absent when it said so inside of a stream. */
export interface Refusal {
  readonly status?: number | undefined;
  readonly type?: string | null | undefined;
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}

/** By what the API's documentation calls temporary: the load, a limit, a fault of its own. */
const TRANSIENT_STATUS = new Set([408, 429, 500, 502, 503, 504, 529]);
const TRANSIENT_TYPES = new Set(['api_error', 'overloaded_error', 'rate_limit_error', 'timeout_error']);

/** @param endpoint what was asked, as people know it: a URL, or "the script" */
export function refused(endpoint: string, model: string, said: Refusal): HookdError {
  const { status, type, retryAfterMs } = said;
  const isTransient = status === undefined ? TRANSIENT_TYPES.has(type ?? '') : TRANSIENT_STATUS.has(status);
  return new ModelFailure(refusalText(endpoint, model, said), {
    kind: kindOf(status, type),
    isTransient,
    retryAfterMs,
    overflow: overflowIn(said),
  });
}

/** In the words of the API and of those that speak like it; there is no status or type of its own for this. */
const TOO_LONG =
  /prompt is too long|exceed(?:s|ed)? (?:the )?(?:model'?s )?(?:maximum )?context|context[ _](?:length|window)[ _]exceeded|maximum context length|input is too long/i;

function overflowIn({ status, type, message }: Refusal): Overflow | undefined {
  if (status !== 400 && status !== 413 && !(status === undefined && type === 'invalid_request_error'))
    return undefined;
  if (!TOO_LONG.test(message)) return undefined;
  const counts = /(\d{3,}) tokens > (\d{3,}) maximum/.exec(message);
  return counts === null ? {} : { tokens: Number(counts[1]), most: Number(counts[2]) };
}

function kindOf(status: number | undefined, type: string | null | undefined): FailureKind {
  if (status === 401 || status === 403) return 'authentication_failed';
  return status === 429 || (status === undefined && type === 'rate_limit_error') ? 'rate_limit' : 'unknown';
}

function refusalText(endpoint: string, model: string, { status, type, message }: Refusal): string {
  const kind = [status, type].filter((part) => part !== undefined && part !== null && part !== '').join(' ');
  const said = [kind, oneLine(message)].filter((part) => part !== '').join(': ');
  switch (status) {
    case 401:
      return `The key was refused by ${endpoint} (${said}).`;
    case 403:
      return `The key has no permission for this at ${endpoint} (${said}).`;
    case 404:
      // The API names the model it does not know; everything else with this status is a wrong address.
      return /\bmodel\b/i.test(message) && type === 'not_found_error'
        ? `The model "${model}" is unknown at ${endpoint} (${said}).`
        : `No Messages API answers at ${endpoint} (${said}): check the base URL.`;
    case 429:
      return `The limit of requests or tokens is reached at ${endpoint} (${said}).`;
    case 529:
      return `${endpoint} is overloaded (${said}).`;
    default:
      return `${endpoint} answered ${said}.`;
  }
}

/** For an error of sending a request or of reading its answer: the system's own code is the deepest of its causes. */
export function notReached(endpoint: string, error: unknown): HookdError {
  const root = rootCause(error);
  const code = systemCode(root);
  switch (code) {
    case 'ECONNREFUSED':
      return lost(`Nothing listens at ${endpoint} (connection refused).`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return lost(`The host of ${endpoint} was not found (${code}).`);
    case 'ECONNRESET':
    case 'EPIPE':
      return lost(`The connection to ${endpoint} was closed before the answer was complete (${code}).`);
    default: {
      const text = oneLine(messageOf(root)).replace(/\.$/, '');
      const why = `${endpoint} gave no answer: ${code === undefined ? text : `${text} (${code})`}.`;
      return modelFailed(why, { isTransient: code !== undefined && NETWORK_CODES.has(code) });
    }
  }
}

const NETWORK_CODES = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']);

/** A connection that did not come about or broke. */
export function lost(message: string): ModelFailure {
  return modelFailed(message, { isTransient: true });
}

function rootCause(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  // A name with several addresses fails once for each, and the sum of them says nothing.
  return root instanceof AggregateError ? (root.errors[0] ?? root) : root;
}

const SHOWN = 300;

/** An endpoint's words on one line, without control characters: they reach terminals. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
