import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newPerson, openConsole, openList, signIn } from './console.ts';
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
    await page.getByRole('log').getByText('Hello, I need help').waitFor();
    await page.getByRole('button', { name: 'Take' }).click();
    await page.locator('.conversation .badge', { hasText: 'Active' }).waitFor();
    await page.getByRole('textbox', { name: 'Write to the contact' }).fill('Good morning!');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.line.agent', { hasText: 'Good morning!' }).waitFor();
    await expect.poll(() => page.locator('.line.agent .author strong').textContent()).toBe('Ada');
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
    page.on(
      'request',
      (request) => (asked += Number(/\/v2\/conversations\?.*limit=100/.test(request.url()))),
    );
    // The conversation may still change. A poll would come every three seconds.
    await eventually(async () => {
      asked = 0;
      await page.waitForTimeout(4_000);
      return asked === 0;
    });
    await newConversation('Dorothy Vaughan');
    await page.getByRole('link', { name: /Dorothy Vaughan/ }).waitFor();
    await first.say({ type: 'command', text: '/set status closed' });
    await page.getByRole('link', { name: /Katherine Johnson/ }).waitFor({ state: 'detached' });
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  test('the inbox of the console shows a conversation that begins while the list is loading', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    await newConversation('Ida Rhodes');
    const { page } = await openConsole(on, agent, { place: '#/reports' });
    await page.route(
      /\/v2\/conversations\?.*limit=100/,
      async (route) => {
        const response = await route.fetch();
        // The event of the stream comes first.
        const counted = page.waitForRequest(/\/v2\/conversations\?/);
        await newConversation('Grace Chisholm');
        await counted;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.goto(`${on.product.origin}/console#/inbox/queued`);
    await page.getByRole('link', { name: /Grace Chisholm/ }).waitFor();
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

  test('a row of the inbox shows the last message and its author, the waiting time and the assignee, and the queue begins with the longest wait', async () => {
    const agent = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
    const first = await newConversation('Waits Longest', 'Is anybody there?');
    await newConversation('Waits Less');
    const { page } = await openConsole(on, agent, { place: '#/inbox/queued' });
    const names = async () =>
      (await page.locator('.row .title').allInnerTexts()).filter((name) => name.startsWith('Waits'));
    await expect.poll(names).toEqual(['Waits Longest', 'Waits Less']);
    await first.say({ text: 'Still nobody?', role: 'contact' });
    const row = page.getByRole('link', { name: /Waits Longest/ });
    await row.getByText('Still nobody?').waitFor();
    expect(await names()).toEqual(['Waits Longest', 'Waits Less']);
    await expect.poll(() => row.locator('.waiting').count()).toBe(1);
    await row.click();
    await page.getByRole('button', { name: 'Take' }).click();
    await page.getByRole('textbox', { name: 'Write to the contact' }).fill('Good morning');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    // The list of the next page has the reply only if it was posted before.
    await page.locator('.line.agent', { hasText: 'Good morning' }).waitFor();
    await page.goto(`${on.product.origin}/console#/inbox/active`);
    await row.getByText('Grace: Good morning').waitFor();
    await row.getByText('→ Grace').waitFor();
    await expect.poll(() => row.locator('.waiting').count()).toBe(0);
    await page.getByRole('link', { name: /^Mine 1$/ }).waitFor();
  });

  test('the inbox of the console filters a list by category', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all' });
    const [sales, returns] = [await newConversation('Ada Sold'), await newConversation('Bea Returned')];
    await sales.say({ type: 'command', text: '/set category sales' });
    await returns.say({ type: 'command', text: '/set category <returns>' });
    await page.getByRole('link', { name: /Bea Returned.*<returns>/ }).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const field = page.getByLabel('Category', { exact: true });
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

  test('the category filter of the inbox keeps what an agent types while the list changes', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all' });
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const field = page.getByLabel('Category', { exact: true });
    await field.pressSequentially('sal');
    await newConversation('Cleo Arrived');
    await page.getByRole('link', { name: /Cleo Arrived/ }).waitFor();
    await expect.poll(() => field.inputValue()).toBe('sal');
  });

  test('the inbox of the console keeps a reply and a note apart, sends the note to colleagues, and cancels a message that is sent later', async () => {
    const talk = await newConversation('Mary Jackson');
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    await page.getByRole('textbox', { name: 'Write to the contact' }).fill('in an hour');
    await page.getByRole('tab', { name: 'Note' }).click();
    await page.getByRole('textbox', { name: 'Write to colleagues' }).fill('a difficult one');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.line.backchannel', { hasText: 'a difficult one' }).waitFor();
    await page.getByRole('tab', { name: 'Reply' }).click();
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('dialog').getByLabel('Send at').selectOption({ label: 'In an hour' });
    await page.getByRole('dialog').getByRole('button', { name: 'Send later' }).click();
    const waiting = page.getByRole('region', { name: 'Waiting to be sent' });
    await waiting.getByText('in an hour').waitFor();
    const dismissed = page.getByRole('dialog', { name: 'Do not send this message?' });
    await waiting.getByRole('button', { name: 'Do not send' }).click();
    expect(await dismissed.getByRole('button').allTextContents()).toEqual([
      '✕',
      'Send as planned',
      'Do not send',
    ]);
    await dismissed.getByRole('button', { name: 'Send as planned' }).click();
    await waiting.getByRole('button', { name: 'Do not send' }).click();
    await dismissed.getByRole('button', { name: 'Do not send' }).click();
    await waiting.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Write to the contact' }).inputValue())
      .toBe('in an hour');
    const { body } = await on.product.admin.get(`/conversations/${talk.id}/timeline?processedAt=!`);
    expect(body).toEqual([]);
  });

  test('the inbox of the console keeps a reply that is opened before the response to a note', async () => {
    const talk = await newConversation('Valerie Thomas');
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    let pass = () => {};
    const passed = new Promise<void>((resolve) => (pass = resolve));
    await page.route(`**/conversations/${talk.id}/messages`, async (route) => {
      const response = await route.fetch();
      if (route.request().method() === 'POST') await passed;
      await route.fulfill({ response });
    });
    const reply = page.getByRole('textbox', { name: 'Write to the contact' });
    await reply.fill('a long reply');
    await page.getByRole('tab', { name: 'Note' }).click();
    await page.getByRole('textbox', { name: 'Write to colleagues' }).fill('a note');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.line.backchannel', { hasText: 'a note' }).waitFor();
    await page.getByRole('tab', { name: 'Reply' }).click();
    const responded = page.waitForResponse((response) => response.request().method() === 'POST');
    pass();
    await responded;
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.line.agent', { hasText: 'a long reply' }).waitFor();
    await page.getByRole('tab', { name: 'Note' }).click();
    const note = page.getByRole('textbox', { name: 'Write to colleagues' });
    await expect.poll(() => note.inputValue()).toBe('');
  });

  test('the contact sees that an agent types a message, but not that an agent types a note', async () => {
    const talk = await newConversation('Hedy Lamarr');
    const agent = await newPerson(on.product, { role: 'agent' });
    const { body } = await on.product.admin.get(`/conversations/${talk.id}`);
    const contact = await on.open(body.url.replace(/^https?:\/\/[^/]+/, on.product.origin));
    await contact.page.getByText('Connected').waitFor();
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    await page.getByRole('tab', { name: 'Note' }).click();
    await page.getByRole('textbox', { name: 'Write to colleagues' }).pressSequentially('psst');
    await page.getByRole('tab', { name: 'Reply' }).click();
    await expect.poll(() => contact.page.getByText('is typing').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Write to the contact' }).pressSequentially('One moment');
    await contact.page.getByText('is typing').first().waitFor();
  });

  test('an agent snoozes a conversation until a time, wakes it, and sees when it wakes', async () => {
    const talk = await newConversation('Lise Meitner');
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    const snoozedUntil = async () =>
      (await on.product.admin.get(`/conversations/${talk.id}`)).body.snoozedUntil as string | undefined;
    const snooze = async (until: string) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Snooze' }).click();
      await page.getByLabel('Until').selectOption({ label: until });
    };
    const press = () => page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click();
    await snooze('Another time…');
    await page.getByLabel('Date and time').fill('2001-02-03T04:05');
    await press();
    await page.getByLabel('Date and time').and(page.locator('[aria-invalid="true"]:focus')).waitFor();
    await page.getByLabel('Until').selectOption({ label: 'Tomorrow morning, 9:00' });
    await press();
    await page.locator('.row time', { hasText: /Snoozed until .*9:00/ }).waitFor();
    await page.locator('.conversation header time', { hasText: /^Snoozed until .*9:00/ }).waitFor();
    expect(Date.parse((await snoozedUntil()) ?? '')).toBeGreaterThan(Date.now());
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => page.getByRole('menuitem', { name: 'Snooze' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Wake' }).click();
    await expect.poll(() => page.getByText(/^Snoozed until/).count()).toBe(0);
    expect(await snoozedUntil()).toBeUndefined();
  });

  test('two agents who accept a conversation at the same time both see the result', async () => {
    const talk = await newConversation('Dorothy Vaughan');
    const agents = await Promise.all([1, 2].map(() => newPerson(on.product, { role: 'agent' })));
    const consoles = await Promise.all(
      agents.map((agent) => openConsole(on, agent, { place: `#/inbox/all/${talk.id}` })),
    );
    await Promise.all(consoles.map(({ page }) => page.getByRole('button', { name: 'Take' }).click()));
    for (const { page } of consoles) {
      await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
      await eventually(async () => (await page.locator('.people li', { hasText: 'accepted' }).count()) >= 2);
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
    await page.getByText('This conversation does not exist any more.').waitFor();
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
    await openList(page, 'Closed');
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
    await page.getByRole('button', { name: 'Take' }).click();
    await page.locator('.people li', { hasText: 'accepted' }).waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('#console script, #console [onerror]').count()).toBe(0);
    await expect.poll(() => page.locator('#console a[href^="javascript"]').count()).toBe(0);
    expect(complaints.filter((one) => one.startsWith('dialog'))).toEqual([]);
  });
});
