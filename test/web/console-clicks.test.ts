import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PNG } from '../support/files.ts';
import { newPerson, openConsole } from './console.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('console_clicks');

/** Counts the clicks of `work`. */
async function countClicks(page: Page, work: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`
    window.counted = { clicks: 0, ended: new AbortController() };
    const options = { capture: true, signal: counted.ended.signal };
    document.addEventListener('pointerdown', () => (counted.clicks += 1), options);
  `);
  await work();
  return page.evaluate<number>('counted.ended.abort(), counted.clicks');
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page) => page.getByRole('textbox', { name: 'Write to the contact' });

async function openTalk() {
  const talk = await newTalk(on.product);
  await talk.say({ text: 'My casco number is 48213', role: 'contact' });
  const agent = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
  const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
  await field(page).waitFor();
  return { page, talk };
}

describe('the clicks of an agent', () => {
  test('an agent takes a conversation with one click, and closes it with another click', async () => {
    const { page } = await openTalk();
    const take = async () => {
      await button(page, 'Take').click();
      await button(page, 'Close').waitFor();
    };
    const close = async () => {
      await button(page, 'Close').click();
      await button(page, 'Reopen').waitFor();
    };
    expect([await countClicks(page, take), await countClicks(page, close)]).toEqual([1, 1]);
  });

  test('an agent assigns a conversation with two clicks', async () => {
    await newPerson(on.product, { role: 'agent', givenName: 'Bruno', familyName: 'Clicked' });
    const { page } = await openTalk();
    const assign = async () => {
      await button(page, 'Assign to').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Bruno Clicked' }).click();
      await page.locator('.deed', { hasText: 'assigned this to Bruno Clicked' }).waitFor();
    };
    expect(await countClicks(page, assign)).toBe(2);
  });

  test('an agent replies with a file with at most three clicks', async () => {
    const { page } = await openTalk();
    const answer = async () => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByTitle('Attach files').click(),
      ]);
      await chooser.setFiles({ name: 'brake.png', mimeType: 'image/png', buffer: PNG });
      await button(page, 'Send').click();
      await page.locator('.line.agent').waitFor();
    };
    expect(await countClicks(page, answer)).toBeLessThanOrEqual(3);
  });

  test('an agent finds a message with two clicks', async () => {
    const { page } = await openTalk();
    await page.goto(`${on.product.origin}/console#/inbox/queued`);
    const find = async () => {
      await page.getByRole('searchbox', { name: 'Search conversations' }).click();
      await page.keyboard.type('48213');
      // Before the results, the list has the conversations without a search.
      const found = page.locator('.row').filter({ has: page.locator('mark', { hasText: '48213' }) });
      await found.first().click();
      await page.locator('.line', { hasText: 'My casco number is 48213' }).waitFor();
    };
    expect(await countClicks(page, find)).toBe(2);
  });

  test('an agent needs two clicks for a canned answer', async () => {
    const { admin, organization } = on.product;
    await admin.post('/kbitems', { organization, title: 'Opening hours', content: 'We open at nine.' });
    const { page } = await openTalk();
    const answer = async () => {
      await field(page).focus();
      await page.keyboard.type('/open');
      await page.getByRole('option', { name: 'Opening hours' }).click();
      await button(page, 'Send').click();
      await page.locator('.line.agent', { hasText: 'We open at nine.' }).waitFor();
    };
    expect(await countClicks(page, answer)).toBe(2);
  });
});
