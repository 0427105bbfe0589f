import { expect, inject, onTestFinished, test } from 'vitest';
import { computeShard } from '../../domain/delivery/delivery.ts';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { leaseModel } from '../../store/cluster/leases.ts';
import { arrivals } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import { DELIVERY_SHARDS } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import { startApi } from '../support/shared-servers.ts';

const DATABASE = 'take_over';
const WITHIN_MS = 10_000;

test('another worker delivers the events of a shard within ten seconds after the worker of the shard was killed', async () => {
  const product = await startApi(DATABASE);
  const second = startNode('dist/worker/main.js', { env: product.environment });
  const receiver = await startReceiver();
  await connectStore(inject('mongodbUri'), { database: DATABASE });
  onTestFinished(async () => {
    await disconnectStore();
    await Promise.all([receiver.close(), second.stop(), product.close()]);
  });
  const params = { url: receiver.url, events: ['message.create.*'] };
  const { body: service } = await product.admin.post('/services', { name: 'w', type: 'webhook', params });
  const conversation = (await product.admin.post('/conversations', {})).body.id as string;
  const lease = `delivery:${computeShard(service.id, DELIVERY_SHARDS)}`;
  const owner = await eventually(async () => (await leaseModel.findById(lease).lean())?.owner);
  const holder = [product.worker, second].find(({ pid }) => owner.includes(`-${pid}-`));
  await holder?.kill();
  const killedAt = performance.now();
  await product.admin.post('/messages', { conversation, text: 'after the kill' });
  await eventually(() => arrivals(receiver).length > 0, { everyMs: 10 });
  const tookMs = performance.now() - killedAt;
  console.log(`a shard is taken over in ${tookMs.toFixed(0)} ms`);
  expect(holder).toBeDefined();
  expect(tookMs).toBeLessThan(WITHIN_MS);
});
