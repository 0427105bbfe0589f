import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newUser, startApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { attackMs, expectUnharmed, pace, told } from './neighbour.ts';
import type { Sent } from './neighbour.ts';

const DATABASE = 'expensive_lists';
const SHORT_TEXTS = 40_000;
const LONG_TEXTS = 300;
const UNDER_WAY = 20;
const START = Date.UTC(2026, 0, 1);

/**
 * Lists that no index serves, patterns that are hard on the texts there are, and pages as large as
 * they may be.
 */
const EXPENSIVE = [
  'type=chat&text=~([a-z]%2B )%2Bx$&limit=1000',
  'type=chat&sort=-meta.n,text&limit=1000',
  'type=chat&text,slug=nothing.*here',
  'type=chat&text=!=x&sort=text&limit=1000&populate=conversation,organization',
  'role=contact&meta.n=~^x&limit=1000',
  'type=chat&limit=1000&offset=1000&sort=updatedAt',
  'type=card&text=~[ab]*a[ab]{40}[cd]',
  'type=card&limit=300',
];

/** What one sees who posts and reads. */
interface Seen {
  posts: Sent[];
  reads: Sent[];
}

describe('a flood of expensive lists', () => {
  let product: Product;
  let attacker: KeyHolder;
  let neighbour: KeyHolder;
  let conversation: string;

  beforeAll(async () => {
    product = await startApi(DATABASE);
    const [attacked, honest] = await Promise.all(['A', 'B'].map(organization));
    attacker = await newUser(product, { role: 'bot', organization: attacked });
    neighbour = await newUser(product, { role: 'bot', organization: honest });
    conversation = (await product.admin.post('/conversations', { organization: honest })).body.id;
    await fill(attacked!, (await product.admin.post('/conversations', { organization: attacked })).body.id);
  });
  afterAll(() => product.close());

  async function organization(name: string): Promise<string> {
    return (await product.admin.post('/organizations', { name })).body.id;
  }

  /**
   * Messages of the attacker's, stored as the product stores them: to post so many would take
   * minutes.
   */
  async function fill(owner: string, theirs: string): Promise<void> {
    const mongo = await MongoClient.connect(inject('mongodbUri'));
    const messages = mongo.db(DATABASE).collection<{ _id: string }>('messages');
    for (let at = 0; at < SHORT_TEXTS + LONG_TEXTS; at += 100) {
      const some = Array.from({ length: 100 }, (_, n) => message(at + n, { owner, theirs }));
      await messages.insertMany(some);
    }
    await mongo.close();
  }

  function message(at: number, { owner, theirs }: { owner: string; theirs: string }) {
    const isLong = at >= SHORT_TEXTS;
    const time = new Date(START + ((at * 7919) % SHORT_TEXTS) * 1000);
    const random = () => (Math.random() < 0.5 ? 'a' : 'b');
    return {
      ...{ _id: at.toString(16).padStart(24, '0'), organization: owner, conversation: theirs },
      ...{ conversationSlug: 's', slug: `s${at}`, createdBy: owner, isBackchannel: false, touchpoint: 'web' },
      ...{ type: isLong ? 'card' : 'chat', role: 'contact', contentType: 'text/plain', sequence: at + 1 },
      text: isLong ? Array.from({ length: 32_000 }, random).join('') : `${'word '.repeat(60)}${at}`,
      ...{ meta: { n: at % 977 }, createdAt: time, updatedAt: time, processedAt: time },
    };
  }

  /**
   * Keeps so many lists under way until it is told to stop, and answers how often each status came.
   */
  async function flood(state: { over: boolean }): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    let next = 0;
    const ask = async () => {
      while (!state.over) {
        next += 1;
        const url = `${product.base}/messages?${EXPENSIVE[next % EXPENSIVE.length]}`;
        const response = await fetch(url, { headers: { Authorization: `Bearer ${attacker.token}` } });
        await response.arrayBuffer();
        counts[response.status] = (counts[response.status] ?? 0) + 1;
        if (response.status === 429) {
          expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
          await wait(50);
        }
      }
    };
    await Promise.all(Array.from({ length: UNDER_WAY }, ask));
    return counts;
  }

  async function seen(forMs: number): Promise<Seen> {
    const post = () => neighbour.post('/messages', { conversation, text: 'hello', role: 'contact' });
    const read = () => neighbour.get(`/messages?conversation=${conversation}&limit=50&sort=-sequence`);
    const [posts, reads] = await Promise.all([
      pace(post, { everyMs: 200, forMs }),
      pace(read, { everyMs: 200, forMs }),
    ]);
    return { posts, reads };
  }

  test('is refused with 429, and an honest neighbour posts and reads as before', async () => {
    await seen(2_000);
    const quiet = await seen(6_000);
    const state = { over: false };
    const flooding = flood(state);
    const during = await seen(attackMs(8_000, 1)).finally(() => (state.over = true));
    const counts = await flooding;
    for (const [name, { posts, reads }] of Object.entries({ quiet, during }))
      console.log(`${name}: posts ${told(posts)}; reads ${told(reads)}`);
    console.log(`flood: ${JSON.stringify(counts)}`);
    expect(Object.keys(counts).filter((status) => !['200', '429'].includes(status))).toEqual([]);
    expect(counts[429]).toBeGreaterThan(0);
    expectUnharmed(during.posts, quiet.posts);
    expectUnharmed(during.reads, quiet.reads);
  });
});
