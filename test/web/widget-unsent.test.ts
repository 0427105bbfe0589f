import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { signText } from '../support/website.ts';
import { buttonOf, frameOf, newShop, openWidget, sayIn, websiteFor } from './host-site.ts';
import { stage } from './stage.ts';

const on = stage('viewer_unsent');
const site = websiteFor(on);

/** A shop, and functions that identify signed visitors on its page. */
async function shopWithVisitors(path: string) {
  const shop = await newShop({ on, site }, path);
  const { body } = await on.product.admin.post(`/organizations/${shop.id}/widget/secret`);
  const identify = (page: Page, name: string) => {
    const email = `${name}@unsent.example`;
    const visitor = { email, name, signature: signText(body.secret as string, email) };
    return page.evaluate(`Parlance.identify(${JSON.stringify(visitor)})`);
  };
  /** Returns the texts of each conversation by the name of its contact. */
  const texts = async () => {
    const { conversations, contacts } = await shop.records();
    const found: Record<string, string[]> = {};
    for (const { id, contact } of conversations) {
      const name = contacts.find((one) => one.id === contact)?.profile.name ?? 'anonymous';
      const { body: messages } = await on.product.admin.get(`/conversations/${id}/messages`);
      found[name] = messages.map(({ text }: { text: string }) => text);
    }
    return found;
  };
  return { ...shop, identify, texts };
}

async function sayOffline(page: Page, text: string): Promise<void> {
  await page.context().setOffline(true);
  await sayIn(frameOf(page), text);
  await frameOf(page).locator('.waiting').getByText(text).waitFor();
}

describe('unsent messages of the widget', () => {
  test('unsent messages of the widget are sent on the next page without opening the widget', async () => {
    const shop = await newShop({ on, site }, '/closed-tab');
    const { page } = await on.open(shop.url);
    await openWidget(page);
    await sayIn(frameOf(page), 'first');
    await frameOf(page).locator('.message:not(.waiting)').getByText('first').waitFor();
    await sayOffline(page, 'second');
    await frameOf(page).getByRole('button', { name: 'Close chat' }).click();
    const other = await page.context().newPage();
    await page.close();
    await other.context().setOffline(false);
    await other.goto(`${site.origin}/next`);
    const [{ id }] = (await shop.records()).conversations;
    await eventually(async () => {
      const { body } = await on.product.admin.get(`/conversations/${id}/messages`);
      return body.length >= 2;
    });
    expect(await buttonOf(other).getAttribute('aria-expanded')).toBe('false');
  });

  test('unsent messages of the widget wait for their author while another person uses the page', async () => {
    const shop = await shopWithVisitors('/persons');
    const { page } = await on.open(shop.url);
    await buttonOf(page).waitFor();
    await shop.identify(page, 'Ada');
    await openWidget(page);
    await sayIn(frameOf(page), 'I am Ada');
    await frameOf(page).locator('.message:not(.waiting)').getByText('I am Ada').waitFor();
    await sayOffline(page, 'only from Ada');
    await page.evaluate('Parlance.forget()');
    await page.context().setOffline(false);
    await shop.identify(page, 'Bob');
    await frameOf(page).getByText('No messages yet').waitFor();
    await sayIn(frameOf(page), 'I am Bob');
    await frameOf(page).locator('.message:not(.waiting)').getByText('I am Bob').waitFor();
    await page.evaluate('Parlance.forget()');
    await page.reload();
    await shop.identify(page, 'Ada');
    await frameOf(page).locator('.message:not(.waiting)').getByText('only from Ada').waitFor();
    expect(await shop.texts()).toEqual({ Ada: ['I am Ada', 'only from Ada'], Bob: ['I am Bob'] });
  });

  test('unsent messages of an anonymous visitor are sent to the anonymous conversation after the sign-in', async () => {
    const shop = await shopWithVisitors('/sign-in');
    const { page } = await on.open(shop.url);
    await openWidget(page);
    await sayOffline(page, 'before the sign-in');
    await page.context().setOffline(false);
    await shop.identify(page, 'Ada');
    await frameOf(page).getByText('No messages yet').waitFor();
    await sayIn(frameOf(page), 'after it');
    await eventually(async () => {
      const found = await shop.texts();
      return JSON.stringify([found['anonymous'], found['Ada']]) === '[["before the sign-in"],["after it"]]';
    });
    await expect.poll(() => page.locator('parlance-widget iframe').count()).toBe(1);
    const waiting = `Object.keys(localStorage).filter((key) => key.includes(':waiting:'))`;
    await expect.poll(() => page.evaluate(waiting)).toEqual([]);
  });
});

describe('a widget whose conversation is deleted', () => {
  test('a widget whose conversation is deleted begins a new conversation, and sends there what was unsent', async () => {
    const shop = await newShop({ on, site }, '/deleted');
    const { page } = await on.open(shop.url);
    const frame = await openWidget(page);
    await sayIn(frame, 'delete me');
    await frame.locator('.message:not(.waiting)').getByText('delete me').waitFor();
    const [{ id }] = (await shop.records()).conversations;
    await sayOffline(page, 'and now?');
    await on.product.admin.request('DELETE', `/conversations/${id}`);
    await page.context().setOffline(false);
    await frame.locator('.message:not(.waiting)').getByText('and now?').waitFor();
    await expect.poll(() => frame.getByText('delete me').count()).toBe(0);
    const { conversations } = await shop.records();
    expect(conversations.map((one) => one.id)).not.toContain(id);
    expect(conversations).toHaveLength(1);
  });
});
