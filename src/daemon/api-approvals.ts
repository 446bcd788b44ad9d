/** /v1/approvals: the questions that wait, over all sessions, and the answers to them. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { Mailbox } from '../lib/mailbox.ts';
import { readBody } from './api-body.ts';
import { clientName } from './api-guard.ts';
import { eventStream } from './api-stream.ts';
import { type ApiSurroundings, streamOptions } from './api-surroundings.ts';
import type { ApprovalDesk, ApprovalNotice } from './approval-desk.ts';

/** Notices for one slow reader. */
const WAITING = 1_000;

export function approvalRoutes(around: ApiSurroundings): Hono<{ Bindings: Partial<HttpBindings> }> {
  const { approvals } = around.daemon;
  const routes = new Hono<{ Bindings: Partial<HttpBindings> }>();
  routes.get('/', (context) => context.json(approvals.list()));
  routes.get('/events', (context) =>
    eventStream(
      (signal) => watchApprovals(approvals, signal),
      (notice) => ({ event: notice.kind, data: JSON.stringify(notice) }),
      streamOptions(around, context),
    ),
  );
  routes.post('/:id', async (context) => {
    const reply = await readBody(context.req.raw, 'reply');
    const client = clientName(context.req.raw.headers);
    const refusal = await approvals.answer(context.req.param('id'), reply, client);
    return refusal === undefined ? context.body(null, 204) : context.json({ refusal });
  });
  return routes;
}

type Told = ApprovalNotice | { readonly kind: 'dropped'; readonly why: string };

/** Those that wait now, then what comes: in between nothing is missed. */
async function* watchApprovals(desk: ApprovalDesk, signal: AbortSignal): AsyncGenerator<Told, void> {
  const box = new Mailbox<Told>(WAITING);
  const unwatch = desk.watch((notice) => box.put(notice));
  try {
    for (const approval of desk.list()) yield { kind: 'approval_requested', approval };
    yield* box.items(signal);
    if (box.overflowed) yield { kind: 'dropped', why: 'The client read too slowly; it may come back.' };
  } finally {
    unwatch();
  }
}
