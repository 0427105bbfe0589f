import { expect, test } from 'vitest';
import { findConversation, untilDelivery } from '../support/channels.ts';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import { ownApi } from '../support/shared-servers.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const DOMAIN = 'in.example.com';
const on = stage('console_mail', (name) => ownApi(name, { MAIL_DOMAIN: DOMAIN }));

const LOOKS = [
  ['desktop', {}],
  ['phone', { viewport: { width: 390, height: 844 } }],
  ['dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const }],
] as const;

test('an agent sees who wrote a mail that became a note, and opens the whole mail below a shortened one', async () => {
  const { admin } = on.product;
  const server = await new MailServer().start();
  const made = await admin.post('/services', { name: 'Mail', type: 'email', params: server.params() });
  const receive = async (from: string, lines: string[]) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ recipient: server.user, sender: from }))
      form.set(name, value);
    form.set('body-mime', [`From: ${from}`, ...lines].join('\r\n'));
    expect((await fetch(made.body.inboundUrl, { method: 'POST', body: form })).status).toBe(200);
  };
  const quote = ['', 'On 11/3/25 10:00, Support wrote:', '> We have got the words of the agent.'];
  await receive('ada@sender.example', ['Subject: Lamp', '', 'The lamp is red.', ...quote]);
  const conversation = await findConversation(admin, 'ada@sender.example');
  const { body: reply } = await admin.post('/messages', { conversation, text: 'It is.', role: 'agent' });
  await untilDelivery(admin, reply.id as string, 'sent');
  const { messageId = '' } = server.sentTo('ada@sender.example')[0]!.mail;
  await receive('bob@colleague.example', [`In-Reply-To: ${messageId}`, '', 'I am a colleague of Ada.']);
  const email = { from: 'eve\u202e@forged.example', original: 'javascript:alert(1)', isCut: true };
  for (const original of [email.original, 'http://elsewhere.example/a', 'https://elsewhere.example/b']) {
    const forged = { conversation, text: `Forged ${original}`, isBackchannel: true };
    await admin.post('/messages', { ...forged, role: 'system', meta: { email: { ...email, original } } });
  }
  const agent = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
  for (const [look, options] of LOOKS) {
    const place = `#/inbox/all/${conversation}`;
    const { page, complaints } = await openConsole(on, agent, { place, ...options });
    const shortened = page.locator('.line.contact', { hasText: 'The lamp is red.' });
    const whole = await shortened.getByRole('link', { name: 'Whole mail' }).getAttribute('href');
    const original = await eventually(async () => (await fetch(whole ?? '')).text());
    expect(original).toContain('> We have got the words of the agent.');
    const note = page.locator('.line.system', { hasText: 'I am a colleague of Ada.' });
    await note.getByText('Mail from bob@colleague.example').waitFor();
    await note.getByRole('link', { name: 'Whole mail' }).waitFor();
    const forged = page.locator('.line.system', { hasText: 'Forged' });
    await expect.poll(() => forged.getByText('Mail from eve@forged.example').count()).toBe(3);
    const links = await forged.getByRole('link', { name: 'Whole mail' }).all();
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(targets).toEqual(['https://elsewhere.example/b']);
    await keepShot(page, `mail-facts-${look}`);
    expect([await unreachable(page), await overlapping(page), await axeFinds(page)]).toEqual([[], [], []]);
    expect(complaints).toEqual([]);
  }
  await admin.request('DELETE', `/services/${made.body.id}`);
  await server.close();
});

test('the page of a mail channel has the line for Postfix, and shows since when and why its mailbox is not read', async () => {
  const { admin } = on.product;
  const server = await new MailServer().start();
  const made = await admin.post('/services', { name: 'Mail', type: 'email', params: server.params() });
  const { id, inboundAddress, params } = made.body;
  expect(inboundAddress).toMatch(/^channel\+[0-9a-f]{24}\.[a-z2-7]{16}@in\.example\.com$/);
  const owner = await newPerson(on.product, { role: 'admin', givenName: 'Alma' });
  const { page } = await openConsole(on, owner, { place: `#/channels/${id}` });
  const facts = page.locator('.channel-facts');
  await facts.locator('code', { hasText: `${params.address} ${inboundAddress}` }).waitFor();
  await keepShot(page, 'channel-email-forwarded');
  expect([await unreachable(page), await axeFinds(page)]).toEqual([[], []]);
  const reason = 'The IMAP server did not accept the login: Invalid credentials.';
  const mailbox = { status: 'failed', reason, since: new Date(2026, 2, 14, 14, 2).toISOString() };
  await page.route(`**/v2/services/${id}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), mailbox } });
  });
  await page.locator('.head .badge', { hasText: 'Mailbox not readable' }).waitFor();
  const problem = page.locator('.problem', { hasText: reason });
  await expect.poll(() => problem.innerText()).toMatch(/Since .*\b(?:14|02):02\b.*: The IMAP server/);
  await keepShot(page, 'channel-mailbox-failed');
  expect(await axeFinds(page)).toEqual([]);
  await admin.request('DELETE', `/services/${id}`);
  await server.close();
});
