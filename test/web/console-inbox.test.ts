import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newPerson, openConsole, signIn } from './console.ts';
import { stage } from './stage.ts';

const on = stage('console_inbox');
const SCRIPT = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

/**
 * Creates a conversation in the organization of this file. The returned `lines` reads the chat
 * messages of the conversation.
 */
async function newConversation(name: string, text = 'Hello, I need help') {
  const { admin, organization } = on.product;
  const { body } = await admin.post('/conversations', {
    organization,
    contact: { profile: { name, email: `${name.toLowerCase().replace(/\W/g, '')}@example.com` } },
    messages: [{ text, role: 'contact' }],
  });
  const id = body.id as string;
  const lines = async () => {
    const { body: messages } = await admin.get(`/conversations/${id}/messages?type=chat`);
    return messages.map((one: { role: string; text: string }) => `${one.role}: ${one.text}`) as string[];
  };
  return { id, lines, say: (message: object) => admin.post(`/conversations/${id}/messages`, message) };
}

describe('the inbox of the console', () => {
  test('an agent accepts a queued conversation in the inbox, replies, and sees new messages immediately', async () => {
    const agent = await newPerson(on.product, { role: 'agent', givenName: 'Ada' });
    const { page, complaints } = await openConsole(on, agent);
    const talk = await newConversation('Grace Hopper');
    await page.getByRole('link', { name: /Grace Hopper/ }).click();
    await page.getByText('Hello, I need help').waitFor();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.locator('.conversation .badge', { hasText: 'Active' }).waitFor();
    await page.getByRole('textbox', { name: 'Write to the contact' }).fill('Good morning!');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.line.agent', { hasText: 'Good morning!' }).waitFor();
    expect(await page.locator('.line.agent .author strong').textContent()).toBe('Ada');
    await talk.say({ text: 'Thank you', role: 'contact' });
    await page.locator('.line.contact', { hasText: 'Thank you' }).waitFor();
    expect(await talk.lines()).toEqual([
      'contact: Hello, I need help',
      'agent: Good morning!',
      'contact: Thank you',
    ]);
    await eventually(async () => {
      const { body } = await on.product.admin.get(`/conversations/${talk.id}`);
      return body.participants.every(
        (one: { user: string; unreadCount: number }) => one.user !== agent.id || one.unreadCount === 0,
      );
    });
    expect(complaints).toEqual([]);
  });

  test('the inbox of the console loads new and changed conversations after stream events and does not poll', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: '#/inbox/queued' });
    const first = await newConversation('Katherine Johnson');
    await page.getByRole('link', { name: /Katherine Johnson/ }).waitFor();
    let asked = 0;
    page.on('request', (request) => (asked += Number(request.url().includes('/v2/conversations?'))));
    await page.waitForTimeout(4_000);
    expect(asked).toBe(0);
    await newConversation('Dorothy Vaughan');
    await page.getByRole('link', { name: /Dorothy Vaughan/ }).waitFor();
    await first.say({ type: 'command', text: '/set status closed' });
    await page.getByRole('link', { name: /Katherine Johnson/ }).waitFor({ state: 'detached' });
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  test('the inbox of the console moves a conversation to the top after a message, but not after reads, assignments and renames', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const older = await newConversation('Hedy Lamarr');
    await newConversation('Mary Cartwright');
    const { page } = await openConsole(on, agent, { place: '#/inbox/all' });
    const names = () => page.locator('.row .title').allInnerTexts();
    const twoOf = async () => (await names()).filter((name) => /Lamarr|Cartwright/.test(name));
    await expect.poll(twoOf).toEqual(['Mary Cartwright', 'Hedy Lamarr']);
    await older.say({ type: 'command', text: '/assign', meta: { users: [agent.id] } });
    await older.say({ text: 'Is anybody there?', role: 'contact' });
    await expect.poll(twoOf).toEqual(['Hedy Lamarr', 'Mary Cartwright']);
    await newConversation('Emmy Noether');
    await expect.poll(async () => (await names())[0]).toBe('Emmy Noether');
    const row = page.getByRole('link', { name: /Hedy Lamarr/ });
    await row.locator('.count').waitFor();
    await row.click();
    await row.locator('.count').waitFor({ state: 'detached' });
    await older.say({ type: 'command', text: '/set name Hedy' });
    await expect.poll(names).toContain('Hedy');
    expect((await names())[0]).toBe('Emmy Noether');
    await older.say({ text: 'Thanks', role: 'contact' });
    await expect.poll(async () => (await names())[0]).toBe('Hedy');
  });

  test('the inbox of the console filters a list by category', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all' });
    const [sales, returns] = [await newConversation('Ada Sold'), await newConversation('Bea Returned')];
    await sales.say({ type: 'command', text: '/set category sales' });
    await returns.say({ type: 'command', text: '/set category <returns>' });
    await page.getByRole('link', { name: /Bea Returned.*<returns>/ }).waitFor();
    const field = page.getByLabel('Category');
    for (const [category, shown, hidden] of [
      ['sales', 'Ada Sold', 'Bea Returned'],
      ['<returns>', 'Bea Returned', 'Ada Sold'],
    ] as const) {
      await field.fill(category);
      await field.press('Enter');
      await page.getByRole('link', { name: new RegExp(hidden) }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: new RegExp(shown) }).waitFor();
    }
  });

  test('the inbox of the console sends notes to the back channel and can cancel a delayed message', async () => {
    const talk = await newConversation('Mary Jackson');
    const admin = await newPerson(on.product, { role: 'admin' });
    const { page } = await openConsole(on, admin, { place: `#/inbox/all/${talk.id}` });
    await page.getByLabel('Back channel').check();
    await page.getByRole('textbox', { name: 'Write to colleagues' }).fill('a difficult one');
    await page.getByRole('button', { name: 'Send to the back channel' }).click();
    await page.locator('.line.backchannel', { hasText: 'a difficult one' }).waitFor();
    await page.getByLabel('Back channel').uncheck();
    await page.getByRole('textbox', { name: 'Write to the contact' }).fill('in an hour');
    await page.getByLabel('When to send').selectOption('3600000');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const waiting = page.getByRole('region', { name: 'Waiting to be sent' });
    await waiting.getByText('in an hour').waitFor();
    await waiting.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Do not send' }).click();
    await waiting.waitFor({ state: 'detached' });
    const { body } = await on.product.admin.get(`/conversations/${talk.id}/timeline?processedAt=!`);
    expect(body).toEqual([]);
  });

  test('the contact sees that an agent types a message, but not that an agent types a note', async () => {
    const talk = await newConversation('Hedy Lamarr');
    const agent = await newPerson(on.product, { role: 'agent' });
    const { body } = await on.product.admin.get(`/conversations/${talk.id}`);
    const contact = await on.open(body.url.replace(/^https?:\/\/[^/]+/, on.product.origin));
    await contact.page.getByText('Connected').waitFor();
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    await page.getByLabel('Back channel').check();
    await page.getByRole('textbox', { name: 'Write to colleagues' }).pressSequentially('psst');
    await page.getByLabel('Back channel').uncheck();
    expect(await contact.page.getByText('is typing').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Write to the contact' }).pressSequentially('One moment');
    await contact.page.getByText('is typing').first().waitFor();
  });

  test('two agents who accept a conversation at the same time both see the result', async () => {
    const talk = await newConversation('Dorothy Vaughan');
    const agents = await Promise.all([1, 2].map(() => newPerson(on.product, { role: 'agent' })));
    const consoles = await Promise.all(
      agents.map((agent) => openConsole(on, agent, { place: `#/inbox/all/${talk.id}` })),
    );
    await Promise.all(consoles.map(({ page }) => page.getByRole('button', { name: 'Accept' }).click()));
    for (const { page } of consoles) {
      await page.getByRole('button', { name: 'Leave' }).waitFor();
      await eventually(async () => (await page.locator('.people li', { hasText: 'accepted' }).count()) === 2);
    }
  });

  test('the inbox of the console keeps a draft across a reload and the end of the session', async () => {
    const talk = await newConversation('Annie Easley');
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    const field = page.getByRole('textbox', { name: 'Write to the contact' });
    await field.fill('half a sentence');
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe('half a sentence');
    await field.fill('a whole sentence');
    await page.context().clearCookies();
    // The sign-in dialog may already cover the button, because another request was refused.
    await page.locator('.reply button.main').dispatchEvent('click');
    await page.getByText('Your session has ended').first().waitFor();
    await page.reload();
    await signIn(page, agent);
    await expect.poll(() => field.inputValue()).toBe('a whole sentence');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.line.agent', { hasText: 'a whole sentence' }).waitFor();
    expect(await talk.lines()).toEqual(['contact: Hello, I need help', 'agent: a whole sentence']);
  });

  test('the inbox of the console shows that an open conversation was deleted', async () => {
    const talk = await newConversation('Katherine Johnson');
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    await page.locator('.line').first().waitFor();
    await on.product.admin.request('DELETE', `/conversations/${talk.id}`);
    await page.getByText('This conversation is not there any more.').waitFor();
  });

  test('the inbox of the console searches conversations and lists them by status', async () => {
    await newConversation('Radia Perlman');
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent);
    await page.getByLabel('Search conversations').fill('perl');
    await page.getByRole('link', { name: /Radia Perlman/ }).waitFor();
    await page.getByLabel('Search conversations').fill('nobody of this name');
    await page.getByText('Nothing found').waitFor();
    await page.getByLabel('Search conversations').fill('');
    await page.getByRole('link', { name: 'Closed' }).click();
    await page.getByText('Nothing in “Closed”.').waitFor();
  });

  test('the inbox of the console shows markup in every field as text', async () => {
    const talk = await newConversation('Mallory', SCRIPT);
    await on.product.admin.request('PATCH', `/conversations/${talk.id}`, {
      name: SCRIPT,
      meta: { note: SCRIPT },
    });
    await talk.say({ text: `end ${SCRIPT}`, contentType: 'text/html', role: 'agent' });
    await talk.say({
      type: 'card',
      text: SCRIPT,
      items: [{ title: SCRIPT, actions: [{ type: 'link', text: SCRIPT, uri: 'javascript:alert(3)' }] }],
    });
    const agent = await newPerson(on.product, { role: 'agent', givenName: SCRIPT });
    const { page, complaints } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    await page.locator('.line').nth(2).waitFor();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.locator('.people li', { hasText: 'accepted' }).waitFor({ state: 'attached' });
    expect(await page.locator('#console script, #console [onerror]').count()).toBe(0);
    expect(await page.locator('#console a[href^="javascript"]').count()).toBe(0);
    expect(complaints.filter((one) => one.startsWith('dialog'))).toEqual([]);
  });
});
