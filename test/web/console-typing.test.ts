import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newPerson, openConsole } from './console.ts';
import { stage } from './stage.ts';

const on = stage('console_typing');

/**
 * Opens an address (`#/…`) or presses a button, types into the labelled field before it is painted,
 * and leaves the field.
 */
async function typeAtOnce(page: Page, place: string, label: string, text: string): Promise<void> {
  await page.evaluate(`(async (place, label, text) => {
    const find = (tag, text) => [...document.querySelectorAll(tag)].find((one) => one.textContent.trim() === text);
    const press = () => document.querySelector('button[aria-label="' + place + '"]').click();
    // An observer is called in a microtask, thus before the paint.
    const appeared = new Promise((resolve) => {
      const observer = new MutationObserver(() => find('label', label) && resolve(find('label', label).control));
      observer.observe(document.body, { subtree: true, childList: true });
    });
    place.startsWith('#') ? (location.hash = place) : press();
    const field = await appeared;
    field.focus();
    document.execCommand('insertText', false, text);
    // The console renders in microtasks.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    field.blur();
  })(${[place, label, text].map((one) => JSON.stringify(one)).join(', ')})`);
}

describe('text that is typed as soon as a field appears', () => {
  test('a filter that is typed as soon as its field appears narrows the list', async () => {
    const agent = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all' });
    await typeAtOnce(page, 'Filter', 'Category', 'returns');
    await page.getByRole('button', { name: 'Remove the filter returns' }).waitFor();
  });

  test('a name that is typed as soon as the form of a record appears stays in the form', async () => {
    const admin = await newPerson(on.product, { role: 'admin', givenName: 'Ada' });
    const { page } = await openConsole(on, admin, { place: '#/inbox/all' });
    const { body: group } = await on.product.admin.post('/orggroups', { name: 'Shops' });
    await typeAtOnce(page, `#/settings/orggroups/${group.id}`, 'Name', ' in Utrecht');
    const field = page.getByRole('textbox', { name: 'Name', exact: true });
    await expect.poll(() => field.inputValue()).toContain('in Utrecht');
  });
});
