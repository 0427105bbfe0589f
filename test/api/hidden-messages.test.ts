import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

let product: Product;
let bot: KeyHolder;

beforeAll(async () => {
  product = await sharedApi('hidden_messages');
  bot = await newUser(product, { role: 'bot' });
});
afterAll(() => product.close());

const newConversation = async () =>
  (await product.admin.post('/conversations', {})).body as { id: string; slug: string };
const says = async (slug: string, body: object) => {
  const response = await fetch(`${product.origin}/c/${slug}/messages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as any };
};
const reads = async (slug: string) => {
  const response = await fetch(`${product.origin}/c/${slug}/messages`);
  return ((await response.json()) as any).messages as any[];
};

test.each([
  ['on the back channel', { text: 'between us' }],
  ['of a type that contacts do not see', { type: 'status', text: 'between us', isBackchannel: false }],
  ['of another sender', { text: 'hello from the bot', isBackchannel: false }],
  ['that is delayed', { text: 'between us', delay: 600_000 }],
])('a chat page can post with a `key` that is already used by a message %s', async (_, hidden) => {
  const { id, slug } = await newConversation();
  const first = await bot.post('/messages', { conversation: id, externalId: 'viewer:k', ...hidden });
  expect(first.status).toBe(201);
  const said = await says(slug, { key: 'k', text: 'hello' });
  expect([said.status, said.body.text, said.body.key]).toEqual([201, 'hello', 'k']);
  expect(said.body.id).not.toBe(first.body.id);
  const again = await says(slug, { key: 'k', text: 'hello' });
  expect([again.status, again.body.id]).toEqual([200, said.body.id]);
  const shown = (await reads(slug)).filter(({ role }) => role === 'contact');
  expect(shown.map(({ text, key }) => [text, key])).toEqual([['hello', 'k']]);
});

test('a chat page gets 409 without the content of other messages when every external id of its `key` is taken', async () => {
  const { id, slug } = await newConversation();
  const names = ['viewer:k', ...[1, 2, 3, 4].map((n) => `viewer~${n}:k`)];
  for (const externalId of names)
    await bot.post('/messages', { conversation: id, text: 'between us', externalId });
  const { status, body } = await says(slug, { key: 'k', text: 'hello' });
  expect([status, JSON.stringify(body)]).toEqual([409, expect.not.stringContaining('between us')]);
  expect((await says(slug, { key: 'other', text: 'hello' })).status).toBe(201);
});

test('a guest who repeats the externalId of a backchannel message gets 409 without the content of that message', async () => {
  const guest = await newUser(product, { role: 'viewer' });
  const { id: conversation } = await newConversation();
  const participants = [{ user: guest.user }];
  await product.admin.request('PATCH', `/conversations/${conversation}`, { participants });
  await bot.post('/messages', { conversation, text: 'between us', externalId: 'e' });
  const refused = await guest.post('/messages', { conversation, text: 'hello', externalId: 'e' });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    409,
    expect.not.stringContaining('between us'),
  ]);
  const own = { conversation, text: 'hello', externalId: 'mine' };
  const [said, again] = [await guest.post('/messages', own), await guest.post('/messages', own)];
  expect([said.status, again.status, again.body.id]).toEqual([201, 200, said.body.id]);
  const stranger = await newUser(product, { role: 'viewer' });
  expect((await stranger.post('/messages', { conversation, text: 'x', externalId: 'e' })).status).toBe(404);
});
