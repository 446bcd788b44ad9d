/** The API of the daemon, as docs/api.md describes it: one table of routes; every refusal has the same shape. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { PROTOCOL, PROTOCOL_HEADER } from '../core/protocol.ts';
import { approvalRoutes } from './api-approvals.ts';
import { daemonRoutes } from './api-daemon.ts';
import { guardRequest } from './api-guard.ts';
import { ApiProblem, isExpected, problemResponse } from './api-problem.ts';
import { sessionRoutes } from './api-sessions.ts';
import type { ApiSurroundings } from './api-surroundings.ts';

export type Api = Hono<{ Bindings: Partial<HttpBindings> }>;

/** `reportFault`: of hookd itself; what a client does wrong is told to the client only. */
export function createApi(around: ApiSurroundings, reportFault: (error: unknown) => void): Api {
  const app: Api = new Hono();
  app.use(async (context, next) => {
    guardRequest(context.req.raw.headers);
    await next();
    context.res.headers.set(PROTOCOL_HEADER, PROTOCOL);
  });
  app.route('/v1', daemonRoutes(around));
  app.route('/v1/sessions', sessionRoutes(around));
  app.route('/v1/approvals', approvalRoutes(around));
  app.notFound((context) => {
    const what = `${context.req.method} ${context.req.path.slice(0, 200)}`;
    return problemResponse(
      new ApiProblem(404, 'NOT_FOUND', `There is no ${what}.`, 'docs/api.md lists what there is.'),
    );
  });
  app.onError((error) => {
    if (!isExpected(error)) reportFault(error);
    return problemResponse(error);
  });
  return app;
}
