import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { sharedApi } from '../support/shared-servers.ts';

let product: Product;

beforeAll(async () => {
  product = await sharedApi('snooze');
});
afterAll(() => product.close());

const read = async (id: string) => (await product.admin.get(`/conversations/${id}`)).body;
const begin = async () => (await product.admin.post('/conversations', {})).body.id as string;
const command = (conversation: string, text: string) =>
  product.admin.post('/messages', { conversation, type: 'command', text });

/** Spec 14.5 */
test('a snoozed conversation leaves the queue, is found by its time, and wakes by itself', async () => {
  const [soon, late] = [await begin(), await begin()];
  await command(soon, '/snooze PT2S');
  await command(late, '/snooze P1D');
  const snoozed = await read(late);
  expect(snoozed).toMatchObject({ status: 'active', snoozedUntil: expect.stringMatching(/Z$/) });
  expect(snoozed).not.toHaveProperty('snoozedBy');
  const listed = await product.admin.get(
    `/conversations?organization=${product.organization}&snoozedUntil=>${new Date(Date.now() + 3600_000).toISOString()}`,
  );
  expect(listed.body.map(({ id }: { id: string }) => id)).toEqual([late]);
  const woken = await eventually(async () => {
    const { body } = await product.admin.get(`/conversations/${soon}`);
    return body.status === 'queued' && body;
  });
  expect(woken).not.toHaveProperty('snoozedUntil');
  await command(late, '/wake');
  expect(await read(late)).toMatchObject({ status: 'queued' });
});

test('a malformed snooze is refused, and a post after it works', async () => {
  const id = await begin();
  const { status, body } = await command(id, '/snooze tomorrow');
  expect([status, body.message]).toEqual([422, expect.stringContaining('/snooze PT2H')]);
  expect((await product.admin.post('/messages', { conversation: id, text: 'x' })).status).toBe(201);
});
