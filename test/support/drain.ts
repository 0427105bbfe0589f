import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { ReplyDeps } from '../../deliveries/attempt.ts';
import { Dispatcher } from '../../deliveries/dispatcher.ts';
import type { NotifyDeliveries } from '../../deliveries/dispatcher.ts';
import { createDrainDeliveries } from '../../activities/drain-deliveries.ts';
import { createEncryption } from '../../application/posting/encryption.ts';
import { createAuthority } from '../../application/auth/authority.ts';
import { computeShard } from '../../domain/delivery/delivery.ts';
import type { DeliveryRow } from '../../domain/delivery/delivery.ts';
import { deliveryModel, insertDeliveries } from '../../store/delivery/deliveries.ts';
import type { DeliveryDocument } from '../../store/delivery/deliveries.ts';
import { newId } from '../../store/queries/identifier.ts';
import { serviceModel } from '../../store/delivery/services.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import { createWebhookClient } from '../../deliveries/http/client.ts';

export const SHARDS = 4;

/** The drain of a worker: the activities that send its deliveries. */
export interface RunningDrain {
  notify: NotifyDeliveries;
  /** Resolves when all activities of the drain have returned. Rejects if an activity rejects. */
  ended: Promise<unknown>;
  /** Stops the drain as the shutdown of a worker does. Resolves when all activities have ended. */
  stop: () => Promise<void>;
}

interface DrainOptions {
  identity?: string;
  retrySeconds?: number[];
  timeoutMs?: number;
  allowedNetworks?: string[];
  /**
   * Authenticates the token in a receiver's reply and posts the reply. If absent, every reply is
   * refused, because no token is valid.
   */
  posting?: ReplyDeps;
}

const notExpected = () => Promise.reject(new Error('not expected'));

const nobodyPosts: ReplyDeps = {
  authority: createAuthority('a secret of nobody, which signs no token at all'),
  posting: {
    config: {
      publicUrl: 'http://localhost:3000',
      deliveryShards: SHARDS,

      serviceProviders: ['provider_1'],
      touchpointCodes: { socialMessenger: 'facebook', chatApp: 'whatsapp' },
    },
    conversations: {
      post: notExpected,
      amend: notExpected,
      edit: notExpected,
      remove: notExpected,
      erase: notExpected,
      refresh: notExpected,
    },
  },
};

const noFile = () => Promise.reject(new Error('no file is expected'));
const NO_FILES = {
  files: { place: 'gridfs', write: noFile, read: noFile, remove: noFile },
  quotaBytes: Infinity,
} as const;

/**
 * Creates the drain activity, and returns it with the dispatcher and the webhook client that it
 * uses.
 */
export function createTestDrain({
  identity = randomUUID(),
  retrySeconds = [0.1, 0.2],
  timeoutMs = 10_000,
  allowedNetworks = ['127.0.0.0/8'],
  posting,
}: DrainOptions = {}) {
  const webhooks = createWebhookClient({ timeoutMs, allowedNetworks, version: '0.0.0' });
  const dispatcher = new Dispatcher({
    ...(posting ?? nobodyPosts),
    publicUrl: 'http://localhost:3000',
    deliveryShards: SHARDS,
    identity,
    webhooks,
    webhookRetrySeconds: retrySeconds,
    secrets: createEncryption('a secret of the tests for the secrets of channels'),
    ...NO_FILES,
    mailDomain: undefined,
    log: { warn: () => undefined },
  });
  const activities = createDrainDeliveries({ dispatcher, searchAttributes: [] });
  return { activities, dispatcher, webhooks };
}

/** Runs the drain activity of all shards like a worker, without a Temporal server. */
export function startDrain(options: DrainOptions = {}): RunningDrain {
  const { activities, dispatcher, webhooks } = createTestDrain(options);
  const environment = new MockActivityEnvironment();
  const shards = [...Array(SHARDS).keys()];
  const runs = shards.map((shard) => environment.run(() => activities.drainDeliveries({ shard })));
  const ended = Promise.all(runs);
  // An activity rejects if it is stopped while it waits for its shard.
  ended.catch(() => undefined);
  return {
    notify: dispatcher.notify,
    ended,
    async stop() {
      environment.cancel('WORKER_SHUTDOWN');
      await Promise.allSettled(runs);
      await webhooks.close();
    },
  };
}

export async function addService(
  url: string,
  fields: Partial<ServiceDocument> = {},
): Promise<ServiceDocument> {
  const at = new Date();
  const service: ServiceDocument = {
    _id: newId(),
    organization: newId(),
    name: 'a webhook',
    type: 'webhook',
    params: { url },
    status: 'active',
    createdAt: at,
    updatedAt: at,
    ...fields,
  };
  await serviceModel.create([service]);
  return service;
}

export async function loadService(id: string): Promise<ServiceDocument | null> {
  return serviceModel.findById(id).lean<ServiceDocument>();
}

/**
 * Returns rows as the commit of a conversation stores them: `count` events, starting at the
 * sequence `first`.
 */
export function rowsFor(
  service: string,
  { conversation = newId(), first = 1, count = 1 } = {},
): DeliveryRow[] {
  return Array.from({ length: count }, (_, at) => {
    const sequence = first + at;
    const event = `${conversation}-${sequence}`;
    return {
      _id: `${event}:${service}`,
      event: 'message.create.contact.chat',
      eventId: event,
      service,
      organization: 'o'.repeat(24),
      conversation,
      lane: `${service}:${conversation}`,
      shard: computeShard(service, SHARDS),
      pace: 'prompt',
      sequence,
      status: 'pending',
      body: JSON.stringify({ id: event, conversation, sequence }),
      createdAt: new Date().toISOString(),
      attempts: [],
    };
  });
}

/** Stores events of one conversation as deliveries to a service, and returns the rows. */
export async function queue(
  service: string,
  options: Parameters<typeof rowsFor>[1] = {},
): Promise<DeliveryRow[]> {
  const rows = rowsFor(service, options);
  await insertDeliveries(rows);
  return rows;
}

export async function findDeliveries(service: string): Promise<DeliveryDocument[]> {
  return deliveryModel.find({ service }).sort({ conversation: 1, sequence: 1 }).lean<DeliveryDocument[]>();
}

/** Returns the statuses of a service's deliveries, ordered by conversation and sequence. */
export async function findStatuses(service: string): Promise<string[]> {
  return (await findDeliveries(service)).map(({ status }) => status);
}
