/** An answer with another status than success → what it says. Pure. */
import { isObject } from '../core/json.ts';
import { readRetryAfter } from './backoff.ts';
import { jsonText } from './depth.ts';
import type { Refusal } from './failure.ts';
import { readError } from './message.ts';
import type { Answer } from './post.ts';

export function readRefusal(status: number, headers: Answer['headers'], text: string): Refusal {
  const location = headers.get('location');
  if (location !== null) {
    return {
      status,
      message: `a redirect to ${location}, which is not followed: it would take the key elsewhere`,
    };
  }
  const retryAfterMs = readRetryAfter(headers, Date.now());
  const body = parsed(text);
  if (isObject(body) && isObject(body['error'])) return { status, ...readError(body['error']), retryAfterMs };
  // Not the API's shape: another JSON, or a proxy's HTML.
  return { status, message: body === undefined ? text : jsonText(body), retryAfterMs };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
