import type { Tracer } from '../../platform/tracing/tracer.ts';
import type { WebhookClient } from './client.ts';

/**
 * A client whose deliveries are spans of the traces that their events belong to; the receiver is
 * told of the span (`traceparent`).
 */
export function tracedWebhooks(tracer: Tracer | undefined, client: WebhookClient): WebhookClient {
  if (!tracer) return client;
  return {
    ...client,
    async sendWebhook(request) {
      if (request.trace === undefined) return client.sendWebhook(request);
      const facts = { 'parlance.event': request.id };
      const span = tracer.begin('webhook', { kind: 'client', parent: request.trace, facts });
      const trace = span.traceparent ?? request.trace;
      try {
        const end = await client.sendWebhook({ ...request, trace });
        const found = { 'parlance.outcome': end.outcome, 'http.response.status_code': end.status };
        span.end({ failed: end.outcome !== 'delivered', facts: found });
        return end;
      } catch (error) {
        span.end({ failed: true, facts: { 'parlance.outcome': 'cut_off' } });
        throw error;
      }
    },
  };
}
