import type { Client } from '@temporalio/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyRequest } from '../support/any-message.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { ApiClient as Caller } from '../support/client.ts';
import type { Product } from '../support/product.ts';
import { createTemporalClient } from '../support/temporal-client.ts';

/** Spec 2, 6: any request is accepted or refused with a message, and the conversation continues. */
describe('a random message', () => {
  let product: Product;
  let temporal: Client;
  let callers: Caller[];

  beforeAll(async () => {
    product = await sharedApi('fuzz');
    temporal = await createTemporalClient(product);
    callers = [
      product.admin,
      await newUser(product, { role: 'agent' }),
      await newUser(product, { role: 'bot' }),
    ];
    const form = (await product.admin.post('/forms', { name: 'F', fields: [{ name: 'a', key: 'a' }] })).body
      .id;
    const categories = [{ name: 'c', forms: [form] }];
    await product.admin.request('PATCH', `/organizations/${product.organization}`, { categories });
  });
  afterAll(async () => {
    await product.close();
    await temporal.connection.close();
  });

  test('a random message gets no 5xx and does not block its conversation', { timeout: 240_000 }, async () => {
    const body = {
      organization: product.organization,
      category: 'c',
      categoryIndex: 0,
      contact: { profile: { email: 'fuzz@example.com' } },
      messages: [{ text: 'begin', role: 'contact' }],
    };
    const conversation = (await product.admin.post('/conversations', body)).body.id as string;
    const requests = fc.sample(anyRequest, { numRuns: 240, seed: 4711 });
    const statuses = new Map<number, number>();
    await inParallel(6, requests, async (request, at) => {
      const by = callers[at % callers.length] as Caller;
      const text = JSON.stringify(request);
      const { status, body: answer } = await by.post(`/conversations/${conversation}/messages`, text);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect([200, 201, 400, 403, 409, 413, 422, 429], `${text}\n${JSON.stringify(answer)}`).toContain(
        status,
      );
      if (status >= 400) expect(answer.message).toEqual(expect.any(String));
    });
    // The sample is useful only with many accepted and many refused requests.
    expect(statuses.get(201)).toBeGreaterThan(30);
    expect((statuses.get(400) ?? 0) + (statuses.get(422) ?? 0)).toBeGreaterThan(60);
    const last = await product.admin.post('/messages', { conversation, text: 'still here', role: 'agent' });
    expect(last.status).toBe(201);
    const { body: stored } = await product.admin.get(
      `/messages?conversation=${conversation}&sort=sequence&limit=1000`,
    );
    expect(stored.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
      stored.map((_: unknown, at: number) => at + 1),
    );
    await expectNoFailedTask(conversation);
  });

  test('a Temporal update with malformed arguments fails no workflow task, and the conversation continues', async () => {
    const conversation = (await product.admin.post('/conversations', {})).body.id as string;
    const handle = temporal.workflow.getHandle(`conversation:${conversation}`);
    const wrong: [unknown][] = [
      [{}],
      [null],
      [{ posts: [{}] }],
      [{ posts: [{ messages: [null], caller: {} }] }],
    ];
    for (const args of wrong) {
      for (const name of ['post', 'amend']) {
        const results = [await handle.executeUpdate(name, { args }).catch(() => ({ refused: true }))].flat();
        expect(results.filter((one) => !(one as { refused?: object }).refused)).toEqual([]);
      }
    }
    expect((await product.admin.post('/messages', { conversation, text: 'fine' })).body.sequence).toBe(1);
    await expectNoFailedTask(conversation);
  });

  async function expectNoFailedTask(conversation: string): Promise<void> {
    const query = `WorkflowId = "conversation:${conversation}"`;
    for await (const { runId } of temporal.workflow.list({ query })) {
      const handle = temporal.workflow.getHandle(`conversation:${conversation}`, runId);
      const { events } = await handle.fetchHistory();
      expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
    }
  }
});

async function inParallel<T>(lanes: number, all: T[], work: (one: T, at: number) => Promise<void>) {
  const left = all.map((one, at) => ({ one, at }));
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) await work(next.one, next.at);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
