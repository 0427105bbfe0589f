import { expect } from 'vitest';
import { createConversation } from '../support/client.ts';
import { newUser } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { arrivals, hasArrived } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import type { OwnProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';
import { describeSent, expectUnharmed, measureRequest } from './neighbour.ts';
import type { Ask, Neighbour, Sent } from './neighbour.ts';

const WITHIN = { withinMs: 90_000, everyMs: LOAD_MINUTES > 0 ? 2 : 10 };
/** Milliseconds between two posts in the load run (`npm run test:load`). */
const EVERY_MS = 100;

/** An honest organization with one webhook that responds at once. */
export interface WebhookNeighbour extends Neighbour {
  /**
   * Posts messages in sequence: each post waits for the arrival of the previous message. Measures
   * the time from each post to the arrival of its message.
   */
  measure: (count: number) => Promise<Sent[]>;
  expectAllThere: () => Promise<void>;
  close: () => Promise<void>;
}

export interface Attacker {
  organization: string;
  admin: KeyHolder;
}

export async function newTenant(product: OwnProduct, name: string): Promise<Attacker> {
  const { body } = await product.admin.post('/organizations', { name });
  return { organization: body.id, admin: await newUser(product, { role: 'admin', organization: body.id }) };
}

/** Starts the neighbour. `pids` are the processes whose CPU time counts. */
export async function startNeighbour(
  product: OwnProduct,
  pids: () => number[] = () => [product.api.pid, product.worker.pid],
): Promise<WebhookNeighbour> {
  const { organization, admin } = await newTenant(product, 'Honest');
  const receiver = await startReceiver();
  const service = await admin.post('/services', {
    ...{ name: 'honest', type: 'webhook', organization },
    params: { url: receiver.url, events: ['message.create.*'] },
  });
  await untilActive(admin, service);
  const conversation = await createConversation(admin, { name: 'honest', organization });
  let count = 0;
  const arrived = () => arrivals(receiver).map(({ json }) => Number(json.data.message.text));
  const deliver: Ask = async () => {
    const number = (count += 1);
    const answer = await admin.post('/messages', { conversation, text: String(number) });
    expect(answer.status).toBe(201);
    await eventually(() => hasArrived(receiver, String(number)), WITHIN);
    return answer;
  };
  return {
    requests: { deliveries: deliver },
    pids,
    everyMs: EVERY_MS,
    async measure(times) {
      const sent: Sent[] = [];
      for (let at = 0; at < times; at += 1) sent.push(await measureRequest(() => deliver(at), pids));
      return sent;
    },
    async expectAllThere() {
      await eventually(() => arrived().length >= count, WITHIN);
      expect([...new Set(arrived())]).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    },
    close: receiver.close,
  };
}

/** Asserts that deliveries of a neighbour are unharmed during an attack, and logs the figures. */
export function expectUndisturbed(what: string, sent: readonly Sent[], quiet: readonly Sent[]): void {
  console.log(`${what}: quiet ${describeSent(quiet)}; during ${describeSent(sent)}`);
  expectUnharmed(sent, quiet);
}
