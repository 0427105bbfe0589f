import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { computeShard } from '../../domain/delivery/delivery.ts';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { leaseModel } from '../../store/cluster/leases.ts';
import { conversationWorkflowId, deliveryWorkflowId } from '../../workflows/contract.ts';
import { newUser, startApi } from '../support/shared-servers.ts';
import { arrivals } from '../support/arrivals.ts';
import { setExpression, newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { toSearchableText } from '../support/histories.ts';
import { createWebhook } from '../support/listening.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { DELIVERY_SHARDS } from '../support/product.ts';
import type { OwnProduct } from '../support/product.ts';
import { respondWith, script, startReceiver } from '../support/receiver.ts';
import { createTemporalClient } from '../support/temporal-client.ts';

/**
 * A separate database and worker, because these tests read the log and metrics of the worker and
 * kill it.
 */
const DATABASE = 'own_worker';
const EXPRESSION = '{"conversation": conversation, "messages": [{"text": text}]}';
/** An expression slow enough that the worker can be killed between two events. */
const SLOW = `($sum([1..40000]); ${EXPRESSION})`;

let product: OwnProduct;
let worker: NodeProcess;

beforeAll(async () => {
  product = await startApi(DATABASE, { LOG_LEVEL: 'trace' });
  ({ worker } = product);
});

afterAll(async () => {
  await Promise.all([worker.kill(), product.close()]);
});

const startWorker = () => startNode('dist/worker/main.js', { env: product.environment });

async function replaceWorker(): Promise<void> {
  await worker.kill();
  worker = startWorker();
}

async function listen(url: string, params: object, fields: object = {}): Promise<string> {
  return (await createWebhook(product.admin, { url, ...params }, fields)).id;
}

test('a worker starts without a warning', () => {
  const lines = product.worker.output().split('\n');
  expect(lines.some((line) => line.startsWith('{"level":20') && line.includes('No workflows'))).toBe(true);
  expect(lines.filter((line) => /^\{"level":[4-6]0/.test(line))).toEqual([]);
});

describe('the secrets of webhooks', () => {
  test('the secrets of webhooks are in no log line and no workflow history', async () => {
    const receiver = await startReceiver();
    const bot = await newUser(product, { role: 'bot' });
    receiver.behave(
      script(
        respondWith(200),
        respondWith(500, 'words of the receiver'),
        respondWith(200, JSON.stringify({ token: bot.token, messages: [{ text: 'a reply' }] })),
        // The reply causes an event too. Without a plain response to this event, replies would loop
        // endlessly.
        respondWith(200),
      ),
    );
    const url = receiver.url.replace('//', '//joe:hidden-password@');
    const service = await listen(url, { secret: 'a-very-secret-secret', events: ['message.create'] });
    const { body } = await product.admin.post('/conversations', {
      ...{ name: 'secret', messages: [{ text: 'something said in confidence' }] },
    });
    await eventually(async () => {
      const posted = await product.admin.get(`/messages?conversation=${body.id}&text=a reply`);
      return posted.body.length >= 1;
    });
    const log = `${product.api.output()}\n${product.worker.output()}`;
    const { connection, workflow } = await createTemporalClient(product);
    const shard = computeShard(service, DELIVERY_SHARDS);
    const histories = await Promise.all(
      [conversationWorkflowId(body.id), deliveryWorkflowId(shard)].map((id) =>
        workflow.getHandle(id).fetchHistory(),
      ),
    );
    const kept = toSearchableText(histories);
    expect(kept).toContain('something said in confidence');
    for (const secret of ['hidden-password', 'a-very-secret-secret', bot.token, 'words of the receiver']) {
      expect(kept).not.toContain(secret);
      expect(log).not.toContain(secret);
    }
    expect(log).not.toContain('something said in confidence');
    await connection.close();
    await receiver.close();
  });
});

test('the chat key of a conversation is in no workflow history, whether a post or an upsert created the conversation', async () => {
  const { connection, workflow } = await createTemporalClient(product);
  const made = await product.admin.post('/conversations', { messages: [{ text: 'made' }] });
  const upserted = await product.admin.post('/conversations', {
    organization: product.organization,
    contact: { profile: { email: 'kept@own-worker.example' } },
    messages: [{ text: 'upserted' }],
  });
  for (const { id, slug, url } of [made.body, upserted.body]) {
    expect(url).toBe(`${product.origin}/c/${slug}`);
    const handle = workflow.getHandle(conversationWorkflowId(id));
    const first = await handle.fetchHistory();
    // The terminated run is replaced by a run that loads the conversation from the store.
    await handle.terminate();
    await product.admin.post(`/conversations/${id}/messages`, { text: 'again' });
    const kept = toSearchableText([
      first,
      await workflow.getHandle(conversationWorkflowId(id)).fetchHistory(),
    ]);
    expect(kept).toContain('again');
    expect(kept).not.toContain(slug);
    const [message] = (await product.admin.get(`/messages?conversation=${id}&text=again`)).body;
    expect(message.url).toContain(`/c/${slug}#`);
  }
  await connection.close();
});

describe('the metrics of deliveries', () => {
  const value = async (metric: string) => {
    const text = await (await fetch(`${product.origin}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${metric} `))
        ?.split(' ')
        .at(-1),
    );
  };

  test('the metrics of deliveries show pending deliveries, the age of the oldest, and the attempts of all workers by outcome', async () => {
    const receiver = await startReceiver();
    receiver.behave(script(respondWith(200), respondWith(503)));
    const service = await listen(receiver.url, { events: ['message.create'] });
    await product.admin.post('/conversations', { name: 'measured', messages: [{ text: 'x' }] });
    await eventually(() => arrivals(receiver).length >= 1);
    await eventually(async () => (await value('parlance_deliveries_pending')) >= 1);
    expect(await value('parlance_deliveries_oldest_pending_seconds')).toBeGreaterThan(0);
    await eventually(
      async () =>
        (await value('parlance_delivery_attempts_total{outcome="rejected"}')) >= 1 &&
        (await value('parlance_delivery_attempts_total{outcome="delivered"}')) >= 1,
      { everyMs: 500 },
    );
    await product.admin.request('DELETE', `/services/${service}`);
    await receiver.close();
  });

  test('the metrics of deliveries count the acknowledged events of a webhook without an address as delivered', async () => {
    const delivered = () => value('parlance_delivery_attempts_total{outcome="delivered"}');
    const params = { events: ['conversation.create'] };
    const { id } = (await product.admin.post('/services', { name: 'feed', type: 'webhook', params })).body;
    // More than the deliveries of other tests, which the metric may show late.
    const count = 20;
    for (let at = 0; at < count; at += 1) await product.admin.post('/conversations', { name: `${at}` });
    const before = (await delivered()) || 0;
    const ids: string[] = [];
    while (ids.length < count) {
      const { body } = await product.admin.get(`/services/${id}/events?wait=20`);
      ids.push(...(body as { id: string }[]).map((event) => event.id));
    }
    const { body } = await product.admin.post(`/services/${id}/events/ack`, { ids });
    expect(body).toEqual({ acknowledged: count });
    await eventually(async () => (await delivered()) >= before + count, { everyMs: 500 });
    await product.admin.request('DELETE', `/services/${id}`);
  });
});

describe('after the worker is killed', () => {
  test('after a worker is killed, another worker drains the shard of deliveries that the killed worker had leased', async () => {
    const second = startWorker();
    const receiver = await startReceiver();
    const service = await listen(receiver.url, { events: ['message.create'] });
    await connectStore(inject('mongodbUri'), { database: DATABASE });
    const lease = `delivery:${computeShard(service, DELIVERY_SHARDS)}`;
    const owner = async () => (await leaseModel.findById(lease).lean())?.owner ?? '';
    await eventually(async () => (await owner()) !== '');
    const [holder, other] = (await owner()).includes(`-${second.pid}-`) ? [second, worker] : [worker, second];
    await holder.kill();
    worker = other;
    await product.admin.post('/conversations', { name: 'after', messages: [{ text: 'who sends this?' }] });
    await eventually(() => arrivals(receiver).length >= 1);
    expect(await owner()).toContain(`-${other.pid}-`);
    await disconnectStore();
    await product.admin.request('DELETE', `/services/${service}`);
    await receiver.close();
  });

  test('after the worker is killed, the deletion of a conversation completes although posts continue', async () => {
    const { body } = await product.admin.post('/conversations', {
      organization: product.organization,
      contact: { profile: { email: 'hedy@example.com', name: 'Ada' } },
      messages: [{ text: 'my secret', role: 'contact' }],
    });
    const { id, contact } = body as { id: string; contact: string };
    const ending = new AbortController();
    const answers: number[] = [];
    const poster = (async () => {
      while (!ending.signal.aborted) {
        const { status } = await product.admin.post('/messages', { conversation: id, text: 'still here' });
        answers.push(status);
      }
    })();
    await eventually(() => answers.length >= 5);
    const removal = product.admin.once.request('DELETE', `/conversations/${id}`);
    await replaceWorker();
    expect([204, 503]).toContain((await removal).status);
    await eventually(async () => (await product.admin.get(`/conversations/${id}`)).status === 404);
    await eventually(() => answers.at(-1) === 404);
    ending.abort();
    await poster;
    expect(answers.every((status) => [201, 404].includes(status))).toBe(true);
    await eventually(async () => (await product.admin.get(`/contacts/${contact}`)).status === 404);
    const left = () => product.admin.get(`/messages?conversation=${id}&id=>0`);
    await eventually(async () => (await left()).body.length === 0);
  });

  test('after the worker is killed, retried events run once and in order', async () => {
    const conversation = (await product.admin.post('/conversations', {})).body.id as string;
    const bot = await newUser(product, { role: 'bot' });
    const type = await newEventType(product, 'killed', '$error("broken")');
    const failed = Array.from({ length: 40 }, (_, at) => `event ${at}`);
    for (const text of failed)
      expect((await bot.post('/events/killed', { conversation, text })).status).toBe(422);
    await setExpression(product, type, SLOW);
    await product.admin.post(`/eventtypes/${type}/retry`, { since: '2020-01-01' });
    const processed = async () =>
      Number((await bot.get('/events?name=killed&status=processed&limit=1')).headers.get('x-total'));
    for (const many of [5, 15]) {
      await eventually(async () => (await processed()) >= many);
      await replaceWorker();
    }
    await eventually(async () => (await processed()) === 40);
    const { body } = await bot.get(`/messages?conversation=${conversation}&sort=sequence&limit=1000`);
    expect(body.map(({ text }: { text: string }) => text)).toEqual(failed);
  });
});
