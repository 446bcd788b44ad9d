/**
 * The Messages API: the request that @anthropic-ai/sdk makes, sent by ourselves, and the SDK's parser for the stream that
 * comes back. The SDK's own client would take another 105 ms and 17 MB before the first request, and 0.4 ms for each,
 * for what is switched off here: retries, credentials and headers from variables and files, warnings on the console.
 * `tests/model/request-form.test.ts` holds our requests to those of that client.
 *
 * Invariants: a request leaves only when it is recorded, and once; it goes to the base URL and with the credential
 * that were passed in.
 */
import { assertRecorded, type Recorded } from '../audit/trail.ts';
import { isObject } from '../core/json.ts';
import type { ModelRequest, ModelResponse } from '../core/vocabulary.ts';
import { compileAtOnce } from '../lib/compile-at-once.ts';
import { textOf } from './answer-body.ts';
import { type Endpoint, type EndpointOptions, readEndpoint } from './endpoint.ts';
import { lost, modelFailed, notReached, oneLine, type Refusal, refused } from './failure.ts';
import { readError, readMessage } from './message.ts';
import { readMessageStream, type StreamEvent } from './message-stream.ts';
import type { Model, ModelEvent } from './model.ts';
import { type Answer, openPost, type Post } from './post.ts';
import { readRefusal } from './refusal.ts';
import { requestBody } from './request-body.ts';
import { boundedEvents } from './stream-events.ts';

interface Limits {
  /** Until a connection stands. */
  readonly connectMs: number;
  /** Until an answer begins. */
  readonly answerMs: number;
  /** Between two events of a stream, pings count; between two parts of another answer. */
  readonly idleMs: number;
  /** From the last event to the end of the stream: a connection that ends in time serves the next request too. */
  readonly endMs: number;
}

/** What the SDK's client says; it does not export it. */
const API_VERSION = '2026-10-21';

/** In bytes. Nobody is shown more of an error; a longer message is cut, and then does not parse. */
const MOST_OF_AN_ERROR = 65_536;
const MOST_OF_A_MESSAGE = 64 * 1024 * 1024;

const LIMITS: Limits = { connectMs: 10_000, answerMs: 300_000, idleMs: 120_000, endMs: 100 };

/** Throws MODEL_NOT_CONFIGURED for a credential or base URL that is missing or cannot be used. */
export function createAnthropicModel(
  options: EndpointOptions & { readonly limits?: Partial<Limits> },
): Model {
  const endpoint = readEndpoint(options);
  const limits = { ...LIMITS, ...options.limits };
  let loading: Promise<Connection> | undefined;
  const prepared = new WeakMap<Recorded<ModelRequest>, Uint8Array>();
  return {
    prepare(request) {
      assertRecorded(request, 'model_request');
      prepared.set(request, requestBody(request.value));
    },
    async *respond(request, signal) {
      assertRecorded(request, 'model_request');
      loading ??= connect(endpoint, limits);
      const connection = await loading;
      signal.throwIfAborted();
      // One controller a request: a limit of time ends it, too, and so does a reader who leaves.
      const call = new AbortController();
      // A reason of its own would be an error with its stack, for each request.
      const stop = () => call.abort('ended');
      signal.addEventListener('abort', stop, { once: true });
      try {
        const body = prepared.get(request) ?? requestBody(request.value);
        yield* ask(connection, request.value.model, body, call);
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
  readonly post: Post;
  readonly streamEvents: (chunks: AsyncIterable<Uint8Array>) => AsyncIterator<StreamEvent, void>;
}

async function connect(endpoint: Endpoint, limits: Limits): Promise<Connection> {
  const [{ Stream }, { VERSION }] = await Promise.all([
    import('@anthropic-ai/sdk/core/streaming'),
    import('@anthropic-ai/sdk/version'),
  ]);
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'user-agent': `Anthropic/JS ${VERSION}`,
    'anthropic-version': API_VERSION,
    ...endpoint.headers,
  };
  const post = await openPost(endpoint.name, headers, limits.connectMs);
  // All that a request needs is loaded; what follows is done again with every call.
  compileAtOnce();
  return {
    endpoint,
    limits,
    post,
    // Of a response it reads the body alone.
    streamEvents: (chunks) =>
      boundedEvents(chunks, (body) => Stream.rawEvents({ body } as unknown as Response)),
  };
}

async function* ask(
  connection: Connection,
  model: string,
  body: Uint8Array,
  call: AbortController,
): AsyncGenerator<ModelEvent> {
  const { endpoint, limits } = connection;
  const refusal = (said: Refusal) => refused(endpoint.name, model, withoutKey(said, endpoint));
  const nextOf = <Item>(items: AsyncIterator<Item, void>) => nextItem(endpoint, items, limits.idleMs, call);
  const { status, headers, chunks } = await send(connection, body, call);
  const readText = (most: number) => textOf(() => nextOf(chunks), most);
  // The status says enough where the text does not come.
  const readSome = () => readText(MOST_OF_AN_ERROR).catch(() => '');
  if (status < 200 || status > 299) throw refusal(readRefusal(status, headers, await readSome()));
  const type = headers.get('content-type')?.toLowerCase() ?? '';
  if (type.includes('json')) {
    // The endpoint does not stream.
    const said = parsed(endpoint, await readText(MOST_OF_A_MESSAGE));
    if (isObject(said) && said['type'] === 'error') throw refusal(readError(said['error']));
    const message = readMessage(said, model);
    for (const block of message.content) if (block.type === 'text') yield { kind: 'text', text: block.text };
    yield { kind: 'response', response: message };
    return;
  }
  if (type !== '' && !type.startsWith('text/event-stream')) {
    const found = oneLine(hideKey(await readSome(), endpoint));
    throw modelFailed(`${endpoint.name} answered with ${type} instead of a message: ${found}`);
  }
  const events = connection.streamEvents(chunks);
  const message: ModelResponse = yield* readMessageStream(() => nextOf(events), model, refusal);
  await readToEnd(events, limits.endMs);
  yield { kind: 'response', response: message };
}

async function send(
  { endpoint, limits, post }: Connection,
  body: Uint8Array,
  call: AbortController,
): Promise<Answer> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    call.abort();
  }, limits.answerMs);
  try {
    return await post(body, call.signal);
  } catch (error) {
    if (!late) throw notReached(endpoint.name, error);
    const patience = `${limits.answerMs / 1000} s ("requestTimeoutSeconds")`;
    throw lost(`${endpoint.name} did not begin to answer within ${patience}.`);
  } finally {
    clearTimeout(timer);
  }
}

function withoutKey(said: Refusal, endpoint: Endpoint): Refusal {
  return { ...said, message: hideKey(said.message, endpoint) };
}

/** Some proxies repeat the key that they refuse. */
function hideKey(text: string, { credential }: Endpoint): string {
  return text.replaceAll(credential, '***');
}

function parsed(endpoint: Endpoint, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw modelFailed(
      `${endpoint.name} answered with JSON that does not parse: ${oneLine(hideKey(text, endpoint))}`,
    );
  }
}

async function nextItem<Item>(
  endpoint: Endpoint,
  items: AsyncIterator<Item, void>,
  idleMs: number,
  call: AbortController,
): Promise<IteratorResult<Item, void>> {
  let idle = false;
  // Runs only while we wait: a slow reader is not a silent endpoint.
  const timer = setTimeout(() => {
    idle = true;
    call.abort();
  }, idleMs);
  try {
    return await items.next();
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
