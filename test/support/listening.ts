import { expect } from 'vitest';
import { firstArrivals } from './arrivals.ts';
import type { ApiClient } from './client.ts';
import type { Behaviour, Receiver } from './receiver.ts';
import { untilActive } from './services.ts';

export const MESSAGES = ['message.create.*'];

/**
 * Creates the behaviour of a receiver that accepts deliveries. The receiver responds to
 * verifications only when the test releases them.
 */
export function verifiedWhenTold() {
  const asked: (() => void)[] = [];
  const behaviour: Behaviour = (response, { method }) => {
    if (method === 'POST') response.writeHead(200).end();
    else asked.push(() => response.writeHead(200).end());
  };
  return { behaviour, asked, tell: () => asked.splice(0).forEach((yes) => yes()) };
}

/** Creates an active webhook service and returns it. */
export async function createWebhook(admin: ApiClient, params: object, fields: object = {}): Promise<any> {
  const service = { name: 'listener', type: 'webhook', ...fields, params };
  return untilActive(admin, await admin.post('/services', service));
}

/**
 * Returns helpers that use an admin's client. They manage services that subscribe to messages, and
 * conversations.
 */
export function listening(admin: () => ApiClient) {
  const patch = (id: string, body: object) => admin().request('PATCH', `/services/${id}`, body);
  return {
    patch,
    register: (url: string, fields: object = {}): Promise<any> =>
      createWebhook(admin(), { url, events: MESSAGES }, fields),
    move: (id: string, url: string) => patch(id, { params: { url, events: MESSAGES } }),
    remove: (id: string) => admin().request('DELETE', `/services/${id}`),
    newConversation: async (): Promise<string> => {
      return (await admin().post('/conversations', { name: 'a talk' })).body.id;
    },
    say: async (conversation: string, ...texts: string[]): Promise<void> => {
      for (const text of texts) {
        expect((await admin().post('/messages', { conversation, text })).status).toBe(201);
      }
    },
    findDeliveries: async (service: string): Promise<any[]> => {
      return (await admin().get(`/deliveries?service=${service}&sort=sequence`)).body;
    },
  };
}

/**
 * Returns the texts of the messages delivered to a receiver, in order of arrival. Ignores repeated
 * deliveries.
 */
export function textsAt(receiver: Receiver): string[] {
  return firstArrivals(receiver).map(({ json }) => json.data.message.text);
}
