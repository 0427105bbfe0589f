import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConversation } from '../support/client.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { newEventType } from '../support/event-types.ts';
import type { Product } from '../support/product.ts';
import { HOSTILE } from '../application/expressions/hostile-expressions.ts';

/**
 * At least one expression of each kind of harm, and all expressions with lookups.
 * test/application/expressions/pool.test.ts runs all hostile expressions. events-flood.test.ts
 * measures the effect on a neighbour.
 */
const SENT = [
  'endless tail calls',
  'endless loop beside an error',
  'half a gigabyte of padding',
  'a list that doubles',
  'too many repetitions',
  'the constructor',
  'lookups without end',
  'a lookup by an operator',
  'a lookup by an object',
  'a lookup of a hidden field',
  'a function within',
  'a hundred megabytes',
  'too many levels',
  'half a character',
  'a NUL character',
  'a number that overflows',
];

describe('hostile expressions', () => {
  let product: Product;
  let bot: KeyHolder;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('hostile_events');
    bot = await newUser(product, { role: 'bot' });
    conversation = await createConversation(product.admin, { name: 'neighbour' });
  });

  afterAll(() => product.close());

  test('hostile expressions fail with 422 each, and other callers can post at the same time', async () => {
    const hostile = HOSTILE.filter(([name]) => SENT.includes(name));
    expect(hostile).toHaveLength(SENT.length);
    for (const [index, [, expression]] of hostile.entries())
      await newEventType(product, `hostile.${index}`, expression);
    const state = { isOver: false };
    const attack = (async () => {
      const statuses: [name: string, status: number][] = [];
      for (const [index, [name]] of hostile.entries())
        statuses.push([name, (await bot.post(`/events/hostile.${index}`, { conversation })).status]);
      return statuses;
    })();
    void attack.finally(() => (state.isOver = true));
    for (let count = 0; !state.isOver; count += 1) {
      const message = { conversation, text: `neighbour ${count}` };
      expect((await product.admin.post('/messages', message)).status).toBe(201);
    }
    expect(await attack).toEqual(SENT.map((name) => [name, 422]));
  });

  test('hostile expressions cannot read a record of another organization with any lookup function', async () => {
    const child = (await product.admin.post('/organizations', { name: 'Child', meta: { code: 'child' } }))
      .body.id;
    const sibling = (
      await product.admin.post('/organizations', { name: 'Sibling', meta: { code: 'sibling' } })
    ).body.id;
    for (const organization of [product.organization, sibling, child]) {
      const contact = { profile: { email: 'someone@example.com', name: organization } };
      await product.admin.post('/conversations', {
        organization,
        contact,
        messages: [{ text: 'x' }],
        meta: { key: 'same' },
      });
    }
    await newEventType(
      product,
      'look.around',
      `$error($string([
        $conversation({"meta.key": "same"}).organization, $contact({"profile.email": "someone@example.com"}).organization,
        $organization({"meta.code": "child"}).id, $organization({"meta.code": "sibling"}).id,
        $organization({"id": $$.root}).id, $conversation({"organization": $$.sibling}).id,
        $contact({"organization": $$.root}).id, $conversation({"meta.key": "same"}).commit
      ]))`,
    );
    const childBot = await newUser(product, { role: 'bot', organization: child });
    const answer = await childBot.post('/events/look.around', { root: product.organization, sibling });
    expect(answer.body.message).toContain(JSON.stringify([child, child, child]));
  });

  test.each(['conversation', 'contact', 'organization'])(
    'hostile expressions read from the record of a %s only the fields that the API shows',
    async (name) => {
      const { admin, organization } = product;
      const contact = { profile: { email: `${name}.shown@example.com` } };
      const messages = [{ text: 'x' }, { type: 'field', text: '.locale de' }];
      const { body: made } = await admin.post('/conversations', { organization, contact, messages });
      const id = name === 'conversation' ? made.id : made[name];
      await newEventType(product, `see.${name}`, `$error($string($keys($${name}({"id": id}))))`);
      const { body } = await admin.post(`/events/see.${name}`, { id });
      const seen = JSON.parse(/\[.*\]/.exec(body.message)?.[0] ?? '[]') as string[];
      const { body: shown } = await admin.get(`/${name}s/${id}`);
      // The stored conversation does not contain its message ids.
      delete shown.messages;
      expect(seen.sort()).toEqual(Object.keys(shown).sort());
    },
  );
});
