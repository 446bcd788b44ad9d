/** /v1: the daemon itself: is it there, what is it doing, its audit as it is written, its end. */
import { existsSync } from 'node:fs';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { SinkLag } from '../audit/sinks.ts';
import type { AuditPosition } from '../core/protocol.ts';
import { PROTOCOL } from '../core/protocol.ts';
import { followAudit } from './api-audit.ts';
import { readBody } from './api-body.ts';
import { clientName } from './api-guard.ts';
import { eventStream } from './api-stream.ts';
import { type ApiSurroundings, streamOptions } from './api-surroundings.ts';
import { auditDirectoryOf } from './hookd-home.ts';
import { VERSION } from './version.ts';

export interface DaemonHealth {
  readonly ok: boolean;
  readonly version: string;
  readonly protocol: string;
  readonly pid: number;
}

export interface DaemonStatus extends DaemonHealth {
  readonly startedAt: string;
  readonly uptimeMs: number;
  readonly stopping: boolean;
  readonly hookdHome: string;
  readonly sessions: { readonly total: number; readonly byState: Readonly<Record<string, number>> };
  /** Questions that wait for a person; `approvalsToResume`: those of sessions that do not run, not counted among them. */
  readonly approvals: number;
  readonly approvalsToResume: number;
  /** Open connections, this one too. */
  readonly clients: number;
  readonly audit: AuditPosition;
  /** Digests of the settings in force, each once. */
  readonly settings: readonly string[];
  readonly sinks: readonly SinkLag[];
  readonly memory: { readonly rss: number; readonly heapUsed: number };
}

export function daemonRoutes(around: ApiSurroundings): Hono<{ Bindings: Partial<HttpBindings> }> {
  const { daemon, startedAt } = around;
  const routes = new Hono<{ Bindings: Partial<HttpBindings> }>();
  const health = (): DaemonHealth => ({
    ok: existsSync(daemon.audit.file),
    version: VERSION,
    protocol: PROTOCOL,
    pid: process.pid,
  });
  routes.get('/health', (context) => context.json(health()));
  routes.get('/status', async (context) => {
    const { rss, heapUsed } = process.memoryUsage();
    const sessions = await daemon.sessions.list();
    const digests = daemon.sessions.live.map(({ settings }) => settings.digest);
    const approvals = daemon.approvals.list();
    const toResume = approvals.filter(({ needsResume }) => needsResume);
    const byState: Record<string, number> = {};
    for (const { state } of sessions) byState[state] = (byState[state] ?? 0) + 1;
    const status: DaemonStatus = {
      ...health(),
      startedAt: startedAt.toISOString(),
      uptimeMs: Date.now() - startedAt.getTime(),
      stopping: around.isStopping(),
      hookdHome: daemon.hookdHome,
      sessions: { total: sessions.length, byState },
      approvals: approvals.length - toResume.length,
      approvalsToResume: toResume.length,
      clients: around.clients(),
      audit: daemon.audit,
      settings: [...new Set(digests)],
      sinks: daemon.sinkLag,
      memory: { rss, heapUsed },
    };
    return context.json(status);
  });
  routes.get('/audit/events', (context) => {
    const session = context.req.query('session');
    const kinds = context.req.queries('kind') ?? [];
    return eventStream(
      (signal) => followAudit(auditDirectoryOf(daemon.hookdHome), { session, kinds }, signal),
      (frame) => frame,
      streamOptions(around, context),
    );
  });
  routes.post('/daemon/stop', async (context) => {
    const { graceMs } = await readBody(context.req.raw, 'stop');
    around.stop(`stopped by ${clientName(context.req.raw.headers)}`, graceMs);
    return context.json({ stopping: true, pid: process.pid }, 202);
  });
  return routes;
}
