import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startApi } from '../support/shared-servers.ts';
import { expectUnharmed, pace, quantile, told } from './neighbour.ts';

const EACH = 100;
const CONVERSATIONS = Number(process.env['PARLANCE_DUE_AT_ONCE'] ?? 1_000) / EACH;

interface Shown {
  text: string;
  sequence?: number;
  createdAt: string;
  processedAt?: string;
  delay: number;
}

/** Spec 6: a delayed message is processed within a second of its time. */
describe('thousands of delayed messages that are due at once', () => {
  let product: Product;

  beforeAll(async () => {
    product = await startApi('due_at_once');
  });
  afterAll(() => product.close());

  async function newConversation(): Promise<string> {
    return (await product.admin.post('/conversations', {})).body.id;
  }

  /** Posts what is due at a time, a millisecond after each other, in one request. */
  async function postDueAt(conversation: string, dueAt: number): Promise<void> {
    const delay = dueAt - Date.now();
    const messages = Array.from({ length: EACH }, (_, at) => ({
      conversation,
      text: `due ${String(at).padStart(3, '0')}`,
      delay: delay + at,
    }));
    const { status } = await product.admin.post('/messages', messages);
    expect(status).toBe(201);
  }

  /**
   * How late each was, in milliseconds, once all are processed, in the order that they were due in
   * and in few commits.
   */
  async function lateness(conversation: string): Promise<number[]> {
    const shown = await eventually(
      async () => {
        const { body } = await product.admin.get(
          `/messages?conversation=${conversation}&sort=sequence&limit=1000`,
        );
        return (body as Shown[]).length === EACH && (body as Shown[]);
      },
      { withinMs: 120_000, everyMs: 500 },
    );
    expect(shown.map(({ text }) => text)).toEqual(shown.map(({ text }) => text).sort());
    expect(new Set(shown.map(({ processedAt }) => processedAt)).size).toBeLessThan(EACH / 2);
    return shown.map(
      ({ createdAt, processedAt, delay }) => Date.parse(processedAt!) - Date.parse(createdAt) - delay,
    );
  }

  test('are processed in order, soon, and nobody else waits for them', async () => {
    const quiet = await newConversation();
    let number = 0;
    const post = () =>
      product.admin.post('/messages', { conversation: quiet, text: `post ${(number += 1)}` });
    const conversations: string[] = [];
    for (let at = 0; at < CONVERSATIONS; at += 1) conversations.push(await newConversation());
    const before = await pace(post, { everyMs: 100, forMs: 5_000 });
    const dueAt = Date.now() + 5_000 + 1_000 * CONVERSATIONS;
    for (const conversation of conversations) await postDueAt(conversation, dueAt);
    const inMs = dueAt - Date.now();
    expect(inMs).toBeGreaterThan(1_000);
    await new Promise((resolve) => setTimeout(resolve, inMs - 500));
    const meanwhile = await pace(post, { everyMs: 100, forMs: 10_000 });
    const late = (await Promise.all(conversations.map(lateness))).flat();
    console.log(
      `${late.length} due at once: the last ${Math.max(...late)} ms late;`,
      `posts before ${told(before)}, meanwhile ${told(meanwhile)}`,
    );
    expectUnharmed(meanwhile, before);
    // On a machine that has other things to do, everything takes its time.
    expect(Math.max(...late)).toBeLessThan(
      1_000 +
        10 *
          quantile(
            before.map(({ tookMs }) => tookMs),
            0.99,
          ),
    );
  }, 400_000);

  test('of one conversation are as well', async () => {
    const conversation = await newConversation();
    await postDueAt(conversation, Date.now() + 4_000);
    const late = await lateness(conversation);
    console.log(`${EACH} of one conversation: the last ${Math.max(...late)} ms late`);
    expect(late).toHaveLength(EACH);
  }, 60_000);
});
