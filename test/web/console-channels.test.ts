import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newNumber } from '../support/channel.ts';
import { FakeTwilio } from '../support/fake-twilio.ts';
import { MailServer } from '../support/mail-server.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import { TokenServer } from '../support/token-server.ts';
import type { Receiver } from '../support/receiver.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const on = stage('console_channels');

let adapter: Receiver;
beforeAll(async () => {
  adapter = await startReceiver();
});
afterAll(() => adapter.close());

async function openChannels(options = {}) {
  const admin = await newPerson(on.product, { role: 'admin', givenName: 'Alma' });
  const opened = await openConsole(on, admin, { place: '#/channels', ...options });
  await opened.page.getByRole('heading', { name: 'Channels' }).waitFor();
  return opened;
}

type Page = Awaited<ReturnType<typeof openChannels>>['page'];

async function addAdapter(page: Page, name: string) {
  await page.getByRole('button', { name: 'Add channel' }).click();
  await page.getByRole('button', { name: 'Your own adapter' }).click();
  await page.getByLabel('Address of the adapter').fill(adapter.url);
  await page.getByLabel('Reaches contacts by').selectOption('sms');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Add channel' }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

const idOf = (page: Page) => page.url().split('/').at(-1) ?? '';

describe('channels in the console', () => {
  test('an admin adds a channel, sends a test and sees its status', async () => {
    adapter.behave(respondWith(200, JSON.stringify({ externalId: 'SM1' })));
    const { page, complaints } = await openChannels();
    await page.getByText('No channel yet').waitFor();
    await addAdapter(page, 'Support number');
    await page.locator('.head .badge', { hasText: 'Active' }).waitFor();
    const number = newNumber();
    await page.getByLabel('To', { exact: true }).fill(number);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('.test-outcome .receipt.sent').waitFor();
    const sent = adapter.received.filter(({ body }) => body.includes(number));
    const { id: message } = JSON.parse(sent[0]?.body ?? '').data.message;
    const receipts = [{ message, status: 'delivered' }];
    await on.product.admin.post(`/services/${idOf(page)}/receipts`, { receipts });
    await page.locator('.test-outcome .receipt.delivered').waitFor();
    await keepShot(page, 'channel-tested');
    expect([await axeFinds(page), await unreachable(page)]).toEqual([[], []]);
    await page.getByRole('link', { name: 'Open the conversation' }).click();
    await page.locator('.line.agent', { hasText: 'This is a test of “Support number”.' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('an admin edits a channel, replaces its secret, switches it off and on, and deletes it', async () => {
    adapter.behave(respondWith(200));
    const { page } = await openChannels();
    await addAdapter(page, 'To be changed');
    const id = idOf(page);
    const read = async () => (await on.product.admin.get(`/services/${id}`)).body;
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('Signing secret').inputValue()).toBe('');
    await page.getByLabel('Name', { exact: true }).fill('Changed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Changed', exact: true }).waitFor();
    expect(await read()).toMatchObject({ name: 'Changed', secrets: ['secret'], touchpoint: 'sms' });
    await page.getByRole('button', { name: 'Replace the signing secret' }).click();
    const secret = page.getByLabel('New signing secret');
    expect(await secret.inputValue()).toMatch(/^whsec_/);
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the signing secret' }).click();
    await secret.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.locator('.head .badge', { hasText: 'Off' }).waitFor();
    expect((await read()).status).toBe('disabled');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.locator('.head .badge', { hasText: 'Active' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete the channel “Changed”?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Channels' }).waitFor();
    expect((await on.product.admin.get(`/services/${id}`)).status).toBe(404);
  });

  test('a failed channel shows why and what to do, and no channel is among the webhooks', async () => {
    adapter.behave(respondWith(404));
    const { page } = await openChannels();
    await addAdapter(page, 'Broken number');
    await page.locator('.problem', { hasText: 'Correct the settings under “Edit”' }).waitFor();
    await page.locator('.problem', { hasText: '404' }).waitFor();
    const { admin, organization } = on.product;
    const waiting = await admin.post('/conversations', {
      ...{ organization, type: 'contact', contact: { profile: { telephone: '+31612345987' } } },
      messages: [{ text: 'Later', role: 'agent', service: new URL(page.url()).hash.split('/').at(-1) }],
    });
    expect(waiting.status).toBe(201);
    await page.locator('.problem', { hasText: '1 message waits, since' }).waitFor();
    await keepShot(page, 'channel-failed');
    expect(await axeFinds(page)).toEqual([]);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.getByRole('button', { name: 'New webhook' }).waitFor();
    await page.getByText('No webhook yet').waitFor();
    await page.getByRole('link', { name: 'Channels' }).click();
    await page.locator('tr', { hasText: 'Broken number' }).getByText('Not working').waitFor();
    adapter.behave(respondWith(200));
    await page.getByRole('link', { name: 'Broken number' }).click();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.locator('.head .badge', { hasText: 'Active' }).waitFor();
  });

  test('an admin adds a Twilio number with three credentials, sends a test SMS, and sees the reply in the inbox', async () => {
    const twilio = await new FakeTwilio('+31201110012').start();
    onTestFinished(() => twilio.close());
    const { page, complaints } = await openChannels();
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('button', { name: 'SMS by Twilio' }).click();
    await page.getByLabel('Account SID').fill(twilio.accountSid);
    await page.getByLabel('Auth token').fill(twilio.authToken);
    await page.getByLabel('Number or messaging service').fill('+31 20 111 0012');
    await page.getByText('Advanced').click();
    await page.getByLabel('Address of Twilio’s API').fill(twilio.url);
    await page.getByRole('dialog').getByRole('button', { name: 'Add channel' }).click();
    await page.locator('.head .badge', { hasText: 'Active' }).waitFor();
    await page.getByText('Example Ltd, Support').waitFor();
    await page.getByText(twilio.webhook()).waitFor();
    const to = newNumber();
    await page.getByLabel('To', { exact: true }).fill(to);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('.test-outcome .receipt.sent').waitFor();
    const sms = await eventually(() => twilio.taken(to)[0]);
    expect(sms.body).toContain('This is a test of');
    expect((await twilio.report(sms, 'delivered')).status).toBe(200);
    await page.locator('.test-outcome .receipt.delivered').waitFor();
    expect((await twilio.receive(to, { Body: 'It works' })).status).toBe(200);
    await page.getByRole('link', { name: 'Open the conversation' }).click();
    await page.locator('.line.contact', { hasText: 'It works' }).waitFor();
    await keepShot(page, 'channel-twilio');
    expect([twilio.violations, complaints]).toEqual([[], []]);
  });

  test('sending a delivered message again needs a confirmation, because the contact gets the message twice', async () => {
    adapter.behave(respondWith(200));
    const { page } = await openChannels();
    await addAdapter(page, 'Twice');
    const to = newNumber();
    await page.getByLabel('To', { exact: true }).fill(to);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('.test-outcome .receipt.sent').waitFor();
    const countSent = () => adapter.received.filter(({ body }) => body.includes(to)).length;
    const retries: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/retry')) retries.push(request.url());
    });
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByLabel('What', { exact: true }).selectOption('delivered');
    await page.getByRole('dialog').getByText('the contact gets them twice').waitFor();
    await page.keyboard.press('Escape');
    const { body } = await on.product.admin.get(`/deliveries?service=${idOf(page)}`);
    let pass = () => {};
    const passed = new Promise<void>((resolve) => (pass = resolve));
    await page.route(`**/v2/services/${idOf(page)}`, async (route) => {
      await passed;
      await route.continue();
    });
    await page.goto(`${on.product.origin}/console#/webhooks/deliveries/${body[0].id}`);
    const again = page.getByRole('button', { name: 'Send again' });
    await again.waitFor();
    expect(await again.isDisabled()).toBe(true);
    pass();
    await again.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('the contact gets them twice').waitFor();
    await keepShot(page, 'channel-send-again');
    const before = countSent();
    expect(retries).toEqual([]);
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await eventually(() => countSent() > before);
    expect(retries).toHaveLength(1);
  });

  test('the form of Twilio has three fields, and shows a refusal at its field', async () => {
    const { page } = await openChannels();
    const bodies: any[] = [];
    await page.route('**/v2/services', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      bodies.push(route.request().postDataJSON());
      const message = 'Twilio rejected the account SID and the auth token';
      const json = { code: 'unprocessable', message, details: [{ path: 'params.authToken', message }] };
      return route.fulfill({ status: 422, json });
    });
    await page.getByRole('button', { name: 'Add channel' }).click();
    await keepShot(page, 'channel-types');
    expect(await axeFinds(page)).toEqual([]);
    await page.getByRole('button', { name: 'SMS by Twilio' }).click();
    await page.getByText('Twilio cannot reach').waitFor();
    const accountSid = `AC${'0'.repeat(32)}`;
    await page.getByLabel('Account SID').fill(accountSid);
    await page.getByLabel('Auth token').fill('a wrong token');
    await page.getByLabel('Number or messaging service').fill('+31 20 123 4567');
    await page.getByRole('dialog').getByRole('button', { name: 'Add channel' }).click();
    await page.locator('.field', { hasText: 'Auth token' }).getByText('Twilio rejected').waitFor();
    await keepShot(page, 'channel-refused');
    expect(await axeFinds(page)).toEqual([]);
    expect(bodies).toEqual([
      {
        name: 'SMS · +31 20 123 4567',
        type: 'twilio',
        params: { accountSid, authToken: 'a wrong token', number: '+31 20 123 4567' },
      },
    ]);
  });

  test('an admin adds a mail address with its server and password, and a wrong password is shown at its field', async () => {
    const server = await new MailServer().start();
    const { page } = await openChannels();
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('button', { name: 'Email' }).click();
    await page.getByLabel('Email address').fill(server.user);
    await page.getByLabel('SMTP server').fill(`127.0.0.1:${server.port}`);
    await page.getByLabel('Password').fill('wrong');
    await page.getByText('Advanced').click();
    await page.getByLabel('DKIM selector').fill('parlance');
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add channel' });
    await add.click();
    await page.locator('.field', { hasText: 'Password' }).getByText('did not accept').waitFor();
    await keepShot(page, 'channel-email-refused');
    expect(await axeFinds(page)).toEqual([]);
    await page.getByLabel('Password').fill(server.password);
    await add.click();
    await page.getByRole('heading', { name: `Email · ${server.user}`, exact: true }).waitFor();
    await page.locator('.head .badge', { hasText: 'Active' }).waitFor();
    await page.getByText('parlance._domainkey.example.com').waitFor();
    await page.getByLabel('To', { exact: true }).fill('ada@receiver.example');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('.test-outcome .receipt.sent').waitFor();
    await keepShot(page, 'channel-email');
    expect([await axeFinds(page), await unreachable(page)]).toEqual([[], []]);
    expect(server.sentTo('ada@receiver.example')).toHaveLength(1);
    await server.close();
  });

  test('an admin adds a mail address with a login by OAuth 2, and changes its name without the secrets', async () => {
    const server = await new MailServer().start();
    const provider = await new TokenServer(server.tokens).start();
    const { page } = await openChannels();
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('button', { name: 'Email' }).click();
    await page.getByLabel('Email address').fill(server.user);
    await page.getByLabel('Login').selectOption('other');
    await page.getByLabel('SMTP server').fill(`127.0.0.1:${server.port}`);
    await page.getByLabel('Token endpoint').fill(provider.url);
    await page.getByLabel('Client ID').fill(provider.client.clientId);
    await page.getByLabel('Client secret').fill('wrong');
    await page.getByText('Advanced').click();
    await page.getByLabel('Refresh token').fill(provider.refreshToken);
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add channel' });
    await add.click();
    await page.locator('.field', { hasText: 'Client secret' }).getByText('invalid_client').waitFor();
    await keepShot(page, 'channel-email-oauth');
    expect(await axeFinds(page)).toEqual([]);
    await page.getByLabel('Client secret').fill(provider.client.clientSecret);
    await add.click();
    await page.locator('.head .badge', { hasText: 'Active' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('Login').inputValue()).toBe('other');
    await page.getByText('Advanced').click();
    await page.getByLabel('Name of the sender').fill('Example support');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.channel-facts').getByText('Example support').waitFor();
    await keepShot(page, 'channel-email-oauth-page');
    const { body } = await on.product.admin.get(`/services/${idOf(page)}`);
    expect([body.status, body.secrets]).toEqual(['active', ['clientSecret', 'refreshToken']]);
    await Promise.all([server.close(), provider.close()]);
  });

  test.each([
    [
      'google',
      { 'Client ID': 'g', 'Client secret': 's', 'Refresh token': 'r' },
      {
        url: 'smtps://smtp.gmail.com:465',
        imapUrl: 'imaps://imap.gmail.com:993',
        tokenUrl: 'https://oauth2.googleapis.com/token',
        refreshToken: 'r',
        clientId: 'g',
      },
    ],
    [
      'microsoft',
      { 'Directory (tenant) ID': 'contoso.example', 'Client ID': 'm', 'Client secret': 's' },
      {
        url: 'smtp://smtp.office365.com:587',
        imapUrl: 'imaps://outlook.office365.com:993',
        tokenUrl: 'https://login.microsoftonline.com/contoso.example/oauth2/v2.0/token',
        scope: 'https://outlook.office365.com/.default',
        clientId: 'm',
      },
    ],
  ])('the form of an email channel fills in the addresses of %s', async (login, fields, expected) => {
    const { page } = await openChannels();
    const bodies: any[] = [];
    await page.route('**/v2/services', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      bodies.push(route.request().postDataJSON());
      return route.fulfill({
        status: 422,
        json: { code: 'unprocessable', message: 'Not sent', details: [] },
      });
    });
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('button', { name: 'Email' }).click();
    await page.getByLabel('Email address').fill('support@example.com');
    await page.getByLabel('Password').fill('not used');
    await page.getByLabel('Login').selectOption(login);
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
    await keepShot(page, `channel-email-${login}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add channel' }).click();
    await page.getByText('Not sent').waitFor();
    const address = 'support@example.com';
    expect(bodies.map(({ params }) => params)).toEqual([
      { address, username: address, clientSecret: 's', ...expected },
    ]);
  });

  test.each([
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['wide', { viewport: { width: 1440, height: 900 } }],
    ['dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const }],
  ])('the list and the page of channels fit on a %s screen', async (look, options) => {
    adapter.behave(respondWith(200));
    const { page } = await openChannels(options);
    const name = `Number of ${look}`;
    await addAdapter(page, name);
    await page.getByLabel('To', { exact: true }).fill(newNumber());
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('.test-outcome .receipt.sent').waitFor();
    await keepShot(page, `channel-${look}`);
    expect([await unreachable(page), await overlapping(page), await axeFinds(page)]).toEqual([[], [], []]);
    await page.goto(`${on.product.origin}/console#/channels`);
    await page.locator('tr', { hasText: name }).getByText('Sent').waitFor();
    await keepShot(page, `channels-${look}`);
    expect([await unreachable(page), await overlapping(page), await axeFinds(page)]).toEqual([[], [], []]);
  });
});

test('teams are called teams on screens', async () => {
  const { page } = await openChannels();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Teams' }).click();
  await page.getByRole('button', { name: 'New team' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Night shift');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Night shift' }).waitFor();
  await eventually(async () => (await on.product.admin.get('/channels?name=Night shift')).body.length >= 1);
});
