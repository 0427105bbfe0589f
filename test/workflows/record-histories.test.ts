import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONVERSATION_WORKFLOW, TASK_QUEUE } from '../../workflows/contract.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import { formatHistory } from '../support/histories.ts';
import type { Product } from '../support/product.ts';
import { createTemporalClient } from '../support/temporal-client.ts';

const FOLDER = new URL('../replay/histories/', import.meta.url);

/**
 * Records the histories that test/replay/ replays: `RECORD_HISTORIES=0.1.0 npx vitest run --project
 * integration test/workflows/record-histories.test.ts`. Fails if a file exists. Until the first
 * release, delete the old files and record again after each change of workflow code.
 */
describe.runIf(process.env['RECORD_HISTORIES'])('recording the histories of this release', () => {
  let product: Product;
  let temporal: Client;

  beforeAll(async () => {
    product = await sharedApi('record_histories');
    temporal = await createTemporalClient(product);
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(async () => {
    await product.close();
    await temporal.connection.close();
  });

  const create = async () => (await product.admin.post('/conversations', {})).body.id as string;
  const post = async (conversation: string, body: object) => {
    const answer = await product.admin.post('/messages', { conversation, text: 'x', role: 'agent', ...body });
    expect(answer.status).toBe(201);
    return answer.body as { id: string };
  };
  const workflowOf = (conversation: string) => `conversation:${conversation}`;

  async function record(name: string, workflowId: string): Promise<void> {
    const runs: { runId: string; startTime: Date }[] = [];
    const query = `WorkflowId = "${workflowId}"`;
    await eventually(async () => {
      runs.length = 0;
      for await (const run of temporal.workflow.list({ query })) {
        if (run.status.name !== 'TERMINATED') runs.push(run);
      }
      return runs.length > 0;
    });
    runs.sort((a, b) => a.startTime.getTime() - b.startTime.getTime());
    for (const [at, { runId }] of runs.entries()) {
      const history = formatHistory(await temporal.workflow.getHandle(workflowId, runId).fetchHistory());
      const file = new URL(`${process.env['RECORD_HISTORIES'] ?? ''}-${name}-${at + 1}.json`, FOLDER);
      // Removes the name of this machine. Payloads are Base64, which has neither `@` nor `-`.
      const text = history
        .replaceAll(`@${hostname()}"`, '@worker"')
        .replaceAll(`"${hostname()}-`, '"worker-');
      await writeFile(file, `${text}\n`, { flag: 'wx' });
    }
  }

  test('records a new conversation with posts, a repair, an edit and a deleted message', async () => {
    const id = await create();
    const { id: message } = await post(id, {});
    await post(id, { type: 'command', text: '/set category sales' });
    await product.admin.request('PATCH', `/conversations/${id}`, { name: 'n' });
    await product.admin.request('PATCH', `/messages/${message}`, { text: 'y' });
    await product.admin.request('DELETE', `/messages/${message}`);
    await record('fresh', workflowOf(id));
  });

  test('records a conversation with three delayed messages: one processed, one cancelled, one waiting', async () => {
    const id = await create();
    await post(id, { delay: 1_000 });
    const { id: cancelled } = await post(id, { delay: 600_000 });
    await post(id, { delay: 700_000 });
    await product.admin.request('DELETE', `/messages/${cancelled}`);
    await eventually(async () => (await product.admin.get(`/messages?conversation=${id}`)).body.length >= 1);
    await record('delayed', workflowOf(id));
  });

  test('records a conversation that continues as new twice, with a delayed message', async () => {
    const id = await create();
    const workflowId = workflowOf(id);
    await temporal.workflow.getHandle(workflowId).terminate();
    const options = { workflowId, taskQueue: TASK_QUEUE, workflowTaskTimeout: '5s' as const };
    await temporal.workflow.start(CONVERSATION_WORKFLOW, { ...options, args: [{ id, updatesPerRun: 3 }] });
    await post(id, { delay: 1_500 });
    for (let n = 0; n < 7; n += 1) await post(id, {});
    await eventually(async () => (await product.admin.get(`/messages?conversation=${id}`)).body.length >= 8);
    await record('continued', workflowId);
  });

  test('records a conversation that is closed and reopened', async () => {
    const id = await create();
    await post(id, { type: 'command', text: '/set status closed' });
    const handle = temporal.workflow.getHandle(workflowOf(id));
    await eventually(async () => (await handle.describe()).status.name === 'COMPLETED');
    await post(id, { role: 'contact' });
    await post(id, { type: 'command', text: '/set status closed' });
    await eventually(async () => (await handle.describe()).status.name === 'COMPLETED');
    await record('reopened', workflowOf(id));
  });

  test('records a conversation with an unblocked bot and a delayed message that is processed early', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const id = await create();
    for (let n = 0; n < 8; n += 1) await bot.post('/messages', { conversation: id, text: 'the same' });
    expect((await product.admin.post(`/conversations/${id}/unblock`, {})).status).toBe(200);
    await post(id, { delay: 600_000 });
    expect((await product.admin.post(`/conversations/${id}/hurry`, {})).status).toBe(200);
    await eventually(async () => (await product.admin.get(`/messages?conversation=${id}`)).body.length >= 9);
    await record('blocked', workflowOf(id));
  });

  test('records a conversation with a timer that fires, a reply, and a snooze that ends', async () => {
    const { user } = await newUser(product, { role: 'bot' });
    const timers = ['quiet', 'waiting'].map((when) => ({
      name: when,
      when,
      after: 1_000,
      event: 'no.type',
      user,
    }));
    const { body: timed } = await product.admin.post('/organizations', { name: 'timed', timers });
    const id = (await product.admin.post('/conversations', { organization: timed.id })).body.id as string;
    await post(id, { role: 'contact' });
    await eventually(async () => (await product.admin.get('/events?name=no.type')).body.length >= 2);
    await post(id, {});
    await post(id, { type: 'command', text: '/snooze PT2S' });
    await eventually(async () => (await product.admin.get(`/conversations/${id}`)).body.status === 'queued');
    await record('timers', workflowOf(id));
  });

  test('records the erasure of a conversation and the deliveries of a shard', async () => {
    const id = await create();
    expect((await product.admin.request('DELETE', `/conversations/${id}`)).status).toBe(204);
    await record('erasure', `erasure:${id}`);
    await record('delivery', 'delivery:0');
  });
});
