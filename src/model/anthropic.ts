/**
 * The Messages API through @anthropic-ai/sdk, which is loaded with the first request (28 MB, 200 ms).
 *
 * Invariants: a request leaves only when it is recorded, and once; it goes to the base URL and with the credential
 * that were passed in. The SDK would also take both from variables and files: each option that it could look up
 * elsewhere is given here.
 */
import type Anthropic from '@anthropic-ai/sdk';
import type { APIError } from '@anthropic-ai/sdk';
import { assertRecorded } from '../audit/trail.ts';
import { isObject } from '../core/json.ts';
import type { ModelRequest, ModelResponse } from '../core/vocabulary.ts';
import { readRetryAfter } from './backoff.ts';
import { jsonText } from './depth.ts';
import { type Endpoint, type EndpointOptions, readEndpoint } from './endpoint.ts';
import { lost, modelFailed, notReached, oneLine, type Refusal, refused } from './failure.ts';
import { readError, readMessage } from './message.ts';
import { readMessageStream, type StreamEvent } from './message-stream.ts';
import type { Model, ModelEvent } from './model.ts';
import { requestText } from './request-body.ts';

interface Limits {
  /** Until an answer begins. */
  readonly answerMs: number;
  /** Between two events of a stream; pings count. */
  readonly idleMs: number;
  /** From the last event to the end of the stream: a connection that ends in time serves the next request too. */
  readonly endMs: number;
}
const LIMITS: Limits = { answerMs: 300_000, idleMs: 120_000, endMs: 100 };

/** Throws MODEL_NOT_CONFIGURED for a credential or base URL that is missing or cannot be used. */
export function createAnthropicModel(
  options: EndpointOptions & { readonly limits?: Partial<Limits> },
): Model {
  const endpoint = readEndpoint(options);
  const limits = { ...LIMITS, ...options.limits };
  let loading: Promise<Connection> | undefined;
  return {
    async *respond(request, signal) {
      assertRecorded(request, 'model_request');
      loading ??= connect(endpoint, limits);
      const connection = await loading;
      signal.throwIfAborted();
      // One controller a request: the SDK leaves a listener on the signal it is given, and a session's lives long.
      const call = new AbortController();
      const stop = () => call.abort();
      signal.addEventListener('abort', stop, { once: true });
      try {
        yield* ask(connection, request.value, call);
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
      }
    },
  };
}

interface Connection {
  readonly endpoint: Endpoint;
  readonly limits: Limits;
  readonly client: Anthropic;
  readonly isApiError: (error: unknown) => error is APIError;
  readonly isTimeOut: (error: unknown) => boolean;
  readonly streamEvents: (response: Response) => AsyncIterator<StreamEvent, void>;
}

async function connect(endpoint: Endpoint, limits: Limits): Promise<Connection> {
  const [{ default: Client, APIError, APIConnectionTimeoutError }, { Stream }] = await Promise.all([
    import('@anthropic-ai/sdk'),
    import('@anthropic-ai/sdk/core/streaming'),
  ]);
  const client = new Client({
    apiKey: endpoint.credential,
    baseURL: endpoint.baseUrl,
    webhookKey: null,
    maxRetries: 0, // a repetition would be a request without a record
    timeout: limits.answerMs,
    logLevel: 'off',
    openTelemetry: false,
    fetch: (url, init) =>
      fetch(url, { ...init, headers: ownHeaders(init?.headers, endpoint), redirect: 'manual' }),
  });
  return {
    endpoint,
    limits,
    client,
    isApiError: (error): error is APIError => error instanceof APIError,
    isTimeOut: (error) => error instanceof APIConnectionTimeoutError,
    streamEvents: (response) => Stream.rawEvents(response),
  };
}

/** Only what a request needs: the SDK has no switch against ANTHROPIC_CUSTOM_HEADERS, which can replace the key. */
function ownHeaders(headers: unknown, endpoint: Endpoint): Headers {
  const own = new Headers();
  const all = headers instanceof Headers ? headers : new Headers();
  all.forEach((value, name) => {
    if (/^(accept|content-type|user-agent|anthropic-version|x-stainless-.*)$/.test(name))
      own.set(name, value);
  });
  for (const [name, value] of Object.entries(endpoint.headers)) own.set(name, value);
  return own;
}

async function* ask(
  connection: Connection,
  request: ModelRequest,
  call: AbortController,
): AsyncGenerator<ModelEvent> {
  const { endpoint, limits } = connection;
  const response = await send(connection, request, call.signal);
  const type = response.headers.get('content-type')?.toLowerCase() ?? '';
  if (type.includes('json')) {
    // The endpoint does not stream.
    const body = await readJson(endpoint, response);
    if (isObject(body) && body['type'] === 'error') {
      throw refused(endpoint.name, request.model, withoutKey(readError(body['error']), endpoint));
    }
    const message = readMessage(body, request.model);
    for (const block of message.content) if (block.type === 'text') yield { kind: 'text', text: block.text };
    yield { kind: 'response', response: message };
    return;
  }
  if (type !== '' && !type.startsWith('text/event-stream')) {
    const found = oneLine(hideKey(await response.text().catch(() => ''), endpoint));
    throw modelFailed(`${endpoint.name} answered with ${type} instead of a message: ${found}`);
  }
  const events = connection.streamEvents(response);
  const next = () => nextEvent(endpoint, events, limits.idleMs, call);
  const message: ModelResponse = yield* readMessageStream(next, request.model, (said) =>
    refused(endpoint.name, request.model, withoutKey(said, endpoint)),
  );
  await readToEnd(events, limits.endMs);
  yield { kind: 'response', response: message };
}

/** Not `messages.create`: that writes warnings about old models to the console, with every request. */
async function send(connection: Connection, request: ModelRequest, signal: AbortSignal): Promise<Response> {
  const { client, endpoint, limits, isApiError, isTimeOut } = connection;
  try {
    const body = requestText(request);
    const headers = { 'content-type': 'application/json' };
    return await client.post('/v1/messages', { body, headers, signal, stream: true }).asResponse();
  } catch (error) {
    if (isTimeOut(error)) {
      const patience = `${limits.answerMs / 1000} s ("requestTimeoutSeconds")`;
      throw lost(`${endpoint.name} did not begin to answer within ${patience}.`);
    }
    if (!isApiError(error) || error.status === undefined) throw notReached(endpoint.name, error);
    throw refused(endpoint.name, request.model, withoutKey(readRefusal(error), endpoint));
  }
}

function readRefusal(error: APIError): Refusal {
  const { status, type, headers } = error;
  const location = headers?.get('location');
  if (location !== null && location !== undefined) {
    return {
      status,
      message: `a redirect to ${location}, which is not followed: it would take the key elsewhere`,
    };
  }
  const retryAfterMs = readRetryAfter(headers, Date.now());
  if (error.apiMessage !== null) return { status, type, message: error.apiMessage, retryAfterMs };
  // Not the API's shape: another JSON, or a proxy's HTML, which the SDK puts behind the status.
  const text = error.error === undefined ? error.message.replace(`${status} `, '') : jsonText(error.error);
  return { status, message: text, retryAfterMs };
}

function withoutKey(said: Refusal, endpoint: Endpoint): Refusal {
  return { ...said, message: hideKey(said.message, endpoint) };
}

/** Some proxies repeat the key that they refuse. */
function hideKey(text: string, { credential }: Endpoint): string {
  return text.replaceAll(credential, '***');
}

async function readJson(endpoint: Endpoint, response: Response): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw notReached(endpoint.name, error);
  });
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw modelFailed(
      `${endpoint.name} answered with JSON that does not parse: ${oneLine(hideKey(text, endpoint))}`,
    );
  }
}

async function nextEvent(
  endpoint: Endpoint,
  events: AsyncIterator<StreamEvent, void>,
  idleMs: number,
  call: AbortController,
): Promise<IteratorResult<StreamEvent, void>> {
  let idle = false;
  // Runs only while we wait: a slow reader is not a silent endpoint.
  const timer = setTimeout(() => {
    idle = true;
    call.abort();
  }, idleMs);
  try {
    return await events.next();
  } catch (error) {
    if (idle) {
      const patience = `${idleMs / 1000} s ("streamIdleTimeoutSeconds")`;
      throw lost(`${endpoint.name} sent nothing for ${patience} in the middle of a response.`);
    }
    throw notReached(endpoint.name, error);
  } finally {
    clearTimeout(timer);
  }
}

/** The response is whole already: what goes wrong here costs a new connection, not the response. */
async function readToEnd(events: AsyncIterator<StreamEvent, void>, endMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, endMs);
  });
  const end = (async () => {
    while ((await events.next()).done !== true);
  })().catch(() => undefined);
  await Promise.race([end, late]);
  clearTimeout(timer);
}
