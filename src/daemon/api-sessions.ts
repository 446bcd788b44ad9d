/** /v1/sessions: begin one, look at it, speak to it, follow it. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { HookdError } from '../core/errors.ts';
import type { Delivery } from '../core/protocol.ts';
import { readBody } from './api-body.ts';
import { clientName } from './api-guard.ts';
import { sessionRequest } from './api-new-session.ts';
import { ApiProblem } from './api-problem.ts';
import { settingsInForce } from './api-settings.ts';
import { eventStream, type Frame } from './api-stream.ts';
import { type ApiContext, type ApiSurroundings, streamOptions } from './api-surroundings.ts';
import type { HostedSession } from './hosted-session.ts';

export function sessionRoutes(around: ApiSurroundings): Hono<{ Bindings: Partial<HttpBindings> }> {
  const { daemon } = around;
  const routes = new Hono<{ Bindings: Partial<HttpBindings> }>();
  const idOf = (context: ApiContext): string => context.req.param('id') ?? '';
  const sessionOf = (context: ApiContext): HostedSession => daemon.sessions.get(idOf(context));
  const assertOpen = (): void => {
    if (around.isStopping())
      throw new HookdError('DAEMON_STOPPING', 'The daemon is stopping: nothing new begins in it.');
  };

  routes.post('/', async (context) => {
    const body = await readBody(context.req.raw, 'session');
    assertOpen();
    const session = await daemon.createSession(sessionRequest(body));
    return context.json(session.info, 201);
  });
  routes.get('/', async (context) => context.json(await daemon.sessions.list()));
  routes.get('/:id', async (context) => context.json(await sessionOf(context).refresh()));
  routes.delete('/:id', async (context) => {
    await sessionOf(context).end(`ended by ${clientName(context.req.raw.headers)}`);
    return context.body(null, 204);
  });
  routes.post('/:id/prompts', async (context) => {
    const session = sessionOf(context);
    const { text } = await readBody(context.req.raw, 'prompt');
    assertOpen();
    await session.prompt(text);
    return context.json({ accepted: true }, 202);
  });
  routes.post('/:id/interrupt', async (context) => {
    const session = sessionOf(context);
    await readBody(context.req.raw, 'nothing');
    await session.interrupt(clientName(context.req.raw.headers));
    return context.body(null, 204);
  });
  routes.post('/:id/mode', async (context) => {
    const session = sessionOf(context);
    const { mode } = await readBody(context.req.raw, 'mode');
    await session.setMode(mode, clientName(context.req.raw.headers));
    return context.body(null, 204);
  });
  routes.post('/:id/compact', async (context) => {
    const session = sessionOf(context);
    const { instructions } = await readBody(context.req.raw, 'compact');
    assertOpen();
    await session.compact(instructions);
    return context.body(null, 204);
  });
  routes.get('/:id/settings', (context) => {
    const session = sessionOf(context);
    const live = daemon.sessions.live.find(({ id }) => id === session.info.id);
    if (live === undefined)
      throw new HookdError(
        'SESSION_ENDED',
        `No settings are in force for session ${session.info.id}: it does not run.`,
      );
    return context.json(settingsInForce(live.settings));
  });
  routes.get('/:id/events', (context) => {
    const session = sessionOf(context);
    const after = positionOf(context);
    // Of the last event before the stream: a client that loses it before its first event goes on from there.
    const headers = { 'hookd-event-id': String(session.info.lastEventId) };
    // Not cut when the daemon stops: it ends with its session, after all that was told.
    const options = { ...streamOptions(around, context), closing: new AbortController().signal, headers };
    return eventStream((signal) => session.events(after, signal), frameOf, options);
  });
  return routes;
}

/** `Last-Event-ID` of a stream that broke, else `?after=N`; neither: from now on. */
function positionOf(context: ApiContext): number | undefined {
  const given = context.req.header('last-event-id') ?? context.req.query('after');
  if (given === undefined || given === '') return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new ApiProblem(
    400,
    'REQUEST_INVALID',
    `${JSON.stringify(given.slice(0, 40))} is no number of an event.`,
    'Use the last "id:" of the stream; 0 for all that is kept.',
  );
}

function frameOf(delivery: Delivery): Frame {
  if (delivery.kind === 'event') {
    const { id, event } = delivery;
    return { event: event.kind, id, data: JSON.stringify(event) };
  }
  const { kind, ...state } = delivery;
  return { event: kind, data: JSON.stringify(state) };
}
