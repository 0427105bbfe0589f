import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { PNG, upload } from '../support/files.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import type { Person } from './console.ts';
import { faintWhenHovered, overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const on = stage('console_contacts');

let admin: Person;

beforeAll(async () => {
  admin = await newPerson(on.product, { role: 'admin', givenName: 'Ada' });
});

let contacts = 0;

interface Known {
  contact: string;
  conversation: string;
}

/** Creates a contact with a conversation in which they wrote. */
async function newContact(profile: object, fields: object = {}): Promise<Known> {
  const { organization } = on.product;
  const { body } = await on.product.admin.post('/conversations', {
    organization,
    contact: { externalId: `known-${(contacts += 1)}`, profile, ...fields },
    messages: [{ text: 'Hello there', role: 'contact' }],
  });
  return { contact: body.contact as string, conversation: body.id as string };
}

/** Posts a file as the contact, and a completed form. */
async function addFileAndResult({ conversation }: Known): Promise<void> {
  const { base, token, admin: api, organization } = on.product;
  const address = `${base}/files?conversation=${conversation}&name=receipt.png`;
  const { body: file } = await upload(address, PNG, { token });
  const form = { name: 'Repair', organization, fields: [{ name: 'Frame number', key: 'frame' }] };
  const { body: stored } = await api.post('/forms', form);
  const results = [{ form: stored.id, formName: 'Repair', values: { frame: 'WX-77' } }];
  await api.post(`/conversations/${conversation}/messages`, [
    { text: file.url, role: 'contact' },
    { type: 'results', text: 'done', results },
  ]);
}

const getContact = (id: string) => on.product.admin.get(`/contacts/${id}`);

describe('the contacts of the console', () => {
  test('an agent finds a contact by a part of the name, by email and by a telephone in any form, and shares the search by its address', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    await newContact({
      givenName: 'Wilhelmina',
      familyName: 'Drucker (sen.)',
      email: 'mina@evolutie.example.com',
      telephone: '+31201234567',
    });
    await newContact({ name: 'Aletta Jacobs' });
    const visitor = await newContact({});
    await on.product.admin.request('PATCH', `/contacts/${visitor.contact}`, { externalId: null });
    const { page, complaints } = await openConsole(on, agent, { place: '#/contacts' });
    const rows = page.locator('.contact-list li');
    await rows.filter({ hasText: /Visitor, .*Hello there/ }).waitFor();
    const search = page.getByLabel('Search contacts');
    for (const words of ['helmina druck', '(sen.)', 'EVOLUTIE', '020 123 45 67', '+31 (0)20-1234567']) {
      await search.fill('nothing of this');
      await page.getByText('No contact found for “nothing of this”.').waitFor();
      await search.fill(words);
      await rows.filter({ hasText: 'Wilhelmina Drucker (sen.)' }).waitFor();
      await expect.poll(() => rows.count(), { message: words }).toBe(1);
    }
    await expect.poll(() => page.url()).toContain('q=');
    await page.reload();
    await rows.filter({ hasText: 'Wilhelmina' }).waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('link').click();
    await page.getByRole('heading', { name: 'Wilhelmina Drucker (sen.)' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Block']);
    await page.keyboard.press('Escape');
    await page.goBack();
    await expect.poll(() => search.inputValue()).toBe('+31 (0)20-1234567');
    expect(complaints).toEqual([]);
  });

  test('an agent edits the profile of a contact in the details of a conversation, and reads what a colleague has changed meanwhile', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const known = await newContact({ name: 'Aletta Jacobs', email: 'jacobs@example.com' });
    const { page, complaints } = await openConsole(on, agent, {
      place: `#/inbox/all/${known.conversation}`,
      viewport: { width: 1440, height: 900 },
    });
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('button', { name: 'Edit' }).click();
    await details.getByLabel('Name', { exact: true }).fill('Aletta Henriette Jacobs');
    await details.getByLabel('Street').fill('Tesselschadestraat 15');
    const read = async () => (await on.product.admin.get(`/contacts/${known.contact}`)).body.profile;
    const others = { email: 'jacobs@example.com', telephone: '+31201112233' };
    await on.product.admin.request('PATCH', `/contacts/${known.contact}`, {
      profile: { name: 'Dr. Jacobs', ...others },
    });
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('A colleague has changed this to “Dr. Jacobs”.').waitFor();
    expect((await read()).name).toBe('Dr. Jacobs');
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('Aletta Henriette Jacobs').waitFor();
    const address = { street: 'Tesselschadestraat 15' };
    expect(await read()).toEqual({ name: 'Aletta Henriette Jacobs', ...others, address });
    expect(complaints.filter((one) => !one.includes('412'))).toEqual([]);
  });

  test('an agent blocks the contact of a conversation, a colleague sees it at once, and the page of the contact unblocks them', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const known = await newContact({ name: 'Jan Lastig' });
    const { page, complaints } = await openConsole(on, agent, { place: `#/inbox/all/${known.conversation}` });
    const row = page.getByRole('link', { name: /Jan Lastig/ });
    await row.waitFor();
    const colleague = await newPerson(on.product, { role: 'agent' });
    const other = await openConsole(on, colleague, { place: `#/inbox/all/${known.conversation}` });
    await other.page.getByRole('link', { name: /Jan Lastig/ }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Block' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block Jan Lastig?' });
    await dialog.getByText('The contact gets no notice of the block.').waitFor();
    await dialog.getByRole('button', { name: 'Block' }).click();
    await page.locator('.conversation header .badge', { hasText: 'Blocked' }).waitFor();
    await row.locator('.badge', { hasText: 'Blocked' }).waitFor();
    await other.page.locator('.conversation header .badge', { hasText: 'Blocked' }).waitFor();
    await other.page.locator('.row .badge', { hasText: 'Blocked' }).waitFor();
    await other.page.close();
    expect((await getContact(known.contact)).body.blocked).toBe(true);
    await page.goto(`${on.product.origin}/console#/contacts/${known.contact}`);
    await page.locator('.head .badge', { hasText: 'Blocked' }).waitFor();
    await page.getByRole('link', { name: /All contacts/ }).click();
    const line = page.locator('.contact-list li', { hasText: 'Jan Lastig' });
    await line.locator('.badge', { hasText: 'Blocked' }).waitFor();
    await line.getByRole('link').click();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Unblock' }).click();
    await page.locator('.head .badge', { hasText: 'Blocked' }).waitFor({ state: 'detached' });
    expect((await getContact(known.contact)).body).not.toHaveProperty('blocked');
    expect(complaints).toEqual([]);
  });

  test('the list of contacts continues until each contact is shown once, the newest first', async () => {
    const { organization } = on.product;
    const names = Array.from({ length: 60 }, (_, at) => `Sixtyfold ${at}`);
    for (const name of names) await on.product.admin.post('/contacts', { organization, profile: { name } });
    const { page } = await openConsole(on, admin, { place: '#/contacts?q=sixtyfold' });
    const shown = () => page.locator('.contact-list .name').allInnerTexts();
    await page.getByText('60 found').waitFor();
    await expect.poll(async () => (await shown()).length).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(shown).toEqual(names.toReversed());
    await expect.poll(() => page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  test('the page of a contact has the profile, the further data in words, the conversations, the results and the files', async () => {
    const known = await newContact(
      { name: 'Rosa Manus', email: 'rosa@example.com', address: { city: 'Amsterdam' } },
      { meta: { order: { number: 7 }, tags: ['vip', 'early'] } },
    );
    await addFileAndResult(known);
    const { page } = await openConsole(on, admin, {
      place: `#/contacts/${known.contact}`,
      // Narrower windows hide the details of a conversation behind a button.
      viewport: { width: 1440, height: 900 },
    });
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByRole('link', { name: 'rosa@example.com' }).waitFor();
    await profile.getByText('Amsterdam').waitFor();
    await profile.getByText('order › number').waitFor();
    await profile.getByText('vip, early').waitFor();
    const result = page.getByRole('region', { name: 'Results' });
    await result.getByRole('heading', { name: /^Repair/ }).waitFor();
    await result.getByText('WX-77').waitFor();
    const file = page.getByRole('region', { name: 'Files' }).getByRole('link', { name: 'receipt.png' });
    expect((await fetch((await file.getAttribute('href')) ?? '')).headers.get('content-type')).toBe(
      'image/png',
    );
    await page.getByRole('region', { name: 'Conversations' }).getByRole('link').click();
    await page.getByRole('link', { name: 'All about this contact' }).click();
    await page.getByRole('heading', { name: 'Rosa Manus' }).waitFor();
    expect(await page.locator('#main').innerText()).not.toMatch(/[{}]/);
  });

  test('an agent labels a contact and writes a note beside a conversation, and colleagues read both on the page of the contact', async () => {
    const address = { city: 'Leeuwarden' };
    const known = await newContact({ name: 'Jeanne Bieruma', address });
    const [grace, bruno] = await Promise.all(
      ['Grace', 'Bruno'].map((givenName) => newPerson(on.product, { role: 'agent', givenName })),
    );
    if (!grace || !bruno) throw new Error('no agents');
    const size = { viewport: { width: 1440, height: 900 } };
    const { page, complaints } = await openConsole(on, grace, {
      place: `#/inbox/all/${known.conversation}`,
      ...size,
    });
    const details = page.locator('.facts section', { hasText: 'All about this contact' });
    await expect.poll(() => details.innerText()).toMatch(/Name\s+Jeanne Bieruma\s+City\s+Leeuwarden/);
    const desk = page.locator('.facts section', { hasText: 'About the contact' });
    await desk.getByLabel('Label of the contact').fill('Loyal Customer');
    await desk.getByRole('button', { name: 'Add', exact: true }).click();
    await desk.getByRole('button', { name: 'Remove the label loyal customer' }).waitFor();
    await desk.getByLabel('New note').fill('Rings on Mondays.\nBe patient.');
    await desk.getByRole('button', { name: 'Add note' }).click();
    await desk.getByText('Rings on Mondays.').waitFor();
    await desk.getByText('Me ·').waitFor();
    expect(await desk.getByLabel('New note').inputValue()).toBe('');
    await keepShot(page, 'contact-notes-facts');
    expect(await axeFinds(page)).toEqual([]);
    expect(complaints).toEqual([]);

    const other = await openConsole(on, bruno, { place: '#/contacts?q=loyal', ...size });
    const row = other.page.locator('.contact-list li', { hasText: 'Jeanne' });
    await row.getByText('loyal customer').waitFor();
    await row.getByRole('link').click();
    const card = other.page.getByRole('region', { name: 'Labels and notes' });
    await card.getByText('Grace ·').waitFor();
    expect(await card.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await keepShot(other.page, 'contact-notes-page');

    await desk.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => desk.getByText('Rings on Mondays.').count()).toBe(0);
    expect((await getContact(known.contact)).body).not.toHaveProperty('notes');
  });

  test('an admin edits a contact in place, and a refused value is shown at its field with a link to the other contact', async () => {
    const { contact } = await newContact(
      { name: 'Emma', email: 'emma@example.com', address: { street: 'Long Lane 1' } },
      { meta: { kept: 'yes' } },
    );
    await newContact({ name: 'Has it', email: 'taken@example.com' });
    const { page } = await openConsole(on, admin, { place: `#/contacts/${contact}` });
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('form', { name: 'Profile' });
    const field = (name: string) => form.getByLabel(name, { exact: true });
    await field('Email').fill('taken@example.com');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Is taken by another contact of the organization.').waitFor();
    await expect.poll(() => field('Email').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => form.getByRole('link').getAttribute('href')).toMatch(/^#\/contacts\/\w{24}$/);
    await field('Email').fill('nonsense');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Is taken by another contact of the organization.').waitFor({ state: 'detached' });
    await expect.poll(() => field('Email').getAttribute('aria-invalid')).toBe('true');
    await field('Email').fill('emma.goldman@example.com');
    await field('Family name').fill('Goldman');
    await field('City').fill('New York');
    await field('Street').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('Goldman', { exact: true }).waitFor();
    const { body } = await getContact(contact);
    expect(body).toMatchObject({
      profile: { name: 'Emma', familyName: 'Goldman', email: 'emma.goldman@example.com' },
      meta: { kept: 'yes' },
    });
    expect(body.profile.address).toEqual({ city: 'New York' });
  });

  test('an admin merges two contacts after a preview of what stays and what is lost', async () => {
    const kept = await newContact({ name: 'Aletta J.', email: 'aletta@example.com' });
    const other = await newContact({ name: 'Merged away', telephone: '+31201110000' });
    const { page, complaints } = await openConsole(on, admin, { place: `#/contacts/${kept.contact}` });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Merge with another contact' }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge with another contact' });
    await dialog.getByLabel('Search contacts').fill('merged away');
    await dialog.getByRole('button', { name: /Merged away/ }).click();
    const row = (name: string) => dialog.locator('tbody tr', { hasText: name });
    await row('Name').getByText('Aletta J.').waitFor();
    await row('Name').locator('del', { hasText: 'Merged away' }).waitFor();
    await row('Telephone').getByText('added').waitFor();
    await dialog.getByText('1 conversation moves.').waitFor();
    await dialog.getByRole('button', { name: 'Keep the other one' }).click();
    await row('Name').locator('del', { hasText: 'Aletta J.' }).waitFor();
    await dialog.getByRole('button', { name: 'Keep the other one' }).click();
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Profile' }).getByText('+31201110000').waitFor();
    const talks = page.getByRole('region', { name: 'Conversations' }).getByRole('link');
    await expect.poll(() => talks.count()).toBe(2);
    expect((await getContact(other.contact)).status).toBe(404);
    expect((await getContact(kept.contact)).body.profile).toMatchObject({
      name: 'Aletta J.',
      email: 'aletta@example.com',
      telephone: '+31201110000',
    });
    expect(complaints).toEqual([]);
  });

  test('an admin downloads everything about a contact as a file', async () => {
    const known = await newContact({ name: 'Exported: Person/1', email: 'exported@example.com' });
    await addFileAndResult(known);
    const { page } = await openConsole(on, admin, { place: `#/contacts/${known.contact}` });
    await page.getByRole('button', { name: 'More' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as a file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Exported-Person-1.json');
    await page.getByText('The export is in your downloads.').waitFor();
    const content = JSON.parse(await readFile(await download.path(), 'utf8')) as {
      contact: { id: string };
      conversations: { id: string; messages: { text: string }[] }[];
      files: { name: string; url: string }[];
    };
    expect(content.contact.id).toBe(known.contact);
    expect(content.conversations.map(({ id }) => id)).toEqual([known.conversation]);
    expect(content.conversations[0]?.messages.map(({ text }) => text)).toContain('Hello there');
    expect(content.files.map(({ name }) => name)).toEqual(['receipt.png']);
  });

  test('an admin erases a contact after reading what goes and typing the name', async () => {
    const known = await newContact({ name: 'Gone For Good' });
    await addFileAndResult(known);
    const { page } = await openConsole(on, admin, { place: `#/contacts/${known.contact}` });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Erase' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase Gone For Good?' });
    await dialog.getByText('the conversation, with its page for the contact').waitFor();
    await dialog.getByText('3 messages').waitFor();
    await dialog.getByText('1 file', { exact: true }).waitFor();
    const name = dialog.getByLabel('Type “Gone For Good” to erase');
    await name.fill('Gone');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await dialog.getByText('This is not the name.').waitFor();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    expect((await getContact(known.contact)).status).toBe(200);
    await name.fill('gone for good');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('heading', { name: 'Contacts' }).waitFor();
    expect((await getContact(known.contact)).status).toBe(404);
    expect((await on.product.admin.get(`/conversations/${known.conversation}`)).status).toBe(404);
    await page.goto(`${on.product.origin}/console#/contacts/${known.contact}`);
    await page.getByText('This contact does not exist any more.').waitFor();
  });

  test.each<[string, BrowserContextOptions]>([
    ['desktop', { viewport: { width: 1440, height: 900 } }],
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['dark desktop', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ])('the contacts are whole on a %s, without a finding of axe', async (look, options) => {
    const known = await newContact(
      {
        name: `Drawn on a ${look} with a name that is longer than a line of the list`,
        email: `drawn.${look.replace(' ', '.')}@a-rather-long-host-name.example.com`,
        address: { street: 'Keizersgracht 1', city: 'Amsterdam', country: 'NL' },
      },
      { meta: { plan: 'gold', order: { number: 7 } } },
    );
    await newContact({ name: `Other on a ${look}`, address: { city: 'Paris' } });
    await addFileAndResult(known);
    const { page } = await openConsole(on, admin, { place: '#/contacts', ...options });
    const check = async (name: string) => {
      await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
      await keepShot(page, `contacts-${name}-${look}`);
      expect(await axeFinds(page), name).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), name).toBe(true);
    };
    const checkLayout = async () => {
      const found = [await unreachable(page), await overlapping(page), await faintWhenHovered(page)];
      expect(found).toEqual([[], [], []]);
    };
    await page.locator('.contact-list li').nth(1).waitFor();
    await check('list');
    await checkLayout();
    await page.goto(`${on.product.origin}/console#/contacts/${known.contact}`);
    await page.getByRole('link', { name: 'receipt.png' }).waitFor();
    await page.getByText('WX-77').waitFor();
    await check('page');
    await checkLayout();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Erase' }).click();
    await page.getByText('1 file', { exact: true }).waitFor();
    await check('erase');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Merge with another contact' }).click();
    await page.getByRole('dialog').getByLabel('Search contacts').fill(`Other on a ${look}`);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(`Other on a ${look}`) })
      .click();
    await page.getByText('1 conversation moves.').waitFor();
    await check('merge');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('form', { name: 'Profile' }).waitFor();
    await check('edit');
    await checkLayout();
  });
});
