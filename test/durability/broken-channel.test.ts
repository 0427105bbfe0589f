import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newChannel, newEntry, findConversation } from '../support/channels.ts';
import type { TestChannel } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { sharedApi } from '../support/shared-servers.ts';

const CONVERSATIONS = 100;
const EACH = 10;
/** The adapter rejects the secret after this many messages. */
const TAKEN_FIRST = 300;
/** The thousand messages share the machine with the kills of other files. */
const LONG = { timeout: 900_000 };
const WITHIN = { withinMs: 300_000, everyMs: 200 };

interface Sent {
  id: string;
  data: { recipient: { id: string }; message: { text: string } };
}

/** Spec 15.5. */
describe('a channel whose adapter rejects the secret while 1,000 messages are pending', () => {
  let product: Product;
  let admin: ApiClient;
  let channel: TestChannel;
  /** Texts that the adapter took, by recipient. */
  const taken = new Map<string, string[]>();
  const events = new Set<string>();
  let isMended = false;

  beforeAll(async () => {
    product = await sharedApi('broken_channel');
    ({ admin } = product);
    channel = await newChannel(admin);
    channel.adapter.behave((response, request) => {
      if (request.method === 'GET') return void response.end();
      const { id: event, data } = JSON.parse(request.body) as Sent;
      // A delivery may be repeated.
      if (events.has(event)) return void response.writeHead(200).end();
      if (!isMended && countTaken() >= TAKEN_FIRST) return void response.writeHead(401).end();
      const { id } = data.recipient;
      events.add(event);
      taken.set(id, [...(taken.get(id) ?? []), data.message.text]);
      response.writeHead(200).end();
    });
  });
  afterAll(async () => {
    await channel.close();
    await product.close();
  });

  const countTaken = () => [...taken.values()].flat().length;
  const count = async (query: string) =>
    Number(
      (await admin.get(`/deliveries?service=${channel.service}&limit=1&${query}`)).headers.get('x-total'),
    );
  const statusOf = async () => (await admin.get(`/services/${channel.service}`)).body.status as string;

  test(
    'the messages wait, no message is given up, and each arrives once and in order after a change of the params',
    LONG,
    async () => {
      const senders = Array.from({ length: CONVERSATIONS }, (_, n) => `+31648${100_000 + n}`);
      await channel.receive(senders.map((from) => newEntry(from, 'Hello')));
      const texts = Array.from({ length: EACH }, (_, n) => `reply ${n + 1}`);
      for (const from of senders) {
        const conversation = await findConversation(admin, from);
        const messages = texts.map((text) => ({ conversation, text, role: 'agent' }));
        expect((await admin.post('/messages', messages)).status).toBe(201);
      }
      await eventually(async () => (await statusOf()) === 'failed', WITHIN);
      const total = CONVERSATIONS * EACH;
      // The entries of the senders are delivered, too.
      const isLogged = async () => (await count('status=delivered')) === CONVERSATIONS + countTaken();
      await eventually(isLogged, WITHIN);
      expect(countTaken()).toBe(TAKEN_FIRST);
      expect([await count('status=failed'), await count('status=pending')]).toEqual([0, total - TAKEN_FIRST]);

      isMended = true;
      const { params } = channel;
      const changed = await admin.request('PATCH', `/services/${channel.service}`, { params });
      await untilActive(admin, changed);
      await eventually(() => countTaken() >= total, WITHIN);
      await eventually(isLogged, WITHIN);
      expect(taken.size).toBe(CONVERSATIONS);
      for (const got of taken.values()) expect(got).toEqual(texts);
    },
  );
});
