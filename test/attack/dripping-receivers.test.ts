import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';
import { expectUndisturbed, newTenant, startNeighbour } from './webhook-neighbour.ts';
import type { Attacker, WebhookNeighbour } from './webhook-neighbour.ts';

/** Two deliveries at once for each service exceed the 512 slots of a worker. */
const SERVICES = 300;
const EVENTS = LOAD_MINUTES > 0 ? 4 : 2;
/**
 * A quarter of the slots of a worker, the limit for new services of one organization
 * (deliveries/concurrency-limits.ts).
 */
const PLACES_OF_ATTACKER = 128;
const MEASURED = LOAD_MINUTES > 0 ? 100 : 20;
/**
 * In the everyday run (not `npm run test:load`), no attempt at the attacker's receiver times out
 * during the test. A neighbour that needed a slot of the attacker would not be served at all.
 */
const ENVIRONMENT = LOAD_MINUTES > 0 ? {} : { WEBHOOK_TIMEOUT_MS: '600000' };
const WITHIN = { withinMs: 90_000 };

let product: OwnProduct;
let worker: NodeProcess;
let dripping: Receiver;
let attacker: Attacker;
let neighbour: WebhookNeighbour;
let ended = 0;

/** Accepts the verification, then responds to each delivery with a byte a second without end. */
const drip: Behaviour = (response, { method }) => {
  response.writeHead(200);
  if (method === 'GET') {
    response.end();
    return;
  }
  const timer = setInterval(() => response.write('.'), 1_000);
  response.on('close', () => {
    clearInterval(timer);
    ended += 1;
  });
};

beforeAll(async () => {
  product = await startApi('dripping', ENVIRONMENT);
  ({ worker } = product);
  dripping = await startReceiver();
  dripping.behave(drip);
  [attacker, neighbour] = await Promise.all([
    newTenant(product, 'Dripping'),
    startNeighbour(product, () => [product.api.pid, worker.pid]),
  ]);
});

afterAll(async () => {
  await worker.kill();
  await product.close();
  await Promise.all([dripping.close(), neighbour.close()]);
});

/**
 * Registers one service and stores `count` copies of the service directly, because an organization
 * may not register that many. The deliveries to these services take all slots that the organization
 * may use.
 */
async function registerDripping(count: number): Promise<void> {
  const made = await attacker.admin.post('/services', {
    ...{ name: 'drip', type: 'webhook', organization: attacker.organization },
    params: { url: dripping.url, events: ['message.create.*'] },
  });
  const { id } = (await untilActive(attacker.admin, made)) as { id: string };
  const store = await mongoose.createConnection(product.environment['MONGODB_URI'] ?? '').asPromise();
  const services = store.collection<{ _id: string }>('services');
  const service = await services.findOne({ _id: id });
  const copies = Array.from({ length: count }, (_, at) => ({
    ...service,
    _id: `${id.slice(0, -3)}${String(at).padStart(3, '0')}`,
  }));
  await services.insertMany(copies.filter(({ _id }) => _id !== id));
  await store.close();
}

/**
 * Creates `count` conversations of the attacker. Each conversation queues one delivery per service
 * of the attacker.
 */
async function createEvents(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const { organization } = attacker;
    const conversation = { name: 'x', organization, messages: [{ text: 'drip' }] };
    const { status } = await attacker.admin.post('/conversations', conversation);
    expect(status).toBe(201);
  }
}

const countUnderWay = () => dripping.received.filter(({ method }) => method === 'POST').length - ended;

const waitForDripping = () => eventually(() => countUnderWay() >= PLACES_OF_ATTACKER - 8, WITHIN);

async function expectServed(what: string, quiet: Awaited<ReturnType<WebhookNeighbour['measure']>>) {
  let endedBefore = ended;
  // A lost heartbeat ends attempts, which are then repeated. Then the measurement proves nothing.
  for (let measurements = 0; measurements < 5; measurements += 1) {
    await waitForDripping();
    endedBefore = ended;
    expectUndisturbed(what, await neighbour.measure(MEASURED), quiet);
    if (LOAD_MINUTES > 0) return;
    if (ended === endedBefore) break;
  }
  expect(ended).toBe(endedBefore);
  expect(countUnderWay()).toBeLessThanOrEqual(PLACES_OF_ATTACKER);
}

describe(`${SERVICES} new services of one organization that drip`, () => {
  test(
    'receivers that send single bytes do not delay the deliveries of another organization, also after a worker was killed',
    { timeout: 900_000 },
    async () => {
      await neighbour.measure(10);
      const quiet = await neighbour.measure(MEASURED / 2);
      await registerDripping(SERVICES);
      await createEvents(EVENTS);
      await waitForDripping();
      await expectServed('beside them', quiet);
      await worker.kill();
      await eventually(() => countUnderWay() === 0, WITHIN);
      worker = startNode('dist/worker/main.js', { env: product.environment });
      // The first delivery waits until the new worker has leased the shards.
      await neighbour.measure(1);
      await waitForDripping();
      await expectServed('after a kill', quiet);
      await neighbour.expectAllThere();
    },
  );
});
