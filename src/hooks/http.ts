/** One run of an http hook: the payload as a POST, the body of a 2xx answer read like stdout at exit 0. Redirects are not followed. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { messageOf } from '../core/errors.ts';
import { startTimer } from '../lib/timer.ts';
import { hookTimeoutMs, MAX_OUTPUT_BYTES, notStarted } from './command.ts';
import type { Handler, Hook, HookRun } from './hook.ts';
import type { HookHost } from './host.ts';
import { addressProblem } from './http-address.ts';

export type HttpHost = Pick<HookHost, 'environmentOf'>;

type HttpHandler = Extract<Handler, { type: 'http' }>;
type Answer = Pick<HookRun, 'end' | 'stdout' | 'truncated'>;

/** Never throws. */
export async function runHttpHook(
  hook: Hook,
  payload: string,
  host: HttpHost,
  signal: AbortSignal,
): Promise<HookRun> {
  const { handler } = hook;
  if (handler.type !== 'http') return notStarted(hook, 'it is not an http hook');
  const began = performance.now();
  const problem = addressProblem(handler);
  if (problem !== undefined) return notStarted(hook, problem);
  const timeUp = new AbortController();
  const stopTimer = startTimer(hookTimeoutMs(hook), () => timeUp.abort());
  const answer = await post(new URL(handler.url), payload, handler, host.environmentOf(hook.source.scope), [
    signal,
    timeUp.signal,
  ])
    .catch((error: unknown): Answer => {
      if (signal.aborted) return withoutBody({ kind: 'interrupted' });
      if (timeUp.signal.aborted) return withoutBody({ kind: 'timedOut' });
      return withoutBody({ kind: 'notStarted', message: `the request failed: ${messageOf(error)}` });
    })
    .finally(stopTimer);
  return { hook, ...answer, stderr: '', durationMs: Math.round(performance.now() - began), survivors: null };
}

async function post(
  url: URL,
  payload: string,
  handler: HttpHandler,
  env: Readonly<Record<string, string>>,
  signals: readonly AbortSignal[],
): Promise<Answer> {
  const signal = AbortSignal.any([...signals]);
  signal.throwIfAborted();
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const response = await answerTo(
    // A connection of its own: one that was kept may have been closed by the other side in this moment.
    request(url, { method: 'POST', agent: false, signal, headers: headersOf(handler, payload, env) }),
    payload,
  );
  const { text, truncated } = await bodyOf(response);
  return { end: endOf(response), stdout: text, truncated };
}

function answerTo(request: ClientRequest, payload: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Errors that come after the answer are those of its body.
    request.on('error', reject);
    request.end(payload);
  });
}

async function bodyOf(response: IncomingMessage): Promise<{ text: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!(chunk instanceof Buffer)) continue;
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_OUTPUT_BYTES) return { text: Buffer.concat(chunks).toString('utf8'), truncated: true };
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString('utf8'), truncated: false };
}

function endOf({ statusCode = 0 }: IncomingMessage): HookRun['end'] {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'exited', code: 0 };
  const redirected = statusCode >= 300 && statusCode < 400 ? ', a redirect, which is not followed' : '';
  return { kind: 'notStarted', message: `the answer has status ${statusCode}${redirected}` };
}

/** Ours last: they say what the body is. */
function headersOf(
  { headers, allowedEnvVars }: HttpHandler,
  payload: string,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const filled = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    fillVariables(value, allowedEnvVars, env),
  ]);
  return {
    ...Object.fromEntries(filled),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(payload)),
    'accept-encoding': 'identity',
  };
}

/** A variable that is not allowed, or not set, is empty. The model's credentials never leave, whatever is allowed. */
function fillVariables(
  value: string,
  allowed: readonly string[],
  env: Readonly<Record<string, string>>,
): string {
  return value.replace(
    /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
    (_whole, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      if (!allowed.includes(name) || /^ANTHROPIC_/i.test(name)) return '';
      return Object.hasOwn(env, name) ? (env[name] ?? '') : '';
    },
  );
}

function withoutBody(end: HookRun['end']): Answer {
  return { end, stdout: '', truncated: false };
}
