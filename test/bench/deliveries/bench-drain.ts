import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Dispatcher } from '../../../deliveries/dispatcher.ts';
import { createDrainDeliveries } from '../../../activities/drain-deliveries.ts';
import { createAuthority } from '../../../application/auth/authority.ts';
import { computeShard } from '../../../domain/delivery/delivery.ts';
import type { DeliveryRow, Pace } from '../../../domain/delivery/delivery.ts';
import { insertDeliveries } from '../../../store/delivery/deliveries.ts';
import { newId } from '../../../store/queries/identifier.ts';
import { serviceModel } from '../../../store/delivery/services.ts';
import { createWebhookClient } from '../../../deliveries/http/client.ts';

export const SHARDS = 16;

export type BenchDrain = ReturnType<typeof startBenchDrain>;

/** Drains all shards like a worker, without a Temporal server. */
export function startBenchDrain({ timeoutMs = 2_000, retrySeconds = [60] } = {}) {
  const refuse = () => Promise.reject(new Error('no reply is expected'));
  const dispatcher = new Dispatcher({
    identity: randomUUID(),
    webhooks: createWebhookClient({ timeoutMs, allowedNetworks: ['127.0.0.0/8'], version: 'bench' }),
    secrets: { encrypt: () => '', decrypt: () => null, sign: () => '' },
    mailDomain: undefined,
    files: { place: 'gridfs', write: refuse, read: refuse, remove: refuse },
    quotaBytes: Infinity,
    webhookRetrySeconds: retrySeconds,
    publicUrl: 'http://localhost',
    deliveryShards: SHARDS,
    log: { warn: (facts, message) => console.warn(message, facts) },
    authority: createAuthority('the secret of a bench that signs nothing'),
    posting: {
      config: {
        publicUrl: 'http://localhost',
        deliveryShards: SHARDS,
        serviceProviders: ['api'],
        touchpointCodes: { socialMessenger: 'facebook', chatApp: 'whatsapp' },
      },
      conversations: {
        ...{ post: refuse, amend: refuse, edit: refuse, remove: refuse, erase: refuse },
        refresh: refuse,
      },
    },
  });
  const activities = createDrainDeliveries({ dispatcher, searchAttributes: [] });
  // Signals to the workflow are dropped.
  const client = {
    workflow: { getHandle: () => ({ signal: () => Promise.resolve() }) },
    withAbortSignal: <T>(_signal: AbortSignal, work: () => T) => work(),
  } as unknown as Client;
  const environment = new MockActivityEnvironment({}, { client });
  const ended = Promise.all(
    Array.from({ length: SHARDS }, (_, shard) =>
      environment.run(() => activities.drainDeliveries({ shard })),
    ),
  );
  // Exits, because the benchmark would otherwise wait forever for the deliveries of the failed
  // drain.
  ended.catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
  return {
    notify: dispatcher.notify,
    async stop() {
      environment.cancel('WORKER_SHUTDOWN');
      await ended;
    },
  };
}

export async function addBenchService(url: string): Promise<string> {
  const at = new Date();
  const service = newId();
  const fields = {
    ...{ _id: service, organization: newId(), name: 'bench', type: 'webhook' as const, params: { url } },
    ...{ status: 'active' as const, createdAt: at, updatedAt: at },
  };
  await serviceModel.create([fields]);
  return service;
}

/** Events to queue: `count` sequences from `first` on in each conversation. */
export interface Queued {
  conversations: readonly string[];
  first?: number;
  count?: number;
  /** As in the product: `patient` for a service that is known to fail. */
  pace?: Pace;
}

/** Queues events for a service and returns the rows. */
export async function queueEvents(
  service: string,
  { conversations, first = 1, count = 1, pace = 'prompt' }: Queued,
): Promise<DeliveryRow[]> {
  const rows = Array.from({ length: count * conversations.length }, (_, at): DeliveryRow => {
    const conversation = conversations[at % conversations.length] ?? '';
    const sequence = first + Math.floor(at / conversations.length);
    const eventId = `${conversation}-${sequence}`;
    return {
      ...{
        _id: `${eventId}:${service}`,
        event: 'message.create.contact.chat',
        eventId,
        service,
        conversation,
      },
      ...{ organization: 'o', lane: `${service}:${conversation}`, shard: computeShard(service, SHARDS) },
      ...{ pace, sequence, status: 'pending', attempts: [] },
      body: JSON.stringify({ id: eventId, data: 'x'.repeat(1_500) }),
      createdAt: new Date().toISOString(),
    };
  });
  for (let at = 0; at < rows.length; at += 1_000) await insertDeliveries(rows.slice(at, at + 1_000));
  return rows;
}

export function newConversations(count: number): string[] {
  return Array.from({ length: count }, newId);
}
