import type { Context, Middleware } from 'koa';
import type { Tracer } from '../../platform/tracing/tracer.ts';
import type { RequestState } from './observe.ts';

/**
 * A span for every request of the API, of contacts' pages and of ingest addresses, a child of the
 * caller's own where the request names one (`traceparent`). Streams have none.
 */
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
