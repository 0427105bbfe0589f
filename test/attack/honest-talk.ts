import { expect } from 'vitest';
import { createConversation } from '../support/client.ts';
import { newUser } from '../support/shared-servers.ts';
import type { OwnProduct } from '../support/product.ts';
import type { Ask, Neighbour } from './neighbour.ts';

/** Milliseconds between two posts in the load run (`npm run test:load`). */
const EVERY_MS = 100;

/** An agent in a separate organization who posts to one conversation. */
export interface HonestTalk extends Neighbour {
  /** Asserts that each post with status 201 is stored once, in order and without gaps. */
  expectNothingLost: () => Promise<void>;
}

export async function startTalk(product: OwnProduct): Promise<HonestTalk> {
  const { body: own } = await product.admin.post('/organizations', { name: 'Honest' });
  const agent = await newUser(product, { role: 'agent', organization: own.id });
  const id = await createConversation(agent);
  const promised = new Map<string, number>();
  let count = 0;
  const post: Ask = async () => {
    const text = `line ${(count += 1)}`;
    const answer = await agent.post('/messages', { conversation: id, text });
    if (answer.status === 201) promised.set(text, answer.body.sequence);
    return answer;
  };
  return {
    requests: { posts: post },
    pids: () => [product.api.pid, product.worker.pid],
    everyMs: EVERY_MS,
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
