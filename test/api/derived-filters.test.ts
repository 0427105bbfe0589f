import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { createRecordHelpers } from '../support/records.ts';

const ABSENT = 'ffffffffffffffffffffffff';

/** Spec 9.3. */
describe('a list by a derived field', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('derived-filters');
  });
  afterAll(() => product.close());

  const { make, patch } = createRecordHelpers(() => product);
  const listed = async (query: string, by = product.admin): Promise<string[]> => {
    const { status, body } = await by.get(query);
    expect([query, status, body.message]).toEqual([query, 200, undefined]);
    return (body as { id: string }[]).map(({ id }) => id);
  };
  const refused = async (query: string) => {
    const { status, body } = await product.admin.get(query);
    expect([query, status, body.code]).toEqual([query, 400, 'invalid_request']);
    return body.message as string;
  };

  describe('the name of users', () => {
    test('a list of users filters and sorts by the current derived name, and can select the name', async () => {
      const users = [
        { givenName: 'Ada', familyName: 'Lovelace' },
        { familyName: 'Hopper' },
        { email: 'beta@example.com' },
      ];
      const [ada, hopper, beta] = [
        await make('/users', { role: 'agent', ...users[0] }),
        await make('/users', { role: 'agent', ...users[1] }),
        await make('/users', { role: 'agent', ...users[2] }),
      ];
      const of = `/users?id=[${ada.id},${hopper.id},${beta.id}]`;
      expect(await listed('/users?name=Ada%20Lovelace')).toEqual([ada.id]);
      expect(await listed('/users?name=[Hopper,beta@example.com]')).toEqual([hopper.id, beta.id]);
      expect(await listed(`${of}&name=!=Hopper`)).toEqual([ada.id, beta.id]);
      expect(await listed(`${of}&name=~^A.*e$`)).toEqual([ada.id]);
      expect(await listed(`${of}&name,status=hopp`)).toEqual([hopper.id]);
      expect(await listed(`${of}&sort=-name`)).toEqual([beta.id, hopper.id, ada.id]);
      expect(await listed(`${of}&name=`)).toHaveLength(3);
      expect((await product.admin.get(`/users?id=${ada.id}&select=name`)).body).toEqual([
        { id: ada.id, name: 'Ada Lovelace' },
      ]);
      await patch(`/users/${ada.id}`, { givenName: null, familyName: 'King' });
      await patch(`/users/${beta.id}`, { email: 'gamma@example.com' });
      expect(await listed('/users?name=[Ada%20Lovelace,beta@example.com]')).toEqual([]);
      expect(await listed(`/users?name=King`)).toEqual([ada.id]);
      expect(await listed('/users?name=gamma@example.com')).toEqual([beta.id]);
    });

    test('a list of users finds a user by name after concurrent changes of the given and the family name', async () => {
      const { id } = await make('/users', { role: 'agent', givenName: 'A', familyName: 'B' });
      const changes = Array.from({ length: 10 }, (_, at) =>
        patch(`/users/${id}`, at % 2 === 0 ? { givenName: `G${at}` } : { familyName: `F${at}` }),
      );
      expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
      const { name } = (await product.admin.get(`/users/${id}`)).body;
      expect(await listed(`/users?id=${id}&name=${encodeURIComponent(name)}`)).toEqual([id]);
    });
  });

  describe('the url and messages of conversations', () => {
    test('a list of conversations can be filtered and sorted by url', async () => {
      const [one, two] = [await make('/conversations', {}), await make('/conversations', {})];
      const of = `/conversations?id=[${one.id},${two.id}]`;
      const [first, second] = [encodeURIComponent(one.url), encodeURIComponent(two.url)];
      expect(await listed(`/conversations?url=${first}`)).toEqual([one.id]);
      expect(await listed(`/conversations?url=[${first},${second}]&sort=id`)).toEqual(
        [one.id, two.id].sort(),
      );
      expect(await listed(`${of}&url=!=${first}`)).toEqual([two.id]);
      expect(await listed(`${of}&url=![${first},${second}]`)).toEqual([]);
      expect(await listed(`/conversations?url=${first}x`)).toEqual([]);
      expect(await listed(`/conversations?url=http://other.example/c/${one.slug}`)).toEqual([]);
      expect(await listed(`${of}&url=`)).toHaveLength(2);
      const inOrder = [one, two].sort((a, b) => (a.url < b.url ? -1 : 1)).map(({ id }) => id);
      expect(await listed(`${of}&sort=url`)).toEqual(inOrder);
      expect((await product.admin.get(`${of}&url=${first}&select=url`)).body).toEqual([
        { id: one.id, url: one.url },
      ]);
    });

    test('a list of conversations can be filtered by the ids of processed messages', async () => {
      const [one, two] = [
        await make('/conversations', { messages: [{ text: 'a' }, { text: 'b' }] }),
        await make('/conversations', { messages: [{ text: 'c' }] }),
      ];
      const of = `/conversations?id=[${one.id},${two.id}]`;
      expect(await listed(`/conversations?messages=${one.messages[1]}`)).toEqual([one.id]);
      expect(
        await listed(`/conversations?messages=[${one.messages[0]},${one.messages[1]},${two.messages[0]}]`),
      ).toEqual([one.id, two.id]);
      expect(await listed(`${of}&messages=!=${one.messages[0]}`)).toEqual([two.id]);
      expect(await listed(`${of}&messages,name=${two.messages[0]}`)).toEqual([two.id]);
      expect(await listed(`/conversations?messages=${ABSENT}`)).toEqual([]);
      const delayed = await product.admin.post('/messages', {
        conversation: one.id,
        text: 'later',
        delay: 3_600_000,
      });
      expect(await listed(`/conversations?messages=${delayed.body.id}`), 'it waits').toEqual([]);
      expect((await product.admin.request('DELETE', `/messages/${two.messages[0]}`)).status).toBe(204);
      expect(await listed(`/conversations?messages=${two.messages[0]}`), 'it is gone').toEqual([]);
    });

    test('a list of conversations by url or messages reveals no conversation outside the reach of the caller', async () => {
      const { id, url, messages } = await make('/conversations', { messages: [{ text: 'secret' }] });
      const organization = (await make('/organizations', { name: 'branch' })).id;
      const agent = await newUser(product, { role: 'agent', organization });
      expect(await listed(`/conversations?messages=${messages[0]}`, agent)).toEqual([]);
      expect(await listed(`/conversations?url=${encodeURIComponent(url)}`, agent)).toEqual([]);
      expect(await listed(`/conversations?messages=${messages[0]}`)).toEqual([id]);
    });

    test.each([
      ['messages=x', 'messages: must be an id'],
      [`messages=[${ABSENT},x]`, 'messages: must be an id'],
      ['messages=~a', 'messages: '],
      ['messages=!', 'messages: is only compared'],
      [`messages.0=${ABSENT}`, 'messages.0: is only compared'],
      ['sort=messages', 'sort: "messages" is not a field to sort by'],
      ['url=~c', 'url: is only compared'],
      ['url=>c', 'url: is only compared'],
      ['url,name=c', 'url: is only compared'],
    ])(
      'a list of conversations rejects an unsupported filter or sort with 400 and the reason: %s',
      async (query, words) => {
        expect(await refused(`/conversations?${query}`)).toContain(words);
      },
    );
  });

  test('a list of services can be filtered by params.url, and not by params.secret', async () => {
    const url = 'http://127.0.0.1:9/hook?a=1';
    const params = { url, secret: 'a secret of a receiver' };
    const { id } = await make('/services', { name: 'A', type: 'webhook', params });
    await make('/services', { name: 'B', type: 'webhook', params: { url: 'http://127.0.0.1:9/other' } });
    expect(await listed(`/services?params.url=${encodeURIComponent(url)}`)).toEqual([id]);
    expect(await listed('/services?params.url=~hook')).toEqual([id]);
    expect(await listed('/services?sort=params.url&select=params.url')).toEqual([id, expect.any(String)]);
    expect(await refused('/services?params.secret=a%20secret')).toContain('params.secret');
    expect(await refused('/services?sort=params.secret')).toContain('params.secret');
    expect(await refused('/services?params={secret=a%20secret}')).toContain('params');
    expect(await refused('/services?params,name=secret')).toContain('params');
  });
});
