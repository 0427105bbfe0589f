import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newPerson, openConsole } from './console.ts';
import { stage } from './stage.ts';

const on = stage('console_settings');

test('the widget’s look is written in a form, shown at once, and leaves the rest of meta alone', async () => {
  const { admin, organization } = on.product;
  await admin.request('PATCH', `/organizations/${organization}`, { meta: { ours: 'kept' } });
  const person = await newPerson(on.product, { role: 'admin' });
  const { page, complaints } = await openConsole(on, person, {
    place: `#/settings/organizations/${organization}`,
  });
  const form = page.getByRole('form', { name: 'Chat page and widget' });
  await form.getByLabel('Colour').fill('#ffee00');
  await form.getByLabel('Welcome text').fill('Welcome in');
  // Black on yellow can be read; white could not.
  await expect
    .poll(() => page.evaluate('getComputedStyle(document.querySelector(".widget-preview .said")).color'), {
      timeout: 60_000,
    })
    .toBe('rgb(0, 0, 0)');
  await form.getByLabel('Websites').fill('not an origin');
  await form.getByRole('button', { name: 'Save the look' }).click();
  await form.getByRole('alert').getByText('meta.widget.origins.0').first().waitFor();
  await form.getByLabel('Websites').fill('https://www.example.com');
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

test('a channel shows who is online, and members say it of themselves', async () => {
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
