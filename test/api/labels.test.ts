import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Product } from '../support/product.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';

let product: Product;

beforeAll(async () => {
  product = await sharedApi('labels');
});
afterAll(() => product.close());

const begin = async () => (await product.admin.post('/conversations', {})).body.id as string;
const command = (conversation: string, text: string) =>
  product.admin.post('/messages', { conversation, type: 'command', text });
const idsWith = async (label: string) => {
  const { body } = await product.admin.get(
    `/conversations?organization=${product.organization}&labels=${encodeURIComponent(label)}`,
  );
  return body.map(({ id }: { id: string }) => id);
};

/** Spec 5.17 */
test('conversations are listed by their labels', async () => {
  const [one, two] = [await begin(), await begin()];
  await command(one, '/label Late delivery');
  await command(two, '/label VIP');
  await command(two, '/label late delivery');
  await command(two, '/unlabel vip');
  const { body } = await product.admin.get(`/conversations/${two}`);
  expect(body.labels).toEqual(['late delivery']);
  expect((await idsWith('late delivery')).sort()).toEqual([one, two].sort());
  expect(await idsWith('vip')).toEqual([]);
  await command(two, '/unlabel late delivery');
  expect((await product.admin.get(`/conversations/${two}`)).body).not.toHaveProperty('labels');
});

test('a malformed label is refused, and a post after it works', async () => {
  const id = await begin();
  const { status, body } = await command(id, '/label');
  expect([status, body.message]).toEqual([422, expect.stringContaining('such as urgent')]);
  expect((await product.admin.post('/messages', { conversation: id, text: 'x' })).status).toBe(201);
});

test('a guest does not see the labels of a conversation', async () => {
  const guest = await newUser(product, { role: 'viewer' });
  const id = await begin();
  await command(id, '/label difficult');
  await product.admin.request('PATCH', `/conversations/${id}`, { participants: [{ user: guest.user }] });
  const { status, body } = await guest.get(`/conversations/${id}`);
  expect([status, body.labels]).toEqual([200, undefined]);
  expect((await product.admin.get(`/conversations/${id}`)).body.labels).toEqual(['difficult']);
});
