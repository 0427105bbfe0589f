import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import type { Product } from '../support/product.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';

let product: Product;

beforeAll(async () => {
  product = await sharedApi('transcript');
});
afterAll(() => product.close());

const begin = async (messages: object[], profile: object = { email: 'ada@transcript.example' }) => {
  const { body } = await product.admin.post('/conversations', {
    type: 'contact',
    name: 'Order 17',
    contact: { profile: { name: 'Ada', ...profile } },
    messages,
  });
  return body.id as string;
};
const create = (id: string, caller = product.admin) => caller.post(`/conversations/${id}/transcript`);
const read = async (url: string) => (await fetch(url)).text();

/** Spec 6.13 */
describe('a transcript', () => {
  test('a transcript has the messages that the contact sees, in order, and no note and no command', async () => {
    const agent = await newUser(product, { role: 'agent', givenName: 'Grace', familyName: 'Hopper' });
    const id = await begin([{ text: 'Hello', role: 'contact' }], { email: 'seen@transcript.example' });
    for (const message of [
      { text: 'Good morning', role: 'agent' },
      { text: 'a difficult one', role: 'agent', isBackchannel: true },
      { type: 'command', text: '/accept' },
    ]) {
      await agent.post('/messages', { conversation: id, ...message });
    }
    const { status, body, headers } = await create(id, agent);
    expect([status, headers.get('location')]).toEqual([201, body.url]);
    expect(body).toMatchObject({ name: 'transcript.txt', type: 'text/plain' });
    const lines = (await read(body.url)).replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME');
    expect(lines).toBe(
      'Order 17\nCreated at TIME. All times are in UTC.\n\n[TIME] Ada\nHello\n\n[TIME] Grace Hopper\nGood morning\n',
    );
  });

  test('a transcript of more than a page has all messages', async () => {
    const texts = Array.from({ length: 250 }, (_, at) => `number ${at}`);
    const id = await begin([], { email: 'long@transcript.example' });
    for (let at = 0; at < texts.length; at += 100) {
      const part = texts.slice(at, at + 100).map((text) => ({ text, role: 'contact' }));
      expect((await product.admin.post(`/conversations/${id}/messages`, part)).status).toBe(201);
    }
    const { body } = await create(id);
    expect((await read(body.url)).match(/number \d+/g)).toEqual(texts);
  });

  test('a transcript goes to the contact by mail, as an attachment', async () => {
    const server = await new MailServer().start();
    try {
      const params = server.params();
      const channel = await product.admin.post('/services', { name: 'Mail', type: 'email', params });
      const id = await begin([{ text: 'Hello', role: 'contact' }]);
      const { body } = await create(id);
      const sent = { text: body.url, role: 'agent', service: channel.body.id };
      expect((await product.admin.post(`/conversations/${id}/messages`, sent)).status).toBe(201);
      const [mail] = await eventually(() => {
        const found = server.sentTo('ada@transcript.example');
        return found.length > 0 && found;
      });
      expect(mail?.mail.text?.trim()).toBe('transcript.txt');
      const [attachment] = mail?.mail.attachments ?? [];
      expect([attachment?.filename, attachment?.content.toString()]).toEqual([
        'transcript.txt',
        await read(body.url),
      ]);
    } finally {
      await server.close();
    }
  });

  test('a guest, and a caller beside the organization, get no transcript', async () => {
    const id = await begin([], { email: 'private@transcript.example' });
    const guest = await newUser(product, { role: 'viewer' });
    expect((await create(id, guest)).status).toBe(403);
    expect((await create('0123456789abcdef01234567')).status).toBe(404);
  });
});
