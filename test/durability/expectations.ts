import { expect } from 'vitest';
import { firstArrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/product.ts';
import type { Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';
import type { Component, Started } from '../support/launcher.ts';
import type { Acknowledged, Writer } from './writers.ts';

const LONG = { withinMs: 180_000 };

export async function signedIn(product: Started): Promise<ApiClient> {
  const base = `${product.origin}/v2`;
  const { token } = await signIn(base, { email: 'admin@parlance.local', password: await product.password() });
  return client(base, token);
}

/** Registers a webhook, waits for its verification and returns the id of the service. */
export async function registerWebhook(
  admin: ApiClient,
  params: { url: string; events: string[] },
  name = 'webhook',
): Promise<string> {
  const made = await admin.post('/services', { name, type: 'webhook', params });
  expect(made.status).toBe(201);
  return (await untilActive(admin, made)).id as string;
}

/** Sends a signal to a component. Waits while the component is being restarted. */
export async function signal(product: Started, component: Component, name: NodeJS.Signals): Promise<void> {
  await eventually(async () => process.kill(await product.readPid(component), name), LONG);
}

/**
 * Waits until every writer gets an acknowledgement of a message that the writer sent after the
 * call.
 */
export async function everyoneGoesOn(writers: { acknowledged: readonly unknown[] }[]): Promise<void> {
  const before = writers.map(({ acknowledged }) => acknowledged.length);
  await eventually(() => {
    const counts = writers.map(({ acknowledged }, n) => acknowledged.length - (before[n] ?? 0));
    if (counts.some((count) => count < 2)) throw new Error(`acknowledged since: ${counts.join(' ')}`);
    return true;
  }, LONG);
}

/**
 * Asserts that every acknowledged message is stored once with the sequence of its response, and
 * that no other message is stored.
 */
export async function expectAllThere(api: ApiClient, { conversation, acknowledged }: Writer): Promise<void> {
  const stored = await allMessages(api, conversation);
  expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, n) => n + 1));
  // Each text is stored once, in the order of the posts, with the sequence of its response.
  expect(stored.map(({ id, sequence, text }) => ({ id, sequence, text }))).toEqual(acknowledged);
}

/** Asserts that a receiver got every acknowledged message in order. Repeats are allowed. */
export async function expectDelivered(
  receiver: Receiver,
  { conversation, acknowledged }: Writer,
): Promise<void> {
  const delivered = () =>
    firstArrivals(receiver)
      .map(({ json }) => json.data.message)
      .filter((message) => message.conversation === conversation)
      .map(({ id, sequence, text }): Acknowledged => ({ id, sequence, text }));
  await eventually(() => delivered().length >= acknowledged.length, { ...LONG, everyMs: 250 });
  expect(delivered()).toEqual(acknowledged);
}

const PAGE = 1_000;

/** Returns all messages by sequence. */
export async function allMessages(api: ApiClient, conversation: string): Promise<Acknowledged[]> {
  const found: Acknowledged[] = [];
  for (;;) {
    const after = found.at(-1)?.sequence ?? 0;
    const path = `/messages?conversation=${conversation}&sequence=>${after}&sort=sequence&limit=${PAGE}`;
    const page = await eventually(async () => {
      const { status, body } = await api.get(path);
      return status === 200 && (body as Acknowledged[]);
    }, LONG);
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}
