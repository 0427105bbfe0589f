import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Product } from '../support/product.ts';
import type { Visit } from './browser.ts';
import type { Stage } from './stage.ts';

export interface Person {
  email: string;
  password: string;
  id: string;
}

let people = 0;

/** Creates a user with a password, by default in the organization of the file. */
export async function newPerson(product: Product, fields: { role: string; [field: string]: unknown }) {
  const credentials = {
    email: `console-${product.organization}-${(people += 1)}@example.com`,
    password: 'correct horse battery',
  };
  const { body } = await product.admin.post('/users', { ...credentials, ...fields });
  return { ...credentials, id: body.id as string };
}

/** Opens the console at the hash route `place`, such as `#/webhooks`, and signs in. */
export async function openConsole(
  on: Stage,
  person: Pick<Person, 'email' | 'password'>,
  { place = '', ...options }: BrowserContextOptions & { place?: string } = {},
): Promise<Visit> {
  const visit = await on.open(`${on.product.origin}/console${place}`, options);
  await signIn(visit.page, person);
  await visit.page.getByRole('button', { name: 'Sign out' }).waitFor();
  await visit.page.locator('.skeleton').waitFor({ state: 'hidden' });
  return visit;
}

export async function signIn(
  page: Page | Locator,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a list of the inbox. Lists that do not fit into the line are in a menu. */
export async function openList(page: Page, name: string): Promise<void> {
  const lists = page.getByRole('navigation', { name: 'Conversations' });
  const tab = lists.getByRole('link', { name: new RegExp(`^${name}`) });
  if (await tab.isVisible()) return tab.click();
  await lists.getByRole('button', { name: 'Other lists' }).click();
  await lists.getByRole('menuitem', { name }).click();
}
