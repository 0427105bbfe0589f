import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONVERSATION_WORKFLOW, TASK_QUEUE } from '../../workflows/contract.ts';
import { createConversation } from '../support/client.ts';
import { startApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { OwnProduct } from '../support/product.ts';
import { LOAD_MINUTES } from '../support/load.ts';
import { createTemporalClient } from '../support/temporal-client.ts';
import { readTimers } from './timers.ts';

const WRITERS = 4;
const MESSAGES_EACH = 40;

interface Stored {
  text: string;
  sequence: number;
  delay?: number;
  createdAt: string;
  processedAt: string;
}

const LONG = { withinMs: 120_000 };
/**
 * Tolerance for times, which are rounded to milliseconds and depend on the estimated clock of the
 * store.
 */
const CLOCKS_APART_MS = 100;

/** Spec 6, 1.2: a conversation outlives its workers and the runs of its workflow. */
describe('a long conversation', () => {
  let product: OwnProduct;
  let temporal: Client;
  const workers: NodeProcess[] = [];

  beforeAll(async () => {
    product = await startApi('long_life');
    temporal = await createTemporalClient(product);
  });
  afterAll(async () => {
    await Promise.all([product.close(), ...workers.map((worker) => worker.stop())]);
    await temporal.connection.close();
  });

  const startWorker = () => {
    workers.push(startNode('dist/worker/main.js', { env: product.environment }));
  };
  const stored = async (conversation: string) =>
    (await product.admin.get(`/messages?conversation=${conversation}&sort=sequence&limit=1000`))
      .body as Stored[];

  const allStored = (conversation: string, count: number) =>
    eventually(async () => {
      const now = await stored(conversation);
      return now.length >= count && now;
    }, LONG);

  /** Creates a conversation whose workflow continues as new after `updatesPerRun` updates. */
  async function restless(updatesPerRun: number): Promise<string> {
    const id = await createConversation(product.admin);
    const workflowId = `conversation:${id}`;
    await temporal.workflow.getHandle(workflowId).terminate();
    const options = { workflowId, taskQueue: TASK_QUEUE, workflowTaskTimeout: '5s' as const };
    await temporal.workflow.start(CONVERSATION_WORKFLOW, { ...options, args: [{ id, updatesPerRun }] });
    return id;
  }

  async function postUntilTaken(conversation: string, body: { text: string; delay?: number }): Promise<void> {
    const message = { conversation, role: 'agent', externalId: body.text, ...body };
    expect((await product.admin.post('/messages', message)).status).toBe(201);
  }

  test(
    'a long conversation loses, duplicates and reorders no message when its workflow continues as new every 20 updates',
    { timeout: 900_000 },
    async () => {
      const conversation = await restless(20);
      const delays = [3_000, 1_500, 4_500, 2_500, 6_000, 2_000];
      const writer = async (name: string) => {
        for (let n = 1; n <= MESSAGES_EACH; n += 1) {
          await postUntilTaken(conversation, { text: `${name} ${n}` });
          const delay = name === 'w0' ? delays[n - 1] : undefined;
          if (delay !== undefined) await postUntilTaken(conversation, { text: `later ${delay}`, delay });
          // The worker dies while all writers post.
          if (name === 'w0' && n === MESSAGES_EACH / 2) {
            await product.worker.kill();
            startWorker();
          }
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(`w${n}`)));
      const expected = WRITERS * MESSAGES_EACH + delays.length;
      const all = await allStored(conversation, expected);
      expect(all.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: expected }, (_, at) => at + 1),
      );
      for (let n = 0; n < WRITERS; n += 1) {
        const own = all.map(({ text }) => text).filter((text) => text.startsWith(`w${n} `));
        expect(own).toEqual(Array.from({ length: MESSAGES_EACH }, (_, at) => `w${n} ${at + 1}`));
      }
      const late = all.filter(({ delay }) => delay !== undefined);
      expect(late.map(dueAt)).toEqual(late.map(dueAt).sort((a, b) => a - b));
      for (const one of late) expect(Date.parse(one.processedAt)).toBeGreaterThanOrEqual(dueAt(one));
      // The workflow must have continued as new several times.
      const runs = await eventually(async () => {
        const count = await temporal.workflow.count(`WorkflowId = "conversation:${conversation}"`);
        return count.count >= 4 && count.count;
      }, LONG);
      expect(runs).toBeGreaterThanOrEqual(4);
    },
  );

  test('a long conversation processes delayed messages by due time, and each of its timers ends at a due time', async () => {
    const conversation = await restless(2);
    for (const delay of [2_500, 1_500, 2_000, 1_000]) {
      await postUntilTaken(conversation, { text: `${delay}`, delay });
    }
    const all = await allStored(conversation, 4);
    expect(all.map(dueAt)).toEqual(all.map(dueAt).sort((a, b) => a - b));
    for (const one of all) expect(Date.parse(one.processedAt)).toBeGreaterThanOrEqual(dueAt(one));
    // Compares the times at which the timers are set to end, which a stall of the machine does not
    // change.
    const timers = await readTimers(temporal, `conversation:${conversation}`);
    expect(timers.length).toBeGreaterThan(0);
    for (const { earliest, latest } of timers) {
      const isDue = (at: number) => at >= earliest - CLOCKS_APART_MS && at <= latest + CLOCKS_APART_MS;
      expect(all.map(dueAt).filter(isDue)).not.toEqual([]);
    }
    if (LOAD_MINUTES === 0) return;
    for (const one of all) expect(Date.parse(one.processedAt) - dueAt(one)).toBeLessThanOrEqual(1_000);
  });

  test(
    'a long conversation processes messages that became due while no worker ran, in order of their due times',
    { timeout: 900_000 },
    async () => {
      const conversation = await restless(20);
      for (const delay of [2_500, 1_000, 1_500])
        await postUntilTaken(conversation, { text: `${delay}`, delay });
      const posted = Date.now();
      for (const worker of [product.worker, ...workers]) await worker.kill();
      await eventually(() => Date.now() > posted + 3_000, LONG);
      startWorker();
      const all = await allStored(conversation, 3);
      expect(all.map(({ delay, sequence }) => [delay, sequence])).toEqual(
        [...all].sort((a, b) => dueAt(a) - dueAt(b)).map(({ delay }, at) => [delay, at + 1]),
      );
    },
  );
});

function dueAt({ createdAt, delay = 0 }: Stored): number {
  return Date.parse(createdAt) + delay;
}
