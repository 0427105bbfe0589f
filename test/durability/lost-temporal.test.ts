import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pace, quantile } from '../attack/neighbour.ts';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { keepLog } from '../support/log.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Started } from '../support/launcher.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn } from './expectations.ts';

const CONVERSATIONS = 40;
/**
 * Long enough for all to be posted and the product to be stopped; some are due while it is down,
 * the others later.
 */
const SHORTEST_MS = 15_000;
const APART_MS = 300;
const WITHIN_MS = 5_000;

/** Spec 1.2: the store is the truth, and a workflow is its cache. */
describe('a product whose Temporal has lost its data', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let product: Started;
  let admin: Client;
  const options = async () => ({
    ports: await choosePorts(),
    env: { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'warn' },
  });

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-lost-temporal-');
    product = await start(folder.path, await options());
    admin = await signedIn(product);
  }, 120_000);

  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('lost-temporal', product.supervisor.output());
    await folder.remove();
  }, 60_000);

  /** Makes a conversation with one message that waits; answers the message's id. */
  async function postDelayed(delay: number): Promise<string> {
    const { body } = await admin.post('/conversations', { messages: [{ text: 'later', delay }] });
    const waiting = await admin.get(`/messages?conversation=${body.id}&processedAt=!`);
    expect(waiting.body).toHaveLength(1);
    return waiting.body[0].id;
  }

  /** When a message was due and when it was processed, in milliseconds since 1970, once it is. */
  async function times(id: string): Promise<{ dueAt: number; processedAt: number }> {
    const processed = async () => {
      const { body } = await admin.get(`/messages/${id}`);
      return body.sequence !== undefined && body;
    };
    const message = await eventually(processed, { withinMs: 120_000, everyMs: 1_000 });
    const [createdAt, processedAt] = [Date.parse(message.createdAt), Date.parse(message.processedAt)];
    return { dueAt: createdAt + Number(message.delay), processedAt };
  }

  test(
    'processes what was due meanwhile, and what comes due, within five seconds, and answers others',
    { timeout: 400_000 },
    async () => {
      const delays = Array.from({ length: CONVERSATIONS }, (_, at) => SHORTEST_MS + at * APART_MS);
      const postedAt = Date.now();
      const ids = await Promise.all(delays.map(postDelayed));
      const someAreDue = () => Date.now() - postedAt > SHORTEST_MS + 15 * APART_MS;
      const { body: other } = await admin.post('/conversations', {});
      const post = () => admin.post('/messages', { conversation: other.id, text: 'post' });
      const quiet = await pace(post, { everyMs: 250, forMs: 3_000 });
      await product.supervisor.stop();
      const stoppedAt = Date.now();
      await rm(join(folder.path, 'temporal'), { recursive: true });
      await eventually(someAreDue, { withinMs: 60_000 });
      product = await start(folder.path, await options());
      const readyAt = Date.now();
      admin = await signedIn(product);
      const [processed, seen] = await Promise.all([
        Promise.all(ids.map(times)),
        pace(post, { everyMs: 250, forMs: 6_000 }),
      ]);
      for (const { processedAt } of processed) expect(processedAt).toBeGreaterThan(stoppedAt);
      const late = processed.map(({ dueAt, processedAt }) => processedAt - Math.max(dueAt, readyAt));
      const meanwhile = processed.filter(({ dueAt }) => dueAt < readyAt).length;
      const [before, after] = [quiet, seen].map((sent) =>
        quantile(
          sent.map(({ tookMs }) => tookMs),
          0.99,
        ),
      );
      console.log(
        `${meanwhile} of ${ids.length} due meanwhile: the last ${Math.max(...late)} ms late;`,
        `posts p99 ${before?.toFixed(0)} ms before, ${after?.toFixed(0)} ms after`,
      );
      expect(meanwhile).toBeGreaterThan(0);
      // On a machine that has other things to do, everything takes its time.
      expect(Math.max(...late)).toBeLessThan(WITHIN_MS + 10 * (before ?? 0));
      expect(seen.filter(({ status }) => status !== 201)).toEqual([]);
    },
  );
});
