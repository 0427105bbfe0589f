import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Principal } from '../../auth/principal.ts';
import type { Metrics } from '../probes/metrics.ts';

/** What the gates note about a request on its way. */
export interface RequestState {
  requestId: string;
  /** ISO 8601 UTC. */
  receivedAt: string;
  /** The row's path, once it is known which row it is. */
  pattern?: string;
  principal?: Principal;
  /** The error that was answered with 500. */
  failure?: unknown;
}

/** Gives every request its id, and writes one wide line and its metrics when it has been answered. No query: it may hold a token. */
export function observe(log: Logger, metrics: Metrics): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    ctx.state.requestId = randomUUID();
    ctx.state.receivedAt = new Date().toISOString();
    ctx.set('X-Request-Id', ctx.state.requestId);
    try {
      await next();
    } finally {
      const durationMs = performance.now() - startedAt;
      const { requestId, pattern = 'none', principal, failure } = ctx.state;
      const { method, status } = ctx;
      metrics.observeRequest({ method, pattern, status, seconds: durationMs / 1000 });
      const line = {
        requestId,
        method,
        route: pattern,
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        bytes: ctx.response.length,
        address: ctx.ip,
        user: principal?.user,
        organization: principal?.organization,
        ...principal?.credential,
        ...(failure === undefined ? {} : { err: failure }),
      };
      if (status >= 500) log.error(line, 'request');
      else log.info(line, 'request');
    }
  };
}
