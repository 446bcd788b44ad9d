/** The texts of MODEL_FAILED: one sentence for each way in which an endpoint does not answer. */
import { HookdError, messageOf, systemCode } from '../core/errors.ts';

/** For hooks that handle some failures in their own way. */
export type FailureKind = 'authentication_failed' | 'rate_limit' | 'unknown';

export class ModelFailure extends HookdError {
  readonly kind: FailureKind;

  constructor(message: string, kind: FailureKind) {
    super('MODEL_FAILED', message);
    this.kind = kind;
  }
}

export function modelFailed(message: string, kind: FailureKind = 'unknown'): ModelFailure {
  return new ModelFailure(message, kind);
}

/** What an endpoint said instead of a message. `status` is absent when it said so inside of a stream. */
export interface Refusal {
  readonly status?: number | undefined;
  readonly type?: string | null | undefined;
  readonly message: string;
}

/** @param endpoint what was asked, as people know it: a URL, or "the script" */
export function refused(endpoint: string, model: string, { status, type, message }: Refusal): HookdError {
  const kind = [status, type].filter((part) => part !== undefined && part !== null && part !== '').join(' ');
  const said = [kind, oneLine(message)].filter((part) => part !== '').join(': ');
  switch (status) {
    case 401:
      return modelFailed(`The key was refused by ${endpoint} (${said}).`, 'authentication_failed');
    case 403:
      return modelFailed(
        `The key has no permission for this at ${endpoint} (${said}).`,
        'authentication_failed',
      );
    case 404:
      // The API names the model it does not know; everything else with this status is a wrong address.
      return /\bmodel\b/i.test(message) && type === 'not_found_error'
        ? modelFailed(`The model "${model}" is unknown at ${endpoint} (${said}).`)
        : modelFailed(`No Messages API answers at ${endpoint} (${said}): check the base URL.`);
    case 429:
      return modelFailed(
        `The limit of requests or tokens is reached at ${endpoint} (${said}).`,
        'rate_limit',
      );
    case 529:
      return modelFailed(`${endpoint} is overloaded (${said}).`);
    default:
      return modelFailed(`${endpoint} answered ${said}.`);
  }
}

/** For an error of `fetch` or of reading a body: the system's own code is the deepest of its causes. */
export function notReached(endpoint: string, error: unknown): HookdError {
  const root = rootCause(error);
  const code = systemCode(root);
  switch (code) {
    case 'ECONNREFUSED':
      return modelFailed(`Nothing listens at ${endpoint} (connection refused).`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return modelFailed(`The host of ${endpoint} was not found (${code}).`);
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return modelFailed(
        `The connection to ${endpoint} was closed before the answer was complete (${code}).`,
      );
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return modelFailed(`${endpoint} stopped answering (${code}).`);
    default: {
      const text = oneLine(messageOf(root)).replace(/\.$/, '');
      return modelFailed(`${endpoint} gave no answer: ${code === undefined ? text : `${text} (${code})`}.`);
    }
  }
}

function rootCause(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root;
}

const SHOWN = 300;

/** An endpoint's words on one line, without control characters: they reach terminals. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
