import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../support/shared-servers.ts';
import { arrivals } from '../support/arrivals.ts';
import { startCollector } from '../support/collector.ts';
import type { Collector, Span } from '../support/collector.ts';
import { eventually } from '../support/eventually.ts';
import type { OwnProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';

describe('traces', () => {
  let collector: Collector;
  let receiver: Receiver;
  let product: OwnProduct;

  beforeAll(async () => {
    [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
    product = await startApi('traces', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const params = { url: receiver.url, events: ['message.create.*.chat'] };
    await product.admin.post('/services', { name: 'x', type: 'webhook', params });
  });
  afterAll(async () => {
    await product.close();
    await Promise.all([collector.close(), receiver.close()]);
  });

  const traceOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
  const NAMES = ['POST /messages', 'post to conversation', 'commit', 'webhook'];
  /**
   * Waits until a trace contains a span of every name in `NAMES`, and returns its spans. A name may
   * occur more than once, because a commit may be retried on a busy machine.
   */
  const whole = (traceId: string) =>
    eventually(
      () => NAMES.every((name) => traceOf(traceId).some((span) => span.name === name)) && traceOf(traceId),
    );

  test('a trace connects the caller, the request, the commit, the webhook and the receiver of the webhook', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const { body: conversation } = await product.admin.post('/conversations', {});
    const { body: message } = await product.admin.post(
      '/messages',
      { conversation: conversation.id, text: 'x', role: 'agent' },
      { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    );
    const spans = await whole(traceId);
    const [request, post, commit, webhook] = NAMES.map((name) =>
      spans.find((span) => span.name === name),
    ) as [Span, Span, Span, Span];
    expect([request.parentSpanId, post.parentSpanId]).toEqual(['b7ad6b7169203331', request.spanId]);
    expect([commit.parentSpanId, webhook.parentSpanId]).toEqual([post.spanId, post.spanId]);
    expect([request, post, commit, webhook].map(({ service }) => service)).toEqual([
      ...['parlance-api', 'parlance-api', 'parlance-worker', 'parlance-worker'],
    ]);
    expect(request.attributes).toMatchObject({ 'http.route': '/messages', 'http.response.status_code': 201 });
    expect(webhook.attributes).toMatchObject({ 'parlance.outcome': 'delivered' });
    const arrived = arrivals(receiver).find(({ json }) => json.id === `${message.id}-1`);
    expect(arrived?.headers['traceparent']).toBe(`00-${traceId}-${webhook.spanId}-01`);
  });

  test('the trace of a delayed message continues when the message is due', async () => {
    const traceId = '1af7651916cd43dd8448eb211c80319c';
    const { body: conversation } = await product.admin.post('/conversations', {});
    const message = { conversation: conversation.id, text: 'x', role: 'agent', delay: 500 };
    await product.admin.post('/messages', message, { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
    await whole(traceId);
    // A delayed message is committed twice: when it is accepted, and when it is due.
    const commits = () => traceOf(traceId).filter(({ name }) => name === 'commit').length;
    await eventually(() => commits() >= 2);
  });

  test('traces are not recorded for probes and for requests that their caller does not trace', async () => {
    const traceId = '2af7651916cd43dd8448eb211c80319c';
    const { body: conversation } = await product.admin.post('/conversations', {});
    const { body: message } = await product.admin.post(
      '/messages',
      { conversation: conversation.id, text: 'x', role: 'agent' },
      { traceparent: `00-${traceId}-b7ad6b7169203331-00` },
    );
    const arrived = await eventually(() =>
      arrivals(receiver).find(({ json }) => json.id === `${message.id}-1`),
    );
    expect(arrived.headers['traceparent']).toBeUndefined();
    await Promise.all([product.api.stop(), product.worker.stop()]);
    expect(traceOf(traceId)).toEqual([]);
    const routes = collector.spans.map(({ attributes }) => attributes['http.route']);
    expect(routes).not.toContain('/readyz');
    // The stopped process exported its last spans before it ended.
    expect(collector.spans.filter(({ name }) => name === 'POST /conversations').length).toBe(3);
  });
});
