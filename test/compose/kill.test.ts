import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { theCluster } from './cluster.ts';
import { newLoad } from './load.ts';
import type { Load } from './load.ts';

/** All long-running services of docker-compose.yml. */
const SERVICES = ['api-1', 'api-2', 'worker', 'proxy', 'temporal', 'temporal-ui', 'postgres'];
SERVICES.push('mongodb-1', 'mongodb-2', 'mongodb-3');
const AWAY_MS = 2_000;
const cluster = theCluster();

describe('a killed container', () => {
  let product: Product;
  let receiver: Receiver;
  let load: Load;

  beforeAll(async () => {
    product = await sharedApi('kill');
    receiver = await startReceiver();
    load = await newLoad(product, receiver);
  });
  afterAll(async () => {
    await receiver.close();
    await product.close();
  });

  test.each(SERVICES)(
    'no acknowledged message is lost when each container of %s is killed in turn',
    async (service) => {
      for (const container of await cluster.containers(service)) {
        const writers = load.start();
        await load.progress();
        const killedAt = Date.now();
        await cluster.docker('kill', container);
        await wait(AWAY_MS);
        await cluster.docker('start', container);
        await cluster.ready();
        await load.progress();
        const seconds = ((Date.now() - killedAt) / 1_000).toFixed(1);
        await writers.end();
        console.log(`${service}: ${writers.failed.length} posts sent again, all goes on after ${seconds} s`);
        await load.expectAllKept();
      }
    },
  );

  test('every long-running service is tested with a killed container', async () => {
    const running = await cluster.compose('ps', '--services', '--status', 'running');
    expect(running.trim().split('\n').toSorted()).toEqual(SERVICES.toSorted());
  });
});
