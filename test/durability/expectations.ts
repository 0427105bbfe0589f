import { expect } from 'vitest';
import { client } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/product.ts';
import type { Started } from '../support/launcher.ts';
import type { Acknowledged, Writer } from './writers.ts';

/** The first admin. */
export async function signedIn(product: Started): Promise<Client> {
  const base = `${product.origin}/v2`;
  const { token } = await signIn(base, { email: 'admin@parlance.local', password: await product.password() });
  return client(base, token);
}

/**
 * Ready again by itself: every writer gets an acknowledgement for something that it sent after now.
 */
export async function everyoneGoesOn(writers: Writer[]): Promise<void> {
  const before = writers.map(({ acknowledged }) => acknowledged.length);
  await eventually(
    () => writers.every(({ acknowledged }, n) => acknowledged.length >= (before[n] ?? 0) + 2),
    { withinMs: 60_000 },
  );
}

/**
 * All that was acknowledged is stored once, under the number that was answered, and nothing else
 * is.
 */
export async function expectAllThere(api: Client, { conversation, acknowledged }: Writer): Promise<void> {
  const stored = await allMessages(api, conversation);
  expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, n) => n + 1));
  // Each text once: nothing doubled by a retry, nothing lost; numbers as they were answered; in the
  // order they were posted.
  expect(stored.map(({ id, sequence, text }) => ({ id, sequence, text }))).toEqual(acknowledged);
}

async function allMessages(api: Client, conversation: string): Promise<Acknowledged[]> {
  const pages = await Promise.all(
    [0, 1000].map((offset) =>
      api.get(`/messages?conversation=${conversation}&sort=sequence&limit=1000&offset=${offset}`),
    ),
  );
  return pages.flatMap(({ body }) => body as Acknowledged[]);
}
