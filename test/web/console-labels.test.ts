import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { newTalk } from './conversation.ts';
import { overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const on = stage('console_labels');

/** Wide enough for the details. */
const WIDE = { viewport: { width: 1440, height: 900 } };

const newAgent = () => newPerson(on.product, { role: 'agent', givenName: 'Grace' });
const labelsOf = async (id: string) =>
  (await on.product.admin.get(`/conversations/${id}`)).body.labels as string[] | undefined;
const addLabel = (id: string, label: string) =>
  on.product.admin.post(`/conversations/${id}/messages`, { type: 'command', text: `/label ${label}` });
/** The contact has labels of its own. */
const details = (page: Page) =>
  page
    .getByRole('complementary', { name: 'Details' })
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Labels', exact: true }) });

describe('labels in the console', () => {
  test('an agent adds and removes labels of a conversation, and the row and the history show them', async () => {
    const [talk, other] = [await newTalk(on.product), await newTalk(on.product)];
    await addLabel(other.id, 'known elsewhere');
    const { page, complaints } = await openConsole(on, await newAgent(), {
      ...WIDE,
      place: `#/inbox/all/${talk.id}`,
    });
    const field = details(page).getByRole('combobox', { name: 'Label', exact: true });
    await page.locator('datalist option[value="known elsewhere"]').first().waitFor({ state: 'attached' });
    await field.fill('Late Delivery');
    await field.press('Enter');
    await details(page).getByRole('button', { name: 'Remove the label late delivery' }).waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
    await field.fill('vip');
    await details(page).getByRole('button', { name: 'Add', exact: true }).click();
    await details(page).getByRole('button', { name: 'Remove the label vip' }).waitFor();
    expect(await labelsOf(talk.id)).toEqual(['late delivery', 'vip']);
    const row = page.locator(`.row[href$="${talk.id}"]`);
    await expect.poll(() => row.locator('.label').allInnerTexts()).toEqual(['late delivery', 'vip']);
    await details(page).getByRole('button', { name: 'Remove the label late delivery' }).click();
    await expect.poll(() => row.locator('.label').allInnerTexts()).toEqual(['vip']);
    await page.locator('.deed', { hasText: 'Grace added the label “vip”' }).waitFor();
    await page.locator('.deed', { hasText: 'Grace removed the label “late delivery”' }).waitFor();
    expect(await axeFinds(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a label that is refused stays in its field with the reason', async () => {
    const talk = await newTalk(on.product);
    const { page } = await openConsole(on, await newAgent(), {
      ...WIDE,
      place: `#/inbox/all/${talk.id}`,
    });
    const field = details(page).getByRole('combobox', { name: 'Label', exact: true });
    await field.fill('\u2800');
    await field.press('Enter');
    await details(page).getByText('A label must have a visible character').waitFor();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    expect(await labelsOf(talk.id)).toBeUndefined();
  });

  test('an agent labels several conversations at once and filters a list by the label', async () => {
    const talks = [await newTalk(on.product), await newTalk(on.product), await newTalk(on.product)];
    const { page } = await openConsole(on, await newAgent(), { place: '#/inbox/all' });
    for (const { id } of talks.slice(0, 2)) {
      await page.locator(`.row[href$="${id}"]`).focus();
      await page.keyboard.press('x');
    }
    const bar = page.getByRole('region', { name: 'Selected conversations' });
    await bar.getByRole('button', { name: 'Label', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Label 2 conversations' });
    await dialog.getByRole('combobox', { name: 'Label', exact: true }).fill('Recall');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await bar.getByText('2 conversations have the label.').waitFor();
    await page.getByRole('button', { name: /^Filter/ }).click();
    const filter = page.getByRole('group', { name: 'Filter' }).getByLabel('Label', { exact: true });
    await filter.fill('RECALL');
    await filter.press('Enter');
    await page.getByRole('button', { name: 'Remove the filter Label: recall' }).waitFor();
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    expect(page.url()).toMatch(/\?label=recall$/);
    await on.product.admin.post(`/conversations/${talks[0]?.id}/messages`, {
      type: 'command',
      text: '/unlabel recall',
    });
    await expect.poll(() => page.locator('.row').count()).toBe(1);
  });

  test.each<[string, BrowserContextOptions]>([
    ['desktop', WIDE],
    ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
    ['dark', { ...WIDE, colorScheme: 'dark' }],
  ])('the labels of a conversation and of rows are laid out on %s', async (name, options) => {
    const talk = await newTalk(on.product);
    const labels = ['vip', 'late delivery', 'a label that is nearly as long as labels may be'];
    for (const label of labels) await addLabel(talk.id, label);
    const { page } = await openConsole(on, await newAgent(), { place: '#/inbox/all', ...options });
    await page.locator('.row .label', { hasText: 'vip' }).first().waitFor();
    await keepShot(page, `labels-list-${name}`);
    expect(await overlapping(page)).toEqual([]);
    await page.goto(`${on.product.origin}/console#/inbox/all/${talk.id}`);
    if (name === 'phone') await page.getByRole('button', { name: 'Details' }).click();
    await details(page).getByRole('button', { name: 'Remove the label vip' }).waitFor();
    await keepShot(page, `labels-${name}`);
    // On a phone the details cover the conversation.
    if (name !== 'phone') expect(await unreachable(page)).toEqual([]);
    expect(await axeFinds(page)).toEqual([]);
  });
});
