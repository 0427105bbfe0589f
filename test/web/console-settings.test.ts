import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newPerson, openConsole } from './console.ts';
import { stage } from './stage.ts';

const on = stage('console_settings');

test('the console edits and previews the look of the widget and keeps the rest of meta', async () => {
  const { admin, organization } = on.product;
  await admin.request('PATCH', `/organizations/${organization}`, { meta: { ours: 'kept' } });
  const person = await newPerson(on.product, { role: 'admin' });
  const { page, complaints } = await openConsole(on, person, {
    place: `#/settings/organizations/${organization}`,
  });
  const form = page.getByRole('form', { name: 'Chat page and widget' });
  await form.getByLabel('Colour').fill('#ffee00');
  await form.getByLabel('Welcome text').fill('Welcome in');
  // The preview chooses black text on yellow, because white is unreadable.
  await expect
    .poll(() => page.evaluate('getComputedStyle(document.querySelector(".widget-preview .said")).color'))
    .toBe('rgb(0, 0, 0)');
  await form.getByLabel('Websites').fill('https://www.example.com/shop');
  await form.getByRole('button', { name: 'Save the look' }).click();
  await form.getByText('Entry 1: must be an origin in lower case').waitFor();
  await expect.poll(() => form.getByRole('alert').count()).toBe(0);
  // A copied address has a slash.
  await form.getByLabel('Websites').fill('https://www.example.com/');
  await form.getByRole('button', { name: 'Save the look' }).click();
  await form.getByText('Saved.').waitFor();
  const { body } = await admin.get(`/organizations/${organization}`);
  expect(body.meta).toEqual({
    ours: 'kept',
    widget: { origins: ['https://www.example.com'], colour: '#ffee00', welcome: 'Welcome in' },
  });
  await page.getByLabel('Shown name').fill('The Shop');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await eventually(async () => {
    const after = await admin.get(`/organizations/${organization}`);
    return after.body.displayName === 'The Shop' && isDeepStrictEqual(after.body.meta, body.meta);
  });
  expect(complaints).toEqual([]);
});

test('an admin makes the form of ratings with one button, and conversations are rated with it', async () => {
  const { admin, organization } = on.product;
  const person = await newPerson(on.product, { role: 'admin' });
  const { page } = await openConsole(on, person, { place: `#/settings/organizations/${organization}` });
  await page.getByRole('button', { name: 'Make a form for ratings' }).click();
  await expect
    .poll(() => page.getByLabel('Form of ratings').locator('option:checked').innerText())
    .toBe('Satisfaction');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const ratingForm = await eventually(
    async () => (await admin.get(`/organizations/${organization}`)).body.ratingForm as string | undefined,
  );
  const { body: form } = await admin.get(`/forms/${ratingForm}`);
  expect(form.fields.map(({ key }: { key: string }) => key)).toEqual(['rating', 'comment']);
  expect(await page.getByRole('button', { name: 'Make a form for ratings' }).count()).toBe(0);
});

test('the console shows a refusal once, at the focused field, in pages and dialogs, and shows a refused sign-in as an alert', async () => {
  const { admin, organization } = on.product;
  const person = await newPerson(on.product, { role: 'admin' });
  const { page } = await openConsole(on, person, { place: '#/team' });
  /**
   * Presses the button `press` and expects a message that matches `words`, only at the field
   * `label`.
   */
  const refusedAt = async (label: string, words: RegExp, press: string) => {
    const field = page.getByLabel(label, { exact: true });
    await page.getByRole('button', { name: press, exact: true }).last().click();
    await page.locator('.wrong').filter({ hasText: words }).waitFor();
    await field.and(page.locator('[aria-invalid="true"]:focus')).waitFor();
    const [described = ''] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
    await expect.poll(() => page.locator(`[id="${described}"]`).innerText()).toMatch(words);
    await expect.poll(() => page.locator('.wrong').count()).toBe(1);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  };
  const leaveDialog = async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  };
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('Given name').fill('Ada');
  await page.getByLabel('Password').fill('short');
  await refusedAt('Password', /^Must have at least 10 characters\.$/, 'Save');
  await page.getByLabel('Password').fill('');
  await page.getByLabel('Email').fill(person.email);
  await refusedAt('Email', /^Is taken by another user\.$/, 'Save');
  await page.getByLabel('Email').fill('');
  await page.getByText('Settings for programs').click();
  await page.getByLabel('Settings').fill('{');
  await refusedAt('Settings', /^Not valid JSON at line 1, column 2\.$/, 'Save');
  await leaveDialog();

  const params = { url: 'https://receiver.example.com', events: ['kbitem'] };
  const service = { name: 'refused', type: 'webhook', organization, params };
  const { body: made } = await admin.post('/services', service);
  await page.goto(`${on.product.origin}/console#/webhooks/services/${made.id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Events').fill('kbitem\nno pattern');
  await refusedAt('Events', /^Entry 2: /, 'Save');
  await leaveDialog();

  const { body: talk } = await admin.post('/conversations', { organization, name: 'refused' });
  await page.goto(`${on.product.origin}/console#/inbox/all/${talk.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Change a field' }).click();
  await page.getByLabel('Value').fill('Closed');
  await refusedAt('Value', /needs one of queued, active, closed\.$/, 'Change a field');
  await leaveDialog();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('is wrong').waitFor();
});

test('a channel shows its online members, and members set their own presence', async () => {
  const { admin } = on.product;
  const person = await newPerson(on.product, { role: 'admin', givenName: 'Ada', status: 'online' });
  const other = await newPerson(on.product, { role: 'agent', givenName: 'Grace', status: 'online' });
  const members = [{ user: person.id }, { user: other.id, online: true }];
  const { body } = await admin.post('/channels', { name: 'Support', members });
  const { page } = await openConsole(on, person, { place: `#/settings/channels/${body.id}` });
  const online = page.getByRole('region', { name: 'Who is online' });
  await online.locator('li', { hasText: 'Grace' }).getByText('Online').waitFor();
  await online.getByRole('button', { name: 'I am online here' }).click();
  await online.locator('li', { hasText: 'Ada' }).getByText('Online').waitFor();
  await eventually(async () => {
    const channel = await admin.get(`/channels/${body.id}`);
    return channel.body.members.every((one: { online: boolean }) => one.online);
  });
});

test('an admin edits the categories of an organization and the fields of a form without JSON', async () => {
  const { admin, organization } = on.product;
  const person = await newPerson(on.product, { role: 'admin' });
  const { page, complaints } = await openConsole(on, person, { place: '#/settings/forms' });
  await page.getByRole('button', { name: 'New form' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Booking');
  await dialog.getByRole('button', { name: 'Add a field' }).click();
  await dialog.getByLabel('Label').fill('Date of arrival');
  await expect.poll(() => dialog.getByLabel('Key').inputValue()).toBe('dateOfArrival');
  await dialog.getByRole('button', { name: 'Add a field' }).click();
  await dialog.getByLabel('Label').last().fill('Guests');
  await dialog.getByLabel('Key').last().fill('count');
  await dialog.getByLabel('Label').last().fill('Number of guests');
  await dialog.getByRole('button', { name: 'Add a field' }).click();
  await dialog.getByRole('button', { name: 'Remove 3' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Booking' }).waitFor();
  const { body: forms } = await admin.get('/forms?name=Booking');
  expect(forms[0].fields).toEqual([
    { name: 'Date of arrival', key: 'dateOfArrival' },
    { name: 'Number of guests', key: 'count' },
  ]);

  await page.goto(`${on.product.origin}/console#/settings/organizations/${organization}`);
  await page.getByRole('button', { name: 'Add a category' }).click();
  await page.getByRole('button', { name: 'Add a category' }).click();
  const names = page.getByRole('group', { name: 'Categories' }).getByLabel('Name');
  await names.first().fill('Sales');
  await names.last().fill('Sales');
  await page.getByText('0 forms').first().click();
  await page.getByRole('checkbox', { name: 'Booking' }).first().check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.wrong').waitFor();
  await names.last().fill('Support');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  const { body } = await admin.get(`/organizations/${organization}`);
  expect(body.categories).toEqual([
    { name: 'Sales', forms: [forms[0].id] },
    { name: 'Support', forms: [] },
  ]);
  expect(complaints).toEqual([]);
});
