import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { listen } from '../support/stream.ts';
import type { StreamListener } from '../support/stream.ts';

let product: Product;
let second: { base: string };
const listeners: StreamListener[] = [];

beforeAll(async () => {
  product = await sharedApi('change_stream');
  second = await secondSharedApi();
});
afterAll(async () => {
  await Promise.all(listeners.map((one) => one.close()));
  await product.close();
});

async function hear(base = product.base, token = product.token): Promise<StreamListener> {
  const listener = await listen(`${base}/conversations/stream`, { token });
  listeners.push(listener);
  return listener;
}

async function newConversation(fields: object = {}): Promise<string> {
  return (await product.admin.post('/conversations', { type: 'contact', ...fields })).body.id as string;
}

/** Returns the number of events about a conversation that a listener has received. */
const timesOf = ({ heard }: StreamListener, id: string) =>
  heard.filter(({ event, data }) => event === 'conversation' && data.id === id).length;

/** Spec 5.12. */
describe('the stream of changed conversations', () => {
  test('the stream of changed conversations sends each new conversation and each change once, at any process', async () => {
    const there = await newConversation();
    const here = await hear();
    const elsewhere = await hear(second.base);
    expect(here.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const made = await newConversation();
    for (const listener of [here, elsewhere]) {
      const { data } = await listener.until(({ data: told }) => told.id === made);
      const time = expect.stringMatching(/Z$/) as string;
      expect(data).toEqual({ id: made, updatedAt: time, lastMessageAt: time });
    }
    const before = timesOf(here, there);
    await product.admin.post(`/conversations/${there}/messages`, { text: 'Hello' });
    await eventually(() => Promise.resolve(timesOf(here, there) === before + 1));
    // Events arrive in order, so no duplicate of an earlier event can arrive after this event.
    const last = await newConversation();
    await here.until(({ data }) => data.id === last);
    expect([timesOf(here, there), timesOf(here, made)]).toEqual([before + 1, 1]);
  });

  test('the stream of changed conversations covers descendants of the organization of the caller, but no sibling or ancestor', async () => {
    const [mine, beside] = await Promise.all(
      ['mine', 'beside'].map(async (name) => {
        const { body } = await product.admin.post('/organizations', { name });
        return body.id as string;
      }),
    );
    const below = await product.admin.post('/organizations', { name: 'below', parent: mine });
    const agent = await newUser(product, { role: 'agent', organization: mine });
    const listener = await hear(product.base, agent.token);
    const others = [await newConversation(), await newConversation({ organization: beside })];
    const own = await newConversation({ organization: below.body.id });
    await listener.until(({ data }) => data.id === own);
    expect(others.map((id) => timesOf(listener, id))).toEqual([0, 0]);
  });

  test('the stream of changed conversations rejects guests and parameters, and closes when the access of the caller ends', async () => {
    const guest = await newUser(product, { role: 'viewer' });
    expect((await guest.get('/conversations/stream')).status).toBe(403);
    expect((await product.admin.get('/conversations/stream?after=1')).body.code).toBe('invalid_request');
    const agent = await newUser(product, { role: 'agent' });
    const listener = await hear(product.base, agent.token);
    expect(listener.status).toBe(200);
    await product.admin.request('DELETE', `/users/${agent.user}`);
    await listener.ended;
  });
});
