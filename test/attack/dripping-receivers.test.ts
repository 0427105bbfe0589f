import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { expectUndisturbed, newTenant, startNeighbour } from './webhook-neighbour.ts';
import type { Attacker, WebhookNeighbour } from './webhook-neighbour.ts';

/** With two deliveries at once, more than the 512 places of a worker. */
const SERVICES = 300;
/** An organization has no more. */
const SERVICES_OF_ONE = 50;
const EVENTS = LOAD_MINUTES > 0 ? 4 : 2;
/**
 * A quarter of the places: new services of one organization have no more
 * (deliveries/concurrency-limits.ts).
 */
const PLACES_OF_ATTACKER = 128;
const MEASURED = LOAD_MINUTES > 0 ? 100 : 20;
/**
 * Everyday form: no attempt of the attacker's ends while the test runs. A neighbour that needed one
 * of the attacker's places would not be served at all.
 */
const ENVIRONMENT = LOAD_MINUTES > 0 ? {} : { WEBHOOK_TIMEOUT_MS: '600000' };
const WITHIN = { withinMs: 90_000 };

let product: OwnProduct;
let worker: NodeProcess;
let dripping: Receiver;
let attacker: Attacker;
let neighbour: WebhookNeighbour;
/** Organizations of the attacker, each with as many services as it may have. */
const shops: string[] = [];
let ended = 0;

/** Verifies; takes deliveries and responds with a byte a second, without end. */
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

async function registerDripping(count: number): Promise<void> {
  while (shops.length * SERVICES_OF_ONE < count) {
    const { body } = await attacker.admin.post('/organizations', { name: 'Dripping shop' });
    shops.push(body.id as string);
    await registerAll(body.id as string);
  }
  // A busy machine may respond to some of them before they are verified.
  await eventually(async () => {
    const { headers } = await attacker.admin.get('/services?status=active&limit=1');
    return headers.get('X-Total') === String(count);
  }, WITHIN);
}

async function registerAll(organization: string): Promise<void> {
  for (let at = 0; at < SERVICES_OF_ONE; at += 10) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        attacker.admin.post('/services', {
          ...{ name: `drip ${at + n}`, type: 'webhook', organization },
          params: { url: dripping.url, events: ['message.create.*'] },
        }),
      ),
    );
    for (const { status } of answers) expect(status).toBe(201);
  }
}

/** Creates conversations of the attacker. Together they notify all of the attacker's services. */
async function createEvents(count: number): Promise<void> {
  for (const organization of Array.from({ length: count }, () => shops).flat()) {
    const messages = [{ text: 'drip' }];
    const { status } = await attacker.admin.post('/conversations', { name: 'x', organization, messages });
    expect(status).toBe(201);
  }
}

/** Counts the deliveries that drip at the moment. */
const countUnderWay = () => dripping.received.filter(({ method }) => method === 'POST').length - ended;

const waitForDripping = () => eventually(() => countUnderWay() >= PLACES_OF_ATTACKER - 8, WITHIN);

/** Measures the neighbour while all of the attacker's places are taken. */
async function expectServed(what: string, quiet: Awaited<ReturnType<WebhookNeighbour['measure']>>) {
  const endedBefore = ended;
  expectUndisturbed(what, await neighbour.measure(MEASURED), quiet);
  if (LOAD_MINUTES > 0) return;
  expect(ended).toBe(endedBefore);
  expect(countUnderWay()).toBeLessThanOrEqual(PLACES_OF_ATTACKER);
}

describe(`${SERVICES} new services of one tenant that drip`, () => {
  test(
    "do not hold up another organization's deliveries, also right after the worker was killed",
    { timeout: 400_000 },
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
      // The first delivery waits until the new worker has taken the shards over.
      await neighbour.measure(1);
      await waitForDripping();
      await expectServed('after a kill', quiet);
      await neighbour.expectAllThere();
    },
  );
});
