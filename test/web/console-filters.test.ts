import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { faintWhenHovered, overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const on = stage('console_filters');

let contacts = 0;

/** Creates a conversation, and runs commands in it. */
async function newConversation(name: string, { touchpoint = 'web', commands = [] as object[] } = {}) {
  const { admin, organization } = on.product;
  const { body } = await admin.post('/conversations', {
    organization,
    name,
    contact: { profile: { name, email: `filtered-${(contacts += 1)}@example.com` } },
    messages: [{ text: 'Hello', role: 'contact', touchpoint }],
  });
  for (const command of commands)
    await admin.post(`/conversations/${body.id}/messages`, { type: 'command', ...command });
  return body.id as string;
}

const setCategory = (category: string) => ({ text: `/set category ${category}` });
const titles = async (page: Page) => (await page.locator('.row .title').allInnerTexts()).sort();
const openFilter = (page: Page) => page.getByRole('button', { name: /^Filter/ }).click();

async function isVisible(page: Page, element: Locator): Promise<boolean> {
  const { y, height } = (await element.boundingBox()) ?? { y: -1, height: 0 };
  return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
}

describe('the filters of the inbox', () => {
  test('an agent filters a list by assignee, category, channel and status, shares the filter by its address, and still has the filter after a reload and after going back', async () => {
    const agent = await newPerson(on.product, { role: 'agent', givenName: 'Ada' });
    const bruno = await newPerson(on.product, { role: 'agent', givenName: 'Bruno', familyName: 'Sorter' });
    const [sales, returns] = [setCategory('sales'), setCategory('returns')];
    await newConversation('One', {
      commands: [sales, { text: '/assign', meta: { users: [bruno.id] } }],
    });
    await newConversation('Two', { touchpoint: 'sms', commands: [sales] });
    await newConversation('Three', { commands: [sales, { text: '/set status closed' }] });
    await newConversation('Four', { commands: [returns] });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all' });
    await page.getByRole('link', { name: /Four/ }).waitFor();
    await openFilter(page);
    await page.getByLabel('Category', { exact: true }).fill('sales');
    await page.getByLabel('Category', { exact: true }).press('Enter');
    await expect.poll(() => titles(page)).toEqual(['One', 'Three', 'Two']);
    await page.getByLabel('Assignee', { exact: true }).selectOption({ label: 'Bruno Sorter' });
    await expect.poll(() => titles(page)).toEqual(['One']);
    await page.reload();
    await page.getByRole('button', { name: 'Remove the filter Assignee: Bruno Sorter' }).waitFor();
    await expect.poll(() => titles(page)).toEqual(['One']);
    const shared = new URL(page.url()).hash;
    await page.goBack();
    await expect.poll(() => titles(page)).toEqual(['One', 'Three', 'Two']);
    await openFilter(page);
    await page.getByLabel('Assignee', { exact: true }).selectOption({ label: 'Nobody' });
    await expect.poll(() => titles(page)).toEqual(['Three', 'Two']);
    await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'SMS' });
    await expect.poll(() => titles(page)).toEqual(['Two']);
    await page.getByRole('button', { name: 'Remove the filter SMS' }).click();
    await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Closed' });
    await expect.poll(() => titles(page)).toEqual(['Three']);
    await page.getByRole('link', { name: /Three/ }).click();
    await page.getByRole('heading', { name: 'Three' }).waitFor();
    await expect.poll(() => titles(page)).toEqual(['Three']);

    const { page: other } = await openConsole(on, bruno, { place: shared });
    await expect.poll(() => titles(other)).toEqual(['One']);
    await other.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => titles(other)).toContain('Four');
  });

  test('a filtered list follows changes: a conversation appears when it begins to fit, and disappears when it no longer fits', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const talk = await newConversation('Wanders', { commands: [setCategory('before')] });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all?category=after' });
    await page.getByText('Nothing in “All” fits the filter.').waitFor();
    const move = (category: string) =>
      on.product.admin.post(`/conversations/${talk}/messages`, { type: 'command', ...setCategory(category) });
    await move('after');
    await expect.poll(() => titles(page)).toEqual(['Wanders']);
    await move('before');
    await page.getByText('Nothing in “All” fits the filter.').waitFor();
  });

  test('the inbox has the conversations whose last message was in a range of days, and keeps the range in the address', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    await newConversation('Timely', { commands: [setCategory('timely')] });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all?category=timely' });
    await expect.poll(() => titles(page)).toEqual(['Timely']);
    await openFilter(page);
    const time = page.getByLabel('Last message', { exact: true });
    await time.selectOption({ label: 'Last 7 days' });
    await page.getByRole('button', { name: 'Remove the filter Last 7 days' }).waitFor();
    await expect.poll(() => titles(page)).toEqual(['Timely']);
    await time.selectOption({ label: 'Between two days…' });
    await page.getByLabel('From', { exact: true }).fill('2001-01-01');
    await expect.poll(() => titles(page)).toEqual(['Timely']);
    await page.getByLabel('Until', { exact: true }).fill('2001-02-03');
    await page.getByText('fits the filter').waitFor();
    expect(page.url()).toMatch(/from=2001-01-01&until=2001-02-03$/);
    await page.reload();
    await page.getByText('fits the filter').waitFor();
  });

  test('the words of a search are in the address, and the filter narrows what is found', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    await newConversation('Searched one', { commands: [setCategory('first')] });
    await newConversation('Searched two', { commands: [setCategory('second')] });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all' });
    await page.getByLabel('Search conversations').fill('searched');
    await page.getByLabel('Search conversations').press('Enter');
    await expect.poll(() => titles(page)).toEqual(['Searched one', 'Searched two']);
    await openFilter(page);
    await page.getByLabel('Category', { exact: true }).fill('second');
    await page.getByLabel('Category', { exact: true }).press('Enter');
    await expect.poll(() => titles(page)).toEqual(['Searched two']);
    await page.reload();
    await expect.poll(() => titles(page)).toEqual(['Searched two']);
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /^Queued/ })
      .click();
    await expect.poll(() => page.getByLabel('Search conversations').inputValue()).toBe('');
  });

  test('an agent finds a conversation by the words of a message, reads the sentence in the list, and opens the conversation at the message', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const talk = await newConversation('Talkative');
    const say = (texts: string[], role: string) =>
      on.product.admin.post(
        `/conversations/${talk}/messages`,
        texts.map((text) => ({ text, role, isBackchannel: false })),
      );
    await say(['The frame has number Q48213.'], 'contact');
    const chatter = Array.from({ length: 100 }, (_, at) => `chatter ${at}`);
    await say(chatter, 'bot');
    await say(chatter, 'bot');
    const { page, complaints } = await openConsole(on, agent, { place: '#/inbox/all' });
    await page.getByLabel('Search conversations').fill('q48');
    const row = page.getByRole('link', { name: /Talkative/ });
    await row.waitFor();
    expect(await row.locator('.said').innerText()).toBe('The frame has number Q48213.');
    expect(await row.locator('mark').innerText()).toBe('Q48');
    expect(await axeFinds(page)).toEqual([]);
    await keepShot(page, 'console-search-messages');
    await row.click();
    const message = page.locator('.line.marked', { hasText: 'Q48213' });
    await message.waitFor();
    await expect.poll(() => isVisible(page, message)).toBe(true);
    await keepShot(page, 'console-found-message');
    await page.emulateMedia({ colorScheme: 'dark' });
    await keepShot(page, 'console-found-message-dark');
    await page.reload();
    await message.waitFor();
    expect(complaints).toEqual([]);
  });

  test('an agent saves a filter as a view, opens the view in another browser, renames, replaces and removes it', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    await newConversation('Viewed', { commands: [setCategory('viewed')] });
    const { page, complaints } = await openConsole(on, agent, {
      place: '#/inbox/all?category=viewed&assignee=nobody',
    });
    const views = page.getByRole('navigation', { name: 'Views' });
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'Save as view' }).click();
      await page.getByLabel('Name of the view').fill(name);
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await save('Left alone');
    await views.locator('a[aria-current]', { hasText: 'Left alone' }).waitFor();

    const { page: other } = await openConsole(on, agent, { place: '#/inbox/queued' });
    await other.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Left alone' }).click();
    await expect.poll(() => titles(other)).toEqual(['Viewed']);
    expect(other.url()).toContain('assignee=nobody');

    await page.goto(`${on.product.origin}/console#/inbox/all?category=viewed`);
    await save('Second');
    await views.getByRole('button', { name: 'Change the view “Second”' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const name = page.getByLabel('Name of the view');
    await name.fill('left ALONE');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('You have a view of this name.').waitFor();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('Everything viewed');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await views.getByRole('link', { name: 'Everything viewed' }).waitFor();

    // The replaced view no longer has the assignee.
    await save('Left alone');
    const settings = async () =>
      (await on.product.admin.get(`/users/${agent.id}`)).body.settings.console.views;
    const kept = Object.values((await settings()) as Record<string, object>);
    expect(kept).toHaveLength(2);
    expect(kept).toContainEqual({ name: 'Left alone', list: 'all', category: 'viewed' });

    await views.getByRole('button', { name: /Change the view/ }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => views.getByRole('link').count()).toBe(1);
    expect(Object.keys((await settings()) as object)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test.each<[string, BrowserContextOptions]>([
    ['desktop', { viewport: { width: 1440, height: 900 } }],
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['dark desktop', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ])('the filters and views are whole on a %s, without a finding of axe', async (look, options) => {
    const view = (name: string, category: string) => ({ name, list: 'all', category });
    const views = {
      a: view('Left alone', 'drawn'),
      b: view('Refunds above a hundred euros that nobody has taken since Monday', 'refunds'),
      c: view('VIP', 'vip'),
    };
    const agent = await newPerson(on.product, {
      role: 'agent',
      givenName: 'Ada',
      settings: { console: { views } },
    });
    await newConversation('Drawn', { commands: [setCategory('drawn')] });
    const { page } = await openConsole(on, agent, {
      place: '#/inbox/all?category=drawn&from=2026-01-01&status=queued&channel=web',
      ...options,
    });
    await page.getByRole('link', { name: /Drawn/ }).first().waitFor();
    await page.getByRole('button', { name: 'Filter, 4 set' }).click();
    await page.getByLabel('Assignee', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'VIP' }).waitFor();
    await keepShot(page, `filters-${look}`);
    expect(await axeFinds(page)).toEqual([]);
    const found = [await unreachable(page), await overlapping(page), await faintWhenHovered(page)];
    expect(found).toEqual([[], [], []]);
  });
});
