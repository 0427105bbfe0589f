import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { stage } from './stage.ts';

const MAX_CLICKS = 20;

const on = stage('console_admin');

function counting(page: Page) {
  let clicks = 0;
  return {
    clicks: () => clicks,
    press: async (role: 'button' | 'link', name: string | RegExp) => {
      clicks += 1;
      await page.getByRole(role, { name }).first().click();
    },
  };
}

describe('the console of an admin', () => {
  test('an admin needs at most 20 clicks and no id in the console to create an organization with its widget, an agent, a bot, a key and a webhook, and to find and replay a failed delivery', async () => {
    const admin = await newPerson(on.product, { role: 'admin' });
    const receiver = await startReceiver();
    const { page, complaints } = await openConsole(on, admin, { permissions: ['clipboard-write'] });
    const { press, clicks } = counting(page);
    const name = `Branch ${on.product.organization}`;
    const email = `setup-${on.product.organization}@example.com`;

    await press('link', 'Settings');
    await press('button', 'New organization');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await press('button', 'Save');
    await page.getByRole('heading', { name }).waitFor();
    await keepShot(page, 'console-setup');
    const snippet = await page.getByLabel('Line for the website').inputValue();
    await press('button', 'Copy');

    await press('link', 'Invite an agent');
    const form = page.getByRole('dialog');
    await form.getByLabel('Email').fill(email);
    await press('button', 'Save');
    await page.getByRole('textbox', { name: 'Password link' }).waitFor();
    await press('button', 'Copy');

    await press('link', 'Settings');
    await press('link', name);
    await press('link', 'Connect a bot');
    await form.getByLabel('Given name').fill('Robby');
    await press('button', 'Save');
    const token = await page.getByLabel('New key', { exact: true }).inputValue();
    expect(token).toMatch(/^plk_/);
    await press('button', 'Copy');

    await press('link', 'Settings');
    await press('link', name);
    await press('link', 'Add a webhook');
    await page.getByLabel('Name', { exact: true }).fill('orders');
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Events', { exact: true }).fill('message.create');
    // The only bot of the organization is proposed.
    await expect.poll(() => form.locator('select').filter({ hasText: 'Robby' }).inputValue()).not.toBe('');
    await press('button', 'Add and verify');
    await page.getByText('Healthy').waitFor();

    receiver.behave(respondWith(500));
    const bot = client(on.product.base, token);
    const { body: me } = await bot.get('/users/me');
    const { body: talk } = await bot.post('/conversations', { messages: [{ text: 'I am Robby' }] });
    const asked = { conversation: talk.id, role: 'contact', text: 'hello' };
    expect((await on.product.admin.post('/messages', asked)).status).toBe(201);
    await page.locator('tr', { hasText: 'message.create' }).getByText('next').waitFor();
    await press('link', /^message\.create/);
    await page.getByText('· 500').first().waitFor();
    receiver.behave(respondWith(200));
    await press('button', 'Send again');
    await page.locator('.head .badge', { hasText: 'Delivered' }).waitFor();

    expect(clicks()).toBeLessThanOrEqual(MAX_CLICKS);
    expect(snippet).toContain(me.organization);
    const { body: agents } = await on.product.admin.get(`/users?email=${encodeURIComponent(email)}`);
    expect(agents).toMatchObject([{ role: 'agent', organization: me.organization }]);
    const { body: webhooks } = await on.product.admin.get(`/services?organization=${me.organization}`);
    expect(webhooks).toMatchObject([{ user: me.id, organization: me.organization }]);
    expect(receiver.received.some(({ body }) => body.includes('"hello"'))).toBe(true);
    expect(complaints).toEqual([]);
    await receiver.close();
  });

  test('the console shows the result and the errors of an expression while an admin edits it', async () => {
    const admin = await newPerson(on.product, { role: 'admin' });
    const conversation = (await on.product.admin.post('/conversations', {})).body.id;
    const { page } = await openConsole(on, admin, { place: '#/events/types' });
    const results = page.getByRole('region', { name: 'Resulting posts' });
    await page.getByRole('button', { name: 'New event type' }).click();
    await page.getByLabel('Name', { exact: true }).fill('console.order');
    await page.locator('dialog').getByRole('button', { name: 'New event type' }).click();
    // The initial expression works with its sample event, and the contact can see its message.
    await results.getByText('Your order 42 is on its way.').waitFor();
    await expect.poll(() => results.getByText('Note').count()).toBe(0);
    const event = page.getByLabel('Event', { exact: true });
    await event.fill('{\n  "number": 7,\n}');
    await results.getByText('Event: not valid JSON at line 3, column 1.').waitFor();
    await expect.poll(() => results.getByRole('alert').count()).toBe(0);
    await event.fill(JSON.stringify({ conversation, number: 7, email: 'ada@example.com' }));
    await results.getByText('Your order 7 is on its way.').waitFor();
    const editor = page.getByLabel('Expression (JSONata)');
    await editor.fill('{"conversation": conversation,\n "messages": [{"text": $nothing(1)}]}');
    await results.getByRole('alert').waitFor();
    await editor.fill('{"conversation": conversation, "messages": [{"text": "n" & number}]}');
    await page.getByText('n7', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not saved').waitFor({ state: 'detached' });
    const { body } = await on.product.admin.post('/events/console.order', { conversation, number: 8 });
    expect(body.status).toBe('processed');
    await page.goto(`${on.product.origin}/console#/events/log`);
    await page.getByRole('link', { name: 'console.order' }).click();
    await page.getByText('1 message').waitFor();
  });

  test('the console previews an expression with the headers of the latest event as $event', async () => {
    const admin = await newPerson(on.product, { role: 'admin' });
    const conversation = (await on.product.admin.post('/conversations', {})).body.id;
    const { body } = await on.product.admin.post('/eventtypes', { name: 'console.headers' });
    const jsonata = `{"conversation": "${conversation}", "messages": [{"text": $event.headers.\`x-shop-topic\` & " of " & $event.name}]}`;
    await on.product.admin.post('/events/console.headers', {}, { 'X-Shop-Topic': 'orders' });
    const { page } = await openConsole(on, admin, { place: `#/events/types/${body.id}` });
    await page.getByLabel('Expression (JSONata)').fill(jsonata);
    await page.getByText('orders of console.headers', { exact: true }).waitFor();
    await page.locator('summary').filter({ hasText: '$event' }).click();
    await page.getByText('"x-shop-topic": "orders"').waitFor();
  });

  test('an expression that is not saved survives other screens and a reload, until it is discarded', async () => {
    const admin = await newPerson(on.product, { role: 'admin' });
    const jsonata = '{"messages": []}';
    const { body } = await on.product.admin.post('/eventtypes', { name: 'console.unsaved', jsonata });
    const { page } = await openConsole(on, admin, { place: `#/events/types/${body.id}` });
    const editor = page.getByLabel('Expression (JSONata)');
    await editor.fill('{"messages": [1]}');
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('button', { name: 'New user' }).waitFor();
    await page.goBack();
    await expect.poll(() => editor.inputValue()).toBe('{"messages": [1]}');
    await page.reload();
    await page.getByText('Not saved').waitFor();
    await expect.poll(() => editor.inputValue()).toBe('{"messages": [1]}');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Not saved').waitFor({ state: 'detached' });
    expect(await editor.inputValue()).toBe(jsonata);
  });

  test('Escape in a dialog discards written text only after a question', async () => {
    const admin = await newPerson(on.product, { role: 'admin' });
    const { page } = await openConsole(on, admin, { place: '#/events/types' });
    const open = page.getByRole('button', { name: 'New event type' });
    await open.click();
    const dialog = page.getByRole('dialog');
    // A key that comes before the dialog is open does not close it.
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open.click();
    await dialog.getByLabel('Name', { exact: true }).fill('console.long');
    await page.keyboard.press('Escape');
    await dialog.getByText('Discard what you have written?').waitFor();
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('console.long');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('the console retries failed events together after an admin corrects their expression', async () => {
    const admin = await newPerson(on.product, { role: 'admin' });
    const conversation = (await on.product.admin.post('/conversations', {})).body.id;
    const type = { name: 'console.failing', jsonata: '{"conversation": conversation, "messages": [{}]}' };
    await on.product.admin.post('/eventtypes', type);
    for (const number of [1, 2])
      await on.product.admin.post('/events/console.failing', { conversation, number });
    const { page } = await openConsole(on, admin, { place: `#/events/types` });
    await page
      .getByRole('listitem')
      .filter({ hasText: 'console.failing' })
      .getByText('failing', { exact: true })
      .waitFor();
    await page.getByRole('link', { name: 'console.failing' }).click();
    const failures = page.getByRole('region', { name: 'Failed last' });
    await failures
      .getByText(/messages.0/)
      .first()
      .waitFor();
    await expect.poll(() => failures.getByRole('button', { name: 'Run again' }).count()).toBe(2);
    await page
      .getByLabel('Expression (JSONata)')
      .fill('{"conversation": conversation, "messages": [{"text": "mended " & number}]}');
    await page.getByText('mended 2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not saved').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Run failed events again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
    await page.getByText('2 events are run again.').waitFor();
    await expect
      .poll(async () => {
        const messages = await on.product.admin.get(`/conversations/${conversation}/messages`);
        return messages.body.map(({ text }: { text: string }) => text);
      })
      .toEqual(['mended 1', 'mended 2']);
  });

  test('the console creates an ingest address with a described signature, and shows its URL once', async () => {
    const admin = await newPerson(on.product, { role: 'admin' });
    const bot = await on.product.admin.post('/users', { role: 'bot', givenName: 'Postbot' });
    const type = await on.product.admin.post('/eventtypes', { name: 'console.ingest' });
    const { page } = await openConsole(on, admin, { place: `#/events/types/${type.body.id}` });
    await page.getByRole('button', { name: 'Address for a sender' }).click();
    const dialog = page.getByRole('dialog', { name: 'Address for a sender' });
    await dialog.getByLabel('Bot that posts').selectOption({ value: bot.body.id });
    await dialog.getByLabel('Signature', { exact: true }).selectOption({ label: 'Another one (HMAC)' });
    await dialog.getByLabel('Secret').fill('a secret');
    await dialog.getByLabel('Header of the signature').fill('Typeform-Signature');
    await dialog.getByLabel('Signed content').fill('{timestamp}.{body}');
    await dialog.getByRole('button', { name: 'Create address' }).click();
    await dialog.getByText('is needed for {timestamp}').waitFor();
    await dialog.getByLabel('Signed content').fill('');
    await keepShot(page, 'console-ingest-form');
    await dialog.getByRole('button', { name: 'Create address' }).click();
    await dialog.getByLabel('URL').waitFor();
    const { body } = await on.product.admin.get(`/eventtypes/${type.body.id}/ingest`);
    expect(body).toMatchObject({ user: bot.body.id, signature: { header: 'Typeform-Signature' } });
  });

  test('the console hides from agents everything except the inbox, the contacts and their account', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: '#/webhooks' });
    const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
    await expect.poll(() => links.allTextContents()).toEqual(['Inbox', 'Contacts', 'My account']);
    await page.getByLabel('Search conversations').waitFor();
  });

  test('the console confirms a deletion by name and shows a new key once', async () => {
    const admin = await newPerson(on.product, { role: 'admin' });
    const { page } = await openConsole(on, admin, { place: '#/settings/channels' });
    await page.getByRole('button', { name: 'New team' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Front desk');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Front desk' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const asked = page.getByRole('dialog', { name: 'Delete the team “Front desk”?' });
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await asked.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No teams yet.').waitFor();
    await page.getByRole('link', { name: 'Team', exact: true }).click();
    await page.getByRole('link', { name: admin.email }).click();
    await page.getByLabel('Name of the new key').fill('once');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('New key', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('never used').waitFor();
    await expect.poll(() => page.getByLabel('New key', { exact: true }).count()).toBe(0);
  });

  const LOOKS: [string, BrowserContextOptions][] = [
    ['phone', { viewport: { width: 375, height: 667 }, colorScheme: 'light' }],
    ['desktop-dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
    ['forced-colours', { viewport: { width: 1280, height: 800 }, forcedColors: 'active' }],
  ];

  test.each(LOOKS)(
    'the console of an admin has no overflow and no serious axe findings (%s)',
    async (look, options) => {
      const admin = await newPerson(on.product, { role: 'admin' });
      const type = await on.product.admin.post('/eventtypes', { name: `look.${look}`, jsonata: '{}' });
      const talk = await on.product.admin.post('/conversations', {
        name: `A rather long name of a conversation on a ${look}`,
        messages: [{ text: 'hello' }, { text: 'averyveryverylongwordwithoutanyspaceinit'.repeat(4) }],
      });
      const { page } = await openConsole(on, admin, options);
      const places = [
        'inbox/all',
        `inbox/all/${talk.body.id}`,
        'contacts',
        'reports',
        'webhooks',
        'webhooks/deliveries',
        'events',
        `events/types/${type.body.id}`,
        'team',
        `team/${admin.id}`,
        'settings',
        `settings/organizations/${on.product.organization}`,
        'account',
      ];
      for (const place of places) {
        await page.goto(`${on.product.origin}/console#/${place}`);
        await page.locator(':is(#main h1, #main .row):visible').first().waitFor();
        await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
        await keepShot(page, `console-${look}-${place.replace(/\W/g, '-').slice(0, 20)}`);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), place).toBe(true);
        expect(await axeFinds(page), place).toEqual([]);
      }
    },
  );
});
