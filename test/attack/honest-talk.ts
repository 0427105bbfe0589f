import { expect } from 'vitest';
import { newUser } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { pace } from './neighbour.ts';
import type { Sent } from './neighbour.ts';

const EVERY_MS = 100;

/**
 * Somebody in an organization of their own who talks in one conversation, whatever happens next
 * door.
 */
export interface HonestTalk {
  /** Posts ten times a second; answers what became of each. */
  goOn: (forMs: number) => Promise<Sent[]>;
  /** Asserts that all that was answered with 201 is stored once, in order and without gaps. */
  expectNothingLost: () => Promise<void>;
}

export async function startTalk(product: Product): Promise<HonestTalk> {
  const { body: own } = await product.admin.post('/organizations', { name: 'Honest' });
  const agent = await newUser(product, { role: 'agent', organization: own.id });
  const { id } = (await agent.post('/conversations', {})).body;
  const promised = new Map<string, number>();
  let said = 0;
  return {
    goOn: (forMs) =>
      pace(
        async () => {
          const text = `line ${(said += 1)}`;
          const answer = await agent.post('/messages', { conversation: id, text });
          if (answer.status === 201) promised.set(text, answer.body.sequence);
          return answer;
        },
        { everyMs: EVERY_MS, forMs },
      ),
    async expectNothingLost() {
      const stored: { text: string; sequence: number }[] = [];
      for (let more = true; more;) {
        const page = await product.admin.get(
          `/messages?conversation=${id}&sort=sequence&limit=1000&select=text,sequence&sequence=>${stored.length}`,
        );
        stored.push(...page.body);
        more = page.body.length === 1000;
      }
      expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, at) => at + 1));
      expect(new Map(stored.map(({ text, sequence }) => [text, sequence]))).toEqual(promised);
    },
  };
}
