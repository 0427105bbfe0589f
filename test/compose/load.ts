import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { arrivals } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import type { Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';

const WRITERS = 3;
const PAUSE_MS = 50;
const PAGE = 1_000;

interface Posted {
  id: string;
  sequence: number;
}

interface Told {
  id: string;
}

/**
 * Registers a webhook for all messages of the organization and creates a conversation for each
 * writer. Returns functions that start the writers and check the acknowledged messages.
 */
export async function newLoad({ admin }: Pick<Product, 'admin'>, receiver: Receiver) {
  const acknowledged = new Map<string, Posted[]>();
  const params = { url: receiver.url, events: ['message.create.*'] };
  const service = await admin.post('/services', { name: 'load', type: 'webhook', params });
  await untilActive(admin, service);
  for (let n = 0; n < WRITERS; n++) acknowledged.set((await admin.post('/conversations', {})).body.id, []);

  const count = () => [...acknowledged.values()].flat().length;
  const ids = () => [...acknowledged.values()].flat().map(({ id }) => `${id}-1`);
  const told = () => arrivals(receiver).map(({ json }) => (json as Told).id);

  /**
   * Posts each message with an idempotency key until it is acknowledged. `failed` has all other
   * responses.
   */
  function start() {
    const done = new AbortController();
    const failed: unknown[] = [];
    const write = async (conversation: string, messages: Posted[]) => {
      while (!done.signal.aborted) {
        const body = { conversation, text: `${messages.length}`, role: 'agent' };
        const key = { 'Idempotency-Key': `${conversation}-${messages.length}` };
        const answer = await admin.post('/messages', body, key).catch(String);
        if (typeof answer !== 'string' && answer.status === 201) messages.push(answer.body as Posted);
        else failed.push(answer);
        await wait(PAUSE_MS);
      }
    };
    const writing = [...acknowledged].map(([id, messages]) => write(id, messages));
    return {
      failed,
      async end() {
        done.abort();
        await Promise.all(writing);
      },
    };
  }

  async function stored(conversation: string): Promise<string[]> {
    const all: string[] = [];
    for (;;) {
      const query = `conversation=${conversation}&sort=sequence&sequence=>${all.length}&limit=${PAGE}`;
      const { body } = await admin.get(`/messages?${query}`);
      all.push(...(body as Told[]).map(({ id }) => id));
      if (body.length < PAGE) return all;
    }
  }

  return {
    start,
    count,
    /** Returns the number of repeated arrivals of events. */
    doubles: () => told().length - new Set(told()).size,
    /** Waits until more than `more` further messages are acknowledged. */
    async progress(more = WRITERS) {
      const wanted = count() + more;
      await eventually(() => count() >= wanted, { withinMs: 180_000 });
    },
    /**
     * Asserts that acknowledged messages are stored once, in order, without gaps, and delivered.
     */
    async expectAllKept(): Promise<void> {
      for (const [conversation, messages] of acknowledged) {
        expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, at) => at + 1));
        expect(await stored(conversation)).toEqual(messages.map(({ id }) => id));
      }
      const missing = () => {
        const here = new Set(told());
        return ids().filter((id) => !here.has(id));
      };
      await eventually(() => missing().length === 0, { withinMs: 120_000 });
    },
  };
}
export type Load = Awaited<ReturnType<typeof newLoad>>;
