import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { unreachable } from './layout.ts';
import { stage } from './stage.ts';

const on = stage('console_password');

const choose = async (page: Page, password: string) => {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
};
const newLink = async (fields: object = {}) => {
  const { admin } = on.product;
  const { body: user } = await admin.post('/users', { role: 'agent', givenName: 'Grace', ...fields });
  const { body } = await admin.post(`/users/${user.id}/password-link`);
  return new URL(body.url as string).hash;
};

describe('password links in the console', () => {
  test('an admin creates a user and a link, and the user chooses a password and is signed in', async () => {
    const boss = await newPerson(on.product, { role: 'admin', givenName: 'Ada' });
    const { page, complaints } = await openConsole(on, boss, { place: '#/team' });
    await page.getByRole('button', { name: 'New user' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Given name').fill('Grace');
    await form.getByLabel('Email').fill('grace@password-links.example.com');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Create a link' }).click();
    const url = await page.getByRole('textbox', { name: 'Password link' }).inputValue();
    const { page: guest } = await on.open(`${on.product.origin}/console${new URL(url).hash}`);
    await choose(guest, 'short');
    await guest.getByText('at least 10 characters').waitFor();
    await choose(guest, 'battery horse correct');
    await guest.getByRole('button', { name: 'Sign out' }).waitFor();
    await guest.getByText('Choose a conversation.').waitFor();
    expect(guest.url()).not.toContain('password');
    expect(complaints).toEqual([]);
  });

  test('a link that was used is refused with the reason', async () => {
    const hash = await newLink();
    const first = await on.open(`${on.product.origin}/console${hash}`);
    await choose(first.page, 'battery horse correct');
    await first.page.getByRole('button', { name: 'Sign out' }).waitFor();
    const second = await on.open(`${on.product.origin}/console${hash}`);
    await choose(second.page, 'another horse correct');
    await second.page.getByRole('alert').getByText('The link is not valid: it was used').waitFor();
  });

  test('a link opened in the session of another user signs the user of the link in', async () => {
    const other = await newPerson(on.product, { role: 'agent', givenName: 'Bruno' });
    const { page } = await openConsole(on, other);
    await page.goto(`${on.product.origin}/console${await newLink({ givenName: 'Linked' })}`);
    await choose(page, 'battery horse correct');
    await page.locator('.who', { hasText: 'Linked' }).waitFor();
  });

  test.each<[string, BrowserContextOptions]>([
    ['desktop', { viewport: { width: 1440, height: 900 } }],
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ])('the page on which a user chooses a password is laid out on %s', async (name, options) => {
    const { page } = await on.open(`${on.product.origin}/console${await newLink()}`, options);
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await keepShot(page, `password-${name}`);
    expect(await unreachable(page)).toEqual([]);
    expect(await axeFinds(page)).toEqual([]);
  });
});
