import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Principal } from '../../application/auth/principal.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { readTraceparent } from '../../platform/tracing/tracer.ts';
import type { Metrics } from '../probes/metrics.ts';
import { storeDate } from '../../store/cluster/clock.ts';
import type { Tracer } from '../../platform/tracing/tracer.ts';

export interface RequestState {
  requestId: string;
  /** ISO 8601 UTC. */
  receivedAt: string;
  pattern?: string;
  /** Probes are frequent, so they are logged at level debug. */
  probe?: boolean;
  principal?: Principal;
  trace?: string;
  code?: ErrorCode;
  /** Set if the status is 500 or above. */
  failure?: unknown;
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

/**
 * Sets the request id, logs one line and counts the request. Does not log queries and bodies, which
 * may contain tokens.
 */
export function observe(log: Logger, metrics: Metrics): Middleware<RequestState> {
  return async (context, next) => {
    const ctx = context as Context & { state: RequestState };
    const startedAt = performance.now();
    const given = ctx.get('X-Request-Id');
    ctx.state.requestId = REQUEST_ID.test(given) ? given : randomUUID();
    ctx.state.receivedAt = storeDate().toISOString();
    ctx.set('X-Request-Id', ctx.state.requestId);
    metrics.requestBegins();
    try {
      await next();
    } finally {
      const durationMs = performance.now() - startedAt;
      const { pattern = 'none', code } = ctx.state;
      const { method, status } = ctx;
      metrics.requestEnds({ method, pattern, status, code, seconds: durationMs / 1000 });
      logRequest(log, ctx, durationMs);
    }
  };
}

function logRequest(log: Logger, ctx: Context & { state: RequestState }, durationMs: number): void {
  const { requestId, pattern = 'none', probe = false, principal, trace, code, failure } = ctx.state;
  const { method, status } = ctx;
  const level = probe ? 'debug' : status >= 500 ? 'error' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const line = {
    requestId,
    method,
    route: pattern,
    status,
    code,
    durationMs: Math.round(durationMs * 10) / 10,
    bytes: ctx.response.length,
    address: ctx.ip,
    user: principal?.user,
    organization: principal?.organization,
    ...principal?.credential,
    traceId: readTraceparent(trace)?.traceId,
    ...(failure === undefined ? {} : { err: failure }),
  };
  log[level](line, 'request');
}

/** Traces /v2, /c and /in, except streams, as children of the caller's `traceparent`. */
export function traceRequests(tracer: Tracer): Middleware<RequestState> {
  return async (context, next) => {
    const ctx = context as Context & { state: RequestState };
    if (!/^\/(v2|c|in)\//.test(ctx.path) || ctx.path.endsWith('/stream')) {
      await next();
      return;
    }
    const { method } = ctx;
    const span = tracer.begin(method, { kind: 'server', parent: ctx.get('traceparent') });
    if (span.traceparent) ctx.state.trace = span.traceparent;
    try {
      await next();
    } finally {
      const { pattern = 'none', code, requestId } = ctx.state;
      const facts = {
        'http.request.method': method,
        'http.route': pattern,
        'http.response.status_code': ctx.status,
        'error.type': code,
        'parlance.request_id': requestId,
      };
      span.end({ name: `${method} ${pattern}`, failed: ctx.status >= 500, facts });
    }
  };
}
