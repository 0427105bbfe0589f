import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import type { Product } from '../support/product.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';

const EVENT = 'reply.unread';

/** Returns the expression of the guide that sends unread replies by mail. */
async function readExpression(): Promise<string> {
  const guide = await readFile(new URL('../../docs/timers.md', import.meta.url), 'utf8');
  const [, expression] =
    /PUT \/eventtypes\/\{\{unreadType\}\}\/jsonata\nContent-Type: [^\n]+\n\n([^]+?)\n\n[A-Z]+ \//.exec(
      guide,
    ) ?? [];
  if (expression === undefined) throw new Error('docs/timers.md has no expression for unread replies');
  return expression;
}

/** Section 14.1 of the specification. */
describe('the mail to a contact who has left the chat page', () => {
  let product: Product;
  let server: MailServer;
  let people = 0;

  beforeAll(async () => {
    product = await sharedApi('unread-mail');
    const { admin, organization } = product;
    server = await new MailServer().start();
    const made = await admin.post('/services', { name: 'Mail', type: 'email', params: server.params() });
    expect(made.body.status).toBe('active');
    const bot = await newUser(product, { role: 'bot' });
    await newEventType(product, EVENT, await readExpression());
    const timer = { name: 'left', when: 'unread', after: 6_000, event: EVENT, user: bot.user };
    const { status } = await admin.request('PATCH', `/organizations/${organization}`, { timers: [timer] });
    expect(status).toBe(200);
  });
  afterAll(async () => {
    await product.close();
    await server.close();
  });

  const newAddress = () => `left${(people += 1)}@receiver.example`;
  /** Begins a conversation on the chat page. */
  const begin = async (profile: object) => {
    const { status, body } = await product.admin.post('/conversations', {
      ...{ type: 'contact', contact: { profile } },
      messages: [{ text: 'Hi', role: 'contact', touchpoint: 'web' }],
    });
    expect(status).toBe(201);
    return body as { id: string; slug: string };
  };
  const reply = async (conversation: string, text: string) => {
    const body = { conversation, text, role: 'agent', touchpoint: 'web' };
    const posted = await product.admin.post('/messages', body);
    expect([posted.status, posted.body.service]).toEqual([201, undefined]);
    return posted.body.sequence as number;
  };
  /** Waits for the event of the timer. */
  const eventOf = (conversation: string) =>
    eventually(async () => {
      const { body } = await product.admin.get(`/events?name=${EVENT}&status=!=received&limit=50`);
      return (body as any[]).find((event) => event.body.conversation === conversation) ?? null;
    });
  const textsTo = (address: string) => server.sentTo(address).map(({ mail }) => mail.text?.trim());

  test('two replies that the contact has not read are one mail with both texts', async () => {
    const email = newAddress();
    const { id } = await begin({ email });
    await reply(id, 'It costs 5 euros.');
    await reply(id, 'Shall I order it?');
    await eventually(() => textsTo(email).length > 0);
    // A later mail would follow this mail.
    await reply(id, 'It is the last one.');
    await eventually(() => textsTo(email).length > 1);
    expect(textsTo(email)).toEqual(['It costs 5 euros.\n\nShall I order it?', 'It is the last one.']);
  });

  test('no mail is sent for replies that the contact has read, or to a contact without an email address', async () => {
    const [email, other] = [newAddress(), newAddress()];
    const [read, nameless, left] = [
      await begin({ email }),
      await begin({ telephone: '+31612345111' }),
      await begin({ email: other }),
    ];
    const sequence = await reply(read.id, 'You will read this.');
    const noted = await fetch(`${product.origin}/c/${read.slug}/read`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sequence }),
    });
    expect(noted.status).toBe(204);
    await reply(nameless.id, 'You have no address.');
    await reply(left.id, 'You have left.');
    await eventually(() => textsTo(other).length > 0);
    expect((await eventOf(nameless.id)).status).toBe('ignored');
    const { body } = await product.admin.get(`/messages?conversation=${nameless.id}&role=bot`);
    expect([textsTo(email), body]).toEqual([[], []]);
    expect(textsTo(other)).toEqual(['You have left.']);
  });
});
