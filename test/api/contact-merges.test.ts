import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

/** Spec 4.7. */
describe('a merge of contacts', () => {
  let product: Product;
  let count = 0;

  beforeAll(async () => {
    product = await sharedApi('contact_merges');
  });

  afterAll(() => product.close());

  interface Made {
    contact: string;
    conversation: string;
    slug: string;
  }

  async function newContact(contact: object, texts: string[] = ['hello']): Promise<Made> {
    const messages = texts.map((text) => ({ text, role: 'contact', isBackchannel: false }));
    const answer = await product.admin.post('/conversations', { type: 'contact', contact, messages });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { id, contact: made, slug } = answer.body;
    return { contact: made, conversation: id, slug };
  }
  const email = () => `merge-${(count += 1)}@merges.example`;
  const telephone = () => `+3120${String(8_000_000 + (count += 1))}`;
  const merge = (survivor: string, contact: string, more: Record<string, string> = {}) =>
    product.admin.post(`/contacts/${survivor}/merge`, { contact }, more);
  const messagesOf = async (conversation: string) =>
    (await product.admin.get(`/messages?conversation=${conversation}&sort=sequence&limit=1000`)).body as {
      text: string;
      sequence: number;
      contact: string;
    }[];

  test('a merge of contacts fills the empty fields of the survivor and reports the values that are not kept', async () => {
    const [first, second] = [email(), email()];
    const number = telephone();
    const survivor = await newContact({ profile: { name: 'Ada', email: first }, meta: { tier: 'gold' } });
    const other = await newContact({
      externalId: `crm-${second}`,
      profile: { name: 'A. Lovelace', email: second, telephone: number, locale: 'nl' },
      meta: { tier: 'silver', since: 2020 },
      settings: { dark: true },
    });
    const answer = await merge(survivor.contact, other.contact);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({
      id: survivor.contact,
      externalId: `crm-${second}`,
      profile: { name: 'Ada', email: first, telephone: number, locale: 'nl' },
      meta: { tier: 'gold', since: 2020 },
      settings: { dark: true },
    });
    expect(answer.body.notKept).toEqual([
      { path: 'profile.name', value: 'A. Lovelace' },
      { path: 'profile.email', value: second },
      { path: 'meta.tier', value: 'silver' },
    ]);
    const { notKept, ...contact } = answer.body;
    expect((await product.admin.get(`/contacts/${survivor.contact}`)).body).toEqual(contact);
    expect((await product.admin.get(`/contacts/${other.contact}`)).status).toBe(404);
    const free = await product.admin.post('/contacts', { profile: { email: second } });
    expect(free.status).toBe(201);
  });

  test('a merge passes the conversation of the removed contact on, with all messages and their numbers', async () => {
    const survivor = await newContact({ profile: { email: email() } });
    const number = telephone();
    const other = await newContact({ profile: { telephone: number, name: 'Zyxomma' } }, [
      'one',
      'two',
      'three',
    ]);
    const before = await messagesOf(other.conversation);
    expect((await merge(survivor.contact, other.contact)).status).toBe(200);
    const passed = (await product.admin.get(`/conversations/${other.conversation}`)).body;
    expect(passed.contact).toBe(survivor.contact);
    const after = await messagesOf(other.conversation);
    expect(after.map(({ text, sequence }) => [text, sequence])).toEqual(
      before.map(({ text, sequence }) => [text, sequence]),
    );
    expect(new Set(after.map(({ contact }) => contact))).toEqual(new Set([survivor.contact]));
    const all = await product.admin.get(`/conversations?contact=${survivor.contact}`);
    expect(all.body.map(({ id }: { id: string }) => id).sort()).toEqual(
      [survivor.conversation, other.conversation].sort(),
    );
    const posted = await product.admin.post('/messages', { conversation: other.conversation, text: 'four' });
    expect([posted.status, posted.body.sequence]).toEqual([201, before.length + 1]);
    const upsert = await product.admin.post('/conversations', {
      contact: { profile: { telephone: number } },
      messages: [{ text: 'found' }],
    });
    expect([upsert.status, upsert.body.id]).toEqual([200, survivor.conversation]);
  });

  test('the page of the removed contact shows the messages and takes new ones from the surviving contact', async () => {
    const survivor = await newContact({ profile: { email: email() } });
    const other = await newContact({ profile: { email: email() } });
    const say = (text: string) =>
      fetch(`${product.origin}/c/${other.slug}/messages`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ key: text, text }),
      });
    expect((await say('before')).status).toBe(201);
    expect((await merge(survivor.contact, other.contact)).status).toBe(200);
    expect((await say('after')).status).toBe(201);
    const messages = await messagesOf(other.conversation);
    expect(messages.map(({ text }) => text)).toEqual(['hello', 'before', 'after']);
    expect(new Set(messages.map(({ contact }) => contact))).toEqual(new Set([survivor.contact]));
  });

  test('a survivor without a conversation gets the conversation of the removed contact', async () => {
    const { body: survivor } = await product.admin.post('/contacts', { profile: { email: email() } });
    const other = await newContact({ profile: { telephone: telephone() } });
    const merged = await merge(survivor.id, other.contact);
    expect(merged.body.conversation).toBe(other.conversation);
    const upsert = await product.admin.post('/conversations', {
      contact: { profile: survivor.profile },
      messages: [{ text: 'found' }],
    });
    expect([upsert.status, upsert.body.id]).toEqual([200, other.conversation]);
  });

  test('a merge publishes contact.update with the previous values, contact.delete and conversation.update', async () => {
    const receiver = await startReceiver();
    try {
      const events = ['contact.update', 'contact.delete', 'conversation.update'];
      const made = await product.admin.post('/services', {
        name: 'merges',
        type: 'webhook',
        params: { url: receiver.url, events },
      });
      await eventually(
        async () => (await product.admin.get(`/services/${made.body.id}`)).body.status === 'active',
      );
      const profile = { email: email() };
      const survivor = await newContact({ profile });
      const other = await newContact({ profile: { telephone: telephone() } });
      await merge(survivor.contact, other.contact);
      const heard = await eventually(() => {
        const of = (name: string, id: string) =>
          arrivals(receiver).some(
            ({ json }) => json.event.startsWith(name) && json.data[name.split('.')[0] ?? '']?.id === id,
          );
        return (
          of('contact.update', survivor.contact) &&
          of('contact.delete', other.contact) &&
          of('conversation.update', other.conversation)
        );
      });
      expect(heard).toBe(true);
      const update = arrivals(receiver).find(
        ({ json }) => json.event === 'contact.update' && json.data.contact.id === survivor.contact,
      );
      expect(update?.json.data.previous).toEqual({ profile });
    } finally {
      await receiver.close();
    }
  });

  test('the deletion of one of several conversations leaves the contact, and the deletion of the contact takes all', async () => {
    const survivor = await newContact({ profile: { email: email() } });
    const others = [
      await newContact({ profile: { email: email() } }),
      await newContact({ profile: { email: email() } }),
    ];
    for (const { contact } of others) expect((await merge(survivor.contact, contact)).status).toBe(200);
    expect((await product.admin.request('DELETE', `/conversations/${survivor.conversation}`)).status).toBe(
      204,
    );
    const left = await product.admin.get(`/contacts/${survivor.contact}`);
    expect(others.map(({ conversation }) => conversation)).toContain(left.body.conversation);
    expect((await product.admin.request('DELETE', `/contacts/${survivor.contact}`)).status).toBe(204);
    for (const { conversation } of others)
      expect((await product.admin.get(`/conversations/${conversation}`)).status).toBe(404);
    expect((await product.admin.get(`/contacts/${survivor.contact}`)).status).toBe(404);
  });

  test('a merge is refused with itself, with a removed or unknown contact, and with a contact of another organization', async () => {
    const { contact } = await newContact({ profile: { email: email() } });
    const below = (await product.admin.post('/organizations', { name: `merges ${(count += 1)}` })).body.id;
    const foreign = await product.admin.post('/contacts', {
      organization: below,
      profile: { email: email() },
    });
    const removed = await product.admin.post('/contacts', { profile: { email: email() } });
    await product.admin.request('DELETE', `/contacts/${removed.body.id}`);
    const answers = [
      await merge(contact, contact),
      await merge(contact, removed.body.id),
      await merge(contact, 'f'.repeat(24)),
      await merge(contact, foreign.body.id),
      await merge(removed.body.id, contact),
      await product.admin.post(`/contacts/${contact}/merge`, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 404, 400]);
    expect((await product.admin.get(`/contacts/${contact}`)).status).toBe(200);
  });

  test.each(['bot', 'agent'])('a merge is refused to a user with role %s', async (role) => {
    const one = await newContact({ profile: { email: email() } });
    const two = await newContact({ profile: { email: email() } });
    const user = await newUser(product, { role });
    expect((await user.post(`/contacts/${one.contact}/merge`, { contact: two.contact })).status).toBe(403);
  });

  test('a merge with a repeated Idempotency-Key responds with the first response', async () => {
    const one = await newContact({ profile: { email: email() } });
    const two = await newContact({ profile: { telephone: telephone() } });
    const key = { 'Idempotency-Key': `merge-${one.contact}` };
    const first = await merge(one.contact, two.contact, key);
    const again = await merge(one.contact, two.contact, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test('one of two contacts survives, or both, if they are merged into each other at once', async () => {
    for (let tries = 0; tries < 5; tries += 1) {
      const [one, two] = [
        await newContact({ profile: { email: email() } }),
        await newContact({ profile: { telephone: telephone() } }),
      ];
      const answers = await Promise.all([merge(one.contact, two.contact), merge(two.contact, one.contact)]);
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
      expect(statuses[0] === 200 || statuses[0] === 409, JSON.stringify(statuses)).toBe(true);
      const left = [];
      for (const { contact } of [one, two]) {
        const found = await product.admin.get(`/contacts/${contact}`);
        if (found.status === 200) left.push(found.body);
      }
      expect(left).toHaveLength(statuses[0] === 200 ? 1 : 2);
      for (const { conversation } of [one, two]) {
        const { contact } = (await product.admin.get(`/conversations/${conversation}`)).body;
        expect(left.map(({ id }) => id as string)).toContain(contact);
      }
      const identifiers = left.flatMap(({ profile }) => [profile.email, profile.telephone]);
      expect(identifiers.filter((value) => value !== undefined)).toHaveLength(2);
    }
  });

  test('messages that are posted during a merge are all stored, in order', async () => {
    const survivor = await newContact({ profile: { email: email() } });
    const number = telephone();
    const other = await newContact({ profile: { telephone: number } });
    const api = client(product.base, product.token);
    const posts = Array.from({ length: 20 }, (_, at) => async () => {
      const answer = await api.post('/conversations', {
        contact: { profile: { telephone: number } },
        messages: [{ text: `post ${at}` }],
      });
      return [answer.status, answer.body.id] as const;
    });
    const writing = Promise.all(posts.map((post) => post()));
    const merged = await merge(survivor.contact, other.contact);
    expect(merged.status).toBe(200);
    const written = await writing;
    const conversations = new Set(written.map(([, id]) => id));
    const texts: string[] = [];
    for (const id of conversations) {
      const messages = await messagesOf(id);
      expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, at) => at + 1));
      texts.push(...messages.map(({ text }) => text).filter((text) => text.startsWith('post')));
    }
    expect(texts.sort()).toEqual(Array.from({ length: 20 }, (_, at) => `post ${at}`).sort());
  });
});
