import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import type { ApiClient } from './client.ts';
import { startReceiver } from './receiver.ts';
import type { Received, Receiver } from './receiver.ts';
import { untilActive } from './services.ts';

/** A channel of type `api` whose adapter is a receiver. */
export interface TestChannel {
  service: string;
  secret: string;
  adapter: Receiver;
  params: { url: string; secret: string; touchpoint: string };
  /** Posts entries to the channel's inbound address. */
  receive: (entries: object[], by?: Pick<ApiClient, 'post'>) => ReturnType<ApiClient['post']>;
  report: (receipts: object[]) => ReturnType<ApiClient['post']>;
  /** Returns the conversation of a new contact who has written by the channel. */
  begin: (from: string) => Promise<string>;
  /** Requests for messages that the adapter got so far, with repetitions. */
  sent: () => Received[];
  /** Removes the service and stops the adapter. */
  close: () => Promise<void>;
}

export async function newChannel(
  admin: ApiClient,
  { organization }: { organization?: string } = {},
): Promise<TestChannel> {
  const adapter = await startReceiver();
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const params = { url: adapter.url, secret, touchpoint: 'sms' };
  const made = await admin.post('/services', {
    ...{ name: 'SMS by an adapter', type: 'api', params },
    ...(organization === undefined ? {} : { organization }),
  });
  const { id: service } = (await untilActive(admin, made)) as { id: string };
  const receive = (entries: object[], by: Pick<ApiClient, 'post'> = admin) =>
    by.post(`/services/${service}/inbound`, { entries });
  return {
    ...{ service, secret, adapter, params, receive },
    report: (receipts) => admin.post(`/services/${service}/receipts`, { receipts }),
    async begin(from) {
      expect((await receive([newEntry(from, 'Hello')])).status).toBe(202);
      return findConversation(admin, from);
    },
    sent: () => adapter.received.filter(({ method }) => method === 'POST'),
    async close() {
      await admin.request('DELETE', `/services/${service}`);
      await adapter.close();
    },
  };
}

export function newEntry(from: string, text: string, id: string = randomUUID()) {
  return { id, from: { id: from, telephone: from }, messages: [{ text }] };
}

/**
 * Waits for the conversation of the contact with a telephone or an email, and for its first
 * message.
 */
export async function findConversation(admin: ApiClient, address: string): Promise<string> {
  const field = address.includes('@') ? 'email' : 'telephone';
  return eventually(async () => {
    const { body } = await admin.get(`/contacts?profile.${field}=${encodeURIComponent(address)}`);
    const conversation = (body as { conversation?: string }[])[0]?.conversation;
    if (conversation === undefined) return null;
    const messages = await admin.get(`/messages?conversation=${conversation}&limit=1`);
    return messages.body.length > 0 && conversation;
  });
}

export function textOf({ body }: Received): string {
  return JSON.parse(body).data.message.text as string;
}

/** Waits until a message has a delivery status, and returns the message. */
export function untilDelivery(admin: ApiClient, message: string, status: string): Promise<any> {
  return eventually(async () => {
    const { body } = await admin.get(`/messages/${message}`);
    return body.delivery?.status === status && body;
  });
}
