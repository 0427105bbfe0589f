import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { listen } from '../support/stream.ts';

let product: Product;
let agent: KeyHolder;
let form: string;

beforeAll(async () => {
  product = await sharedApi('ratings');
  agent = await newUser(product, {
    ...{ role: 'agent', givenName: 'Grace', familyName: 'Hopper', email: 'grace-ratings@example.com' },
  });
  const fields = [
    { name: 'Rating', key: 'rating' },
    { name: 'Comment', key: 'comment' },
  ];
  form = (await product.admin.post('/forms', { name: 'Satisfaction', fields })).body.id;
  await setRatingForm(form);
});
afterAll(() => product.close());

const setRatingForm = async (ratingForm: string | null) => {
  const path = `/organizations/${product.organization}`;
  expect((await product.admin.request('PATCH', path, { ratingForm })).status).toBe(200);
};

/** Creates a conversation in which the contact has written. */
async function newChat() {
  const { body } = await product.admin.post('/conversations', { type: 'contact' });
  const page = `${product.origin}/c/${body.slug}`;
  const send = async (method: string, path: string, json: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${page}/${path}`, { method, headers, body: JSON.stringify(json) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const chat = {
    id: body.id as string,
    page,
    read: async () => (await fetch(`${page}/messages`)).json() as Promise<Record<string, any>>,
    rate: (rating: unknown, comment?: unknown) => send('PUT', 'rating', { rating, comment }),
    write: (text: string) => send('POST', 'messages', { key: text, text }),
    command: (text: string, caller = agent) =>
      caller.post(`/conversations/${body.id}/messages`, { type: 'command', text }),
    ratings: async () => {
      const list = await product.admin.get(`/conversations/${body.id}/messages?type=results`);
      return list.body.map(({ results, isBackchannel }: any) => [results[0].values, isBackchannel]);
    },
  };
  expect((await chat.write('Hello')).status).toBe(201);
  return chat;
}

/** Creates a conversation for each list of ratings, and posts the ratings as results. */
async function rateBy(organization: string, conversations: { by: KeyHolder; rating: unknown }[][]) {
  const ids: string[] = [];
  for (const given of conversations) {
    const { body } = await product.admin.post('/conversations', { organization });
    ids.push(body.id);
    for (const { by, rating } of given) {
      const results = [{ form, formName: 'Satisfaction', values: { rating } }];
      const message = { conversation: body.id, type: 'results', text: 'Rated', results };
      expect(await by.post('/messages', message)).toMatchObject({ status: 201 });
    }
  }
  const shown = ids.map(async (id) => (await product.admin.get(`/conversations/${id}`)).body.rating);
  return { organization, ids, ratings: await Promise.all(shown) };
}

/** The form is cached for five seconds. */
const untilAsked = (chat: { read: () => Promise<Record<string, any>> }) =>
  eventually(async () => (await chat.read())['rating']);

describe('ratings by contacts', () => {
  test('the contact of a closed conversation is asked for a rating, which is a result and opens nothing again', async () => {
    const chat = await newChat();
    expect(await chat.read()).toMatchObject({ status: 'queued', people: [] });
    expect((await chat.rate(5)).status).toBe(422);
    await chat.command('/accept');
    expect(await chat.read()).toMatchObject({ status: 'active', people: [{ name: 'Grace Hopper' }] });
    await chat.command('/leave');
    expect(await untilAsked(chat)).toEqual({ takesComment: true });
    expect((await chat.rate(4, 'Quick, and kind')).status).toBe(204);
    const { body } = await product.admin.get(`/conversations/${chat.id}`);
    expect(body).toMatchObject({ status: 'closed', rating: 4, results: [{ form, name: 'Satisfaction' }] });
    expect(await chat.ratings()).toEqual([[{ rating: 4, comment: 'Quick, and kind' }, true]]);
    const page = await chat.read();
    expect(page).toMatchObject({ status: 'closed', people: [] });
    expect(page).not.toHaveProperty('rating');
    expect(page['messages'].map(({ text }: { text: string }) => text)).toEqual(['Hello']);
  });

  test('a contact rates once for each closing', async () => {
    const chat = await newChat();
    await chat.command('/leave');
    await untilAsked(chat);
    expect((await Promise.all([chat.rate(2), chat.rate(2)])).map(({ status }) => status)).toContain(204);
    expect((await chat.rate(5)).status).toBe(422);
    await chat.write('One more question');
    expect((await chat.rate(5)).status).toBe(422);
    await chat.command('/accept');
    await chat.command('/leave');
    expect((await chat.rate(5)).status).toBe(204);
    expect(await chat.ratings()).toEqual([
      [{ rating: 2 }, true],
      [{ rating: 5 }, true],
    ]);
    expect((await product.admin.get(`/conversations/${chat.id}`)).body.rating).toBe(5);
  });

  test('a rating that is sent again after a lost response gets the same response, and counts once', async () => {
    const chat = await newChat();
    await chat.command('/leave');
    await untilAsked(chat);
    for (let count = 0; count < 3; count++) expect((await chat.rate(3, 'Slow')).status).toBe(204);
    expect((await chat.rate(3, 'Other words')).status).toBe(422);
    expect((await chat.rate(3)).status).toBe(422);
    expect(await chat.ratings()).toEqual([[{ rating: 3, comment: 'Slow' }, true]]);
    await chat.write('One more question');
    expect((await chat.rate(3, 'Slow')).status).toBe(422);
  });

  test('a form for ratings that an agent has filled in does not take the place of the rating by the contact', async () => {
    const chat = await newChat();
    await chat.command('/leave');
    await untilAsked(chat);
    const results = [{ form, formName: 'Satisfaction', values: { rating: 1 } }];
    const message = { conversation: chat.id, type: 'results', text: 'Rated', results };
    expect(await agent.post('/messages', message)).toMatchObject({ status: 201 });
    expect((await chat.read())['rating']).toEqual({ takesComment: true });
    expect((await chat.rate(5)).status).toBe(204);
    expect((await product.admin.get(`/conversations/${chat.id}`)).body.rating).toBe(5);
  });

  test('a stream of the chat page publishes who has taken over, and asks for a rating', async () => {
    const chat = await newChat();
    const stream = await listen(`${chat.page}/stream`, {});
    const heard = (wanted: object) =>
      stream.until(({ event, data }) => {
        if (event !== 'conversation') return false;
        return Object.entries(wanted).every(
          ([key, value]) => JSON.stringify(data[key]) === JSON.stringify(value),
        );
      });
    await chat.command('/accept');
    await heard({ status: 'active', people: [{ name: 'Grace Hopper' }] });
    await chat.command('/leave');
    await heard({ status: 'closed', people: [] });
    await stream.close();
  });

  test('a rating is a whole number from 1 to 5, and a comment has at most 2,000 characters', async () => {
    const chat = await newChat();
    for (const rating of [0, 6, 4.5, '4', null, undefined]) {
      expect([rating, (await chat.rate(rating)).status]).toEqual([rating, 400]);
    }
    expect((await chat.rate(3, 'x'.repeat(2_001))).status).toBe(400);
  });

  test('a conversation has the last rating of its contact, and a report counts ratings by value', async () => {
    const { body: own } = await product.admin.post('/organizations', { name: 'rated' });
    const bot = await newUser(product, { role: 'bot' });
    const { organization, ratings } = await rateBy(own.id, [
      [{ by: bot, rating: 1 }],
      [
        { by: bot, rating: 1 },
        { by: bot, rating: '4' },
      ],
      [{ by: bot, rating: 4 }],
      [{ by: agent, rating: 5 }],
      [{ by: bot, rating: 9 }],
      [],
    ]);
    expect(ratings).toEqual([1, 4, 4, undefined, undefined, undefined]);
    const good = await product.admin.get(`/conversations?organization=${organization}&rating=>=4,<=5`);
    expect(good.body).toHaveLength(2);
    const report = (await product.admin.get(`/organizations/${organization}/report`)).body;
    const counted = [1, 2, 3, 4, 5].map((rating) => ({
      rating,
      conversations: { 1: 1, 4: 2 }[rating] ?? 0,
    }));
    expect(report.ratings).toEqual({ conversations: 3, average: 3, values: counted });
    const { body: empty } = await product.admin.post('/organizations', { name: 'not rated' });
    const none = (await product.admin.get(`/organizations/${empty.id}/report`)).body.ratings;
    expect([none.conversations, none.average]).toEqual([0, null]);
  });

  test('a guest does not see the rating of a conversation', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const { organization, ids, ratings } = await rateBy(product.organization, [[{ by: bot, rating: 2 }]]);
    expect(ratings).toEqual([2]);
    const guest = await newUser(product, { role: 'viewer', organization });
    const path = `/conversations/${ids[0]}`;
    const participants = [{ user: guest.user, role: 'viewer' }];
    expect((await product.admin.request('PATCH', path, { participants })).status).toBe(200);
    const { status, body } = await guest.get(path);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('rating');
  });

  test('an organization without a form of ratings asks for none', async () => {
    const { body } = await product.admin.post('/forms', { name: 'Without a rating', fields: [] });
    for (const none of [body.id as string, null]) {
      await setRatingForm(none);
      const chat = await newChat();
      await chat.command('/leave');
      await eventually(async () => !('rating' in (await chat.read())));
      expect((await chat.rate(3)).status).toBe(422);
    }
    await setRatingForm(form);
  });
});
