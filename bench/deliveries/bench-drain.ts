import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDeliveryNotices } from '../../activities/deliveries/notices.ts';
import { createDrainDeliveries } from '../../activities/drain-deliveries.ts';
import { createAuthority } from '../../auth/authority.ts';
import { shardOf } from '../../domain/delivery.ts';
import type { DeliveryRow } from '../../domain/delivery.ts';
import { insertDeliveries } from '../../store/deliveries.ts';
import { mintId } from '../../store/identifier.ts';
import { insertService } from '../../store/services.ts';
import { createWebhookClient } from '../../webhooks/client.ts';

const SHARDS = 16;

/** A receiver that says when each event came; `answers: false` hangs for ever. */
export interface BenchReceiver {
  url: string;
  arrivedAt: Map<string, number>;
  answers: boolean;
  close: () => void;
}

export async function startBenchReceiver(answers = true): Promise<BenchReceiver> {
  const receiver: BenchReceiver = { url: '', arrivedAt: new Map(), answers, close: () => undefined };
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (!receiver.arrivedAt.has(id)) receiver.arrivedAt.set(id, performance.now());
    request.resume();
    request.on('end', () => {
      if (receiver.answers) response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  receiver.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return receiver;
}

/** A drain of all shards as a worker has one, without a Temporal server. */
export function startBenchDrain({ timeoutMs = 2_000, retrySeconds = [60] } = {}) {
  const deliveryNotices = createDeliveryNotices();
  const refuse = () => Promise.reject(new Error('no reply is expected'));
  const activities = createDrainDeliveries({
    identity: randomUUID(),
    deliveryNotices,
    webhooks: createWebhookClient({ timeoutMs, allowedNetworks: ['127.0.0.0/8'], version: 'bench' }),
    webhookRetrySeconds: retrySeconds,
    publicUrl: 'http://localhost',
    deliveryShards: SHARDS,
    notifyDeliveries: () => undefined,
    log: { warn: () => undefined },
    authority: createAuthority('the secret of a bench that signs nothing'),
    posting: {
      config: {
        publicUrl: 'http://localhost',
        deliveryShards: SHARDS,
        serviceProviders: ['api'],
        touchpointCodes: { socialMessenger: 'facebook', chatApp: 'whatsapp' },
      },
      conversations: { post: refuse, amend: refuse, edit: refuse, remove: refuse, erase: refuse },
    },
  });
  const environment = new MockActivityEnvironment();
  const ended = Promise.allSettled(
    Array.from({ length: SHARDS }, (_, shard) =>
      environment.run(() => activities.drainDeliveries({ shard })),
    ),
  );
  return {
    notify: deliveryNotices.notify,
    async stop() {
      environment.cancel('WORKER_SHUTDOWN');
      await ended;
    },
  };
}

export async function addBenchService(url: string): Promise<string> {
  const at = new Date();
  const service = mintId();
  await insertService({
    ...{ _id: service, organization: mintId(), name: 'bench', type: 'webhook', params: { url } },
    ...{ status: 'active', createdAt: at, updatedAt: at },
  });
  return service;
}

/** Queues one event of each of `count` conversations; answers the rows. */
export async function queueEvents(service: string, count: number): Promise<DeliveryRow[]> {
  const rows = Array.from({ length: count }, (): DeliveryRow => {
    const conversation = mintId();
    const eventId = `${conversation}-1`;
    return {
      ...{
        _id: `${eventId}:${service}`,
        event: 'message.create.contact.chat',
        eventId,
        service,
        conversation,
      },
      ...{ organization: 'o', lane: `${service}:${conversation}`, shard: shardOf(service, SHARDS) },
      ...{ pace: 'prompt', sequence: 1, status: 'pending', attempts: [] },
      ...{
        body: JSON.stringify({ id: eventId, data: 'x'.repeat(1_500) }),
        createdAt: new Date().toISOString(),
      },
    };
  });
  for (let at = 0; at < rows.length; at += 1_000) await insertDeliveries(rows.slice(at, at + 1_000));
  return rows;
}

/** Waits until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
