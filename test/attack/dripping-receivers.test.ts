import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { expectUndisturbed, newTenant, startNeighbour } from './webhook-neighbour.ts';
import type { Attacker, Neighbour } from './webhook-neighbour.ts';

const SERVICES = 300;
/** Each is told to every dripping service: more at once than there are places for all. */
const EVENTS = 4;
const MEASURED = 100;

let product: OwnProduct;
let worker: NodeProcess;
let dripping: Receiver;
let attacker: Attacker;
let neighbour: Neighbour;

/** Says yes when it is verified; takes deliveries and answers a byte a second, without end. */
const drip: Behaviour = (response, { method }) => {
  response.writeHead(200);
  if (method === 'GET') {
    response.end();
    return;
  }
  const timer = setInterval(() => response.write('.'), 1_000);
  response.on('close', () => clearInterval(timer));
};

beforeAll(async () => {
  product = await startApi('dripping');
  ({ worker } = product);
  dripping = await startReceiver();
  dripping.behave(drip);
  [attacker, neighbour] = await Promise.all([newTenant(product, 'Dripping'), startNeighbour(product)]);
});

afterAll(async () => {
  await worker.stop();
  await product.close();
  await Promise.all([dripping.close(), neighbour.close()]);
});

async function registerDripping(count: number): Promise<void> {
  for (let at = 0; at < count; at += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        attacker.admin.post('/services', {
          ...{ name: `drip ${at + n}`, type: 'webhook', organization: attacker.organization },
          params: { url: dripping.url, events: ['message.create.*'] },
        }),
      ),
    );
    for (const { status } of answers) expect(status).toBe(201);
  }
  // A busy machine may answer some of them before they are verified.
  await eventually(async () => {
    const { headers } = await attacker.admin.get('/services?status=active&limit=1');
    return headers.get('X-Total') === String(count);
  });
}

/** Conversations of the attacker, each of which all of the attacker's services hear of. */
async function cause(events: number): Promise<void> {
  for (let at = 0; at < events; at += 1) {
    const { organization } = attacker;
    const messages = [{ text: 'drip' }];
    expect((await attacker.admin.post('/conversations', { name: 'x', organization, messages })).status).toBe(
      201,
    );
  }
}

/** Deliveries that drip at the moment. */
const underWay = () => dripping.received.filter(({ method }) => method === 'POST').length;

describe(`${SERVICES} new services of one organization that drip`, () => {
  test(
    "do not hold up another organization's deliveries, also right after the worker was killed",
    { timeout: 400_000 },
    async () => {
      await neighbour.measure(10);
      const quiet = await neighbour.measure(MEASURED);
      await registerDripping(SERVICES);
      await cause(EVENTS);
      await eventually(() => underWay() >= 100);
      expectUndisturbed('beside them', await neighbour.measure(MEASURED), quiet);
      const before = underWay();
      await worker.kill();
      worker = startNode('dist/worker/main.js', { env: product.environment });
      // One after the other: the first waits until the deliveries are somebody's again.
      await neighbour.measure(1);
      expectUndisturbed('after a kill', await neighbour.measure(MEASURED), quiet);
      expect(underWay()).toBeGreaterThan(before);
      await neighbour.expectAllThere();
    },
  );
});
