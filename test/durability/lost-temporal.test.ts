import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConversation } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { choosePorts, start } from '../support/launcher.ts';
import type { Started } from '../support/launcher.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import { keepLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn } from './expectations.ts';

/** More conversations than one scan of the overdue sweeper wakes (`WOKEN_AT_ONCE`). */
const EARLY = 24;
const LATE = 6;
/** Maximum number of conversations that one scan of worker/overdue-sweeper.ts wakes. */
const WOKEN_AT_ONCE = 20;
/** Time between the due times of the two messages of an early conversation. */
const APART_MS = 500;
/**
 * Lateness from which the overdue sweeper wakes a conversation even if the workers are busy. All
 * early conversations are this late before the restart, so that the first scan finds all of them.
 */
const TOO_LATE_MS = 10_000;
/**
 * Additional delay of the messages of the late conversations, so that they are due after the
 * restart.
 */
const LATER_MS = TOO_LATE_MS + 10_000;
/**
 * Maximum lateness of a message after the later of its due time and the restart
 * (docs/deployment.md). Asserted only by `npm run test:load`.
 */
const WITHIN_MS = 5_000;
const LONG = { withinMs: 180_000, everyMs: 500 };

interface Message {
  sequence: number;
  dueAt: number;
  processedAt: number;
}

/** Spec 1.2: the store is the source of truth, and a workflow is a cache of the store. */
describe('a product whose Temporal has lost its data', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let product: Started;
  let admin: ApiClient;
  const ids = { early: [] as string[], late: [] as string[] };
  let stoppedAt: number;
  let restartedAt: number;

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-lost-temporal-');
    await begin();
  });

  afterAll(async () => {
    await product.supervisor.stop();
    await keepLog('lost-temporal', product.supervisor.output());
    await folder.remove();
  });

  async function begin(): Promise<void> {
    const env = { RATE_LIMIT_PER_ADDRESS: '0', RATE_LIMIT_PER_KEY: '0', LOG_LEVEL: 'info' };
    product = await start(folder.path, { ports: await choosePorts(), env });
    admin = await signedIn(product);
  }

  const createAll = (count: number) =>
    Promise.all(Array.from({ length: count }, () => createConversation(admin)));

  async function postDelayed(conversation: string, delay: number): Promise<void> {
    const { status } = await admin.post('/messages', { conversation, text: 'later', delay });
    expect(status).toBe(201);
  }

  test('the product does not start if the data of Temporal are damaged, and prints the remedy', async () => {
    const beganAt = performance.now();
    ids.early = await createAll(EARLY);
    ids.late = await createAll(LATE);
    // Long enough to post everything and stop the product on a slow machine.
    const delay = 10_000 + 3 * Math.round(performance.now() - beganAt);
    await Promise.all([
      ...ids.early.flatMap((id) => [postDelayed(id, delay + APART_MS), postDelayed(id, delay)]),
      ...ids.late.map((id) => postDelayed(id, delay + LATER_MS)),
    ]);
    const dueAt = Date.now() + delay + APART_MS;
    await product.supervisor.stop();
    stoppedAt = Date.now();

    const data = join(folder.path, 'temporal');
    await truncate(join(data, 'temporal.db'), 40_960);
    await expect(begin()).rejects.toThrow(`Where its data are damaged, move ${data} away and start again`);
    await rm(data, { recursive: true });
    await eventually(() => Date.now() > dueAt + TOO_LATE_MS, LONG);
  }, 300_000);

  test('after Temporal lost its data, the product processes overdue messages and messages that are due later in order, and accepts posts', async () => {
    await begin();
    restartedAt = Date.now();
    const other = await createConversation(admin);
    const processing = Promise.all([...ids.early, ...ids.late].map(allProcessed));
    const tookMs = await postUntil(other, processing);
    const processed = await processing;
    const early = processed.slice(0, EARLY);
    for (const messages of early) {
      for (const { processedAt } of messages) expect(processedAt).toBeGreaterThan(stoppedAt);
    }
    for (const messages of processed) {
      expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, at) => at + 1));
      expect(messages).toEqual(messages.toSorted((a, b) => a.dueAt - b.dueAt));
      for (const { dueAt, processedAt } of messages) expect(processedAt).toBeGreaterThanOrEqual(dueAt);
    }
    // Overdue conversations are woken in batches, not one by one.
    const woken = product.supervisor.output().matchAll(/"conversations":(\d+),.*waking conversations/g);
    expect(Number([...woken][0]?.[1])).toBe(WOKEN_AT_ONCE);
    if (LOAD_MINUTES > 0) expectInTime(processed.flat(), tookMs);
  }, 300_000);

  /** Waits until no message of the conversation is delayed. Returns its messages by sequence. */
  function allProcessed(conversation: string): Promise<Message[]> {
    return eventually(async () => {
      const { status, body } = await admin.get(`/messages?conversation=${conversation}&sort=sequence`);
      const isDone = status === 200 && body.every((message: object) => 'sequence' in message);
      return (
        isDone &&
        body.map(({ sequence, createdAt, delay, processedAt }: any) => ({
          sequence,
          dueAt: Date.parse(createdAt) + Number(delay),
          processedAt: Date.parse(processedAt),
        }))
      );
    }, LONG);
  }

  /**
   * Posts into another conversation until `done` settles. Returns the duration of each post in
   * milliseconds.
   */
  async function postUntil(conversation: string, done: Promise<unknown>): Promise<number[]> {
    const tookMs: number[] = [];
    const ending = new AbortController();
    void done.finally(() => ending.abort()).catch(() => undefined);
    while (!ending.signal.aborted) {
      const beganAt = performance.now();
      const { status } = await admin.post('/messages', { conversation, text: 'post' });
      expect(status).toBe(201);
      tookMs.push(performance.now() - beganAt);
      await wait(250);
    }
    return tookMs;
  }

  function expectInTime(processed: Message[], tookMs: number[]): void {
    const late = processed.map(({ dueAt, processedAt }) => processedAt - Math.max(dueAt, restartedAt));
    console.log(`the last one ${Math.max(...late)} ms late; the slowest post ${Math.max(...tookMs)} ms`);
    expect(Math.max(...late)).toBeLessThan(WITHIN_MS);
  }
});
