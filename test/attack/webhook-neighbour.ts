import { expect } from 'vitest';
import { newUser } from '../support/shared-servers.ts';
import { arrivals } from '../support/arrivals.ts';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import { expectInTime, quantile } from './neighbour.ts';

/** Somebody honest in an organization of their own, with one webhook that answers at once. */
export interface Neighbour {
  /**
   * Posts so many messages one after the other, each when the one before it has arrived; answers
   * how long each took from its post to its arrival, in milliseconds.
   */
  measure: (count: number) => Promise<number[]>;
  /** Asserts that everything arrived that was acknowledged, in order. */
  expectAllThere: () => Promise<void>;
  close: () => Promise<void>;
}

export interface Attacker {
  organization: string;
  admin: Client;
}

/** An organization with an admin of its own. */
export async function newTenant(product: Product, name: string): Promise<Attacker> {
  const { body } = await product.admin.post('/organizations', { name });
  return { organization: body.id, admin: await newUser(product, { role: 'admin', organization: body.id }) };
}

export async function startNeighbour(product: Product): Promise<Neighbour> {
  const { organization, admin } = await newTenant(product, 'Honest');
  const receiver = await startReceiver();
  const service = await admin.post('/services', {
    ...{ name: 'honest', type: 'webhook', organization },
    params: { url: receiver.url, events: ['message.create.*'] },
  });
  expect(service.body.status).toBe('active');
  const conversation = (await admin.post('/conversations', { name: 'honest', organization })).body.id;
  let said = 0;
  const arrived = () => arrivals(receiver).map(({ json }) => Number(json.data.message.text));
  return {
    async measure(count) {
      const took: number[] = [];
      for (let at = 0; at < count; at += 1) {
        const text = String(++said);
        const startedAt = performance.now();
        const { status } = await admin.post('/messages', { conversation, text });
        expect(status).toBe(201);
        await eventually(() => arrived().includes(said), { withinMs: 60_000, everyMs: 2 });
        const arrival = arrivals(receiver).find(({ json }) => json.data.message.text === text);
        took.push(arrival!.at - startedAt);
      }
      return took;
    },
    async expectAllThere() {
      await eventually(() => arrived().length >= said);
      expect([...new Set(arrived())]).toEqual(Array.from({ length: said }, (_, at) => at + 1));
    },
    close: receiver.close,
  };
}

/** Asserts what everybody is promised beside an attacker, and says the figures. */
export function expectUndisturbed(what: string, took: readonly number[], quiet: readonly number[]): void {
  const [p99, quietP99] = [quantile(took, 0.99), quantile(quiet, 0.99)];
  console.log(`${what}: slowest ${slowest(took)}; p99 ${p99.toFixed(0)} ms, quiet ${quietP99.toFixed(0)} ms`);
  expectInTime(took, quiet);
}

function slowest(values: readonly number[]): string {
  const found = [...values.entries()].sort(([, a], [, b]) => b - a).slice(0, 3);
  return found.map(([at, ms]) => `${ms.toFixed(0)} ms (number ${at + 1})`).join(', ');
}
