import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole, openList } from './console.ts';
import type { Person } from './console.ts';
import { faintWhenHovered, overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const on = stage('console_bulk');

let agent: Person;
let tests = 0;
let contacts = 0;

beforeEach(async () => {
  agent = await newPerson(on.product, { role: 'agent', givenName: 'Ada' });
});

/** Creates queued conversations of a new category. The first conversation waits longest. */
async function newConversations(names: readonly string[]) {
  const { admin, organization } = on.product;
  const category = `bulk ${(tests += 1)}`;
  const ids: string[] = [];
  for (const name of names) {
    const { body } = await admin.post('/conversations', {
      organization,
      name,
      category,
      contact: { profile: { name, email: `bulk-${(contacts += 1)}@example.com` } },
      messages: [{ text: `Hello from ${name}`, role: 'contact' }],
    });
    ids.push(body.id as string);
  }
  return { ids, place: `#/inbox/queued?category=${encodeURIComponent(category)}` };
}

const titles = (page: Page) => page.locator('.row .title').allInnerTexts();
/** Expects that the lists of the inbox are in one line, and that each one can be opened. */
async function expectOneLine(page: Page): Promise<void> {
  const lists = page.getByRole('navigation', { name: 'Conversations' });
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const menu = lists.getByRole('button', { name: 'Other lists' });
    await expect.poll(() => menu.isVisible()).toBe(true);
    // A count that arrives may move a list into the menu.
    const spread = () =>
      lists.locator(':scope > a:visible, button:visible').evaluateAll((shown) => {
        const middles = shown.map((one): number => {
          const { top, bottom } = one.getBoundingClientRect() as { top: number; bottom: number };
          return (top + bottom) / 2;
        });
        return Math.max(...middles) - Math.min(...middles);
      });
    await expect.poll(spread).toBeLessThan(5);
    expect(await unreachable(page)).toEqual([]);
    await menu.click();
    const shown = lists.locator(':scope > a:visible, [role=menuitem]');
    expect(await shown.allInnerTexts()).toHaveLength(7);
    await page.keyboard.press('Escape');
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

const bar = (page: Page) => page.getByRole('region', { name: 'Selected conversations' });

describe('several conversations of the inbox', () => {
  test('an agent closes several conversations at once, and reads which one failed and why', async () => {
    const { ids, place } = await newConversations(['Anna', 'Bert', 'Cleo', 'Dora']);
    const { page, complaints } = await openConsole(on, agent, { place });
    await expect.poll(() => titles(page)).toEqual(['Anna', 'Bert', 'Cleo', 'Dora']);
    await page.route(`**/v2/conversations/${ids[1]}/messages`, (route) =>
      route.fulfill({ status: 422, json: { code: 'unprocessable', message: 'The form is not complete.' } }),
    );
    await page.getByRole('button', { name: 'Select several' }).click();
    await page.getByRole('checkbox', { name: 'Select Anna' }).click();
    await page.getByRole('checkbox', { name: 'Select Cleo' }).click({ modifiers: ['Shift'] });
    await bar(page).getByText('3 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Close', exact: true }).click();
    await bar(page).getByText('2 conversations closed.').waitFor();
    const failed = bar(page).getByRole('alert');
    await failed.getByText('1 failed:').waitFor();
    await failed.getByText('The form is not complete.').waitFor();
    await failed.getByRole('link', { name: 'Bert' }).waitFor();
    await expect.poll(() => titles(page)).toEqual(['Bert', 'Dora']);
    await bar(page).getByText('1 selected').waitFor();
    const status = async (id: string | undefined) =>
      (await on.product.admin.get(`/conversations/${id}`)).body.status as string;
    expect(await Promise.all(ids.map(status))).toEqual(['closed', 'queued', 'closed', 'queued']);

    await page.unroute(`**/v2/conversations/${ids[1]}/messages`);
    await bar(page).getByRole('button', { name: 'Select all 2' }).click();
    await bar(page).getByRole('button', { name: 'Close', exact: true }).first().click();
    await bar(page).getByText('2 conversations closed.').waitFor();
    await page.getByText('Nothing in “Queued” fits the filter.').waitFor();
    await bar(page).getByText('2 conversations closed.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('an agent assigns several conversations to a colleague at once', async () => {
    await newPerson(on.product, { role: 'agent', givenName: 'Bruno', familyName: 'Picker' });
    const { place } = await newConversations(['Emil', 'Fanny']);
    const { page } = await openConsole(on, agent, { place });
    await expect.poll(() => titles(page)).toEqual(['Emil', 'Fanny']);
    await page.getByRole('checkbox', { name: 'Select Emil' }).click();
    await bar(page).getByRole('button', { name: 'Select all 2' }).click();
    await bar(page).getByRole('button', { name: 'Assign to' }).click();
    const dialog = page.getByRole('dialog', { name: 'Assign 2 conversations to' });
    await dialog.getByRole('button', { name: /Bruno Picker/ }).click();
    await bar(page).getByText('2 conversations assigned.').waitFor();
    await expect.poll(() => page.locator('.row .assignee', { hasText: 'Bruno Picker' }).count()).toBe(2);
  });

  test('an agent hands conversations over to a team, and they are in “My teams” until a member takes them', async () => {
    const bruno = await newPerson(on.product, { role: 'agent', givenName: 'Bruno', status: 'online' });
    const { admin, organization } = on.product;
    const members = [{ user: bruno.id, online: true }, { user: agent.id }];
    await admin.post('/channels', { name: 'Support desk', organization, members });
    const { place, ids } = await newConversations(['Jana', 'Kurt']);
    const { page, complaints } = await openConsole(on, agent, { place });
    await expect.poll(() => titles(page)).toEqual(['Jana', 'Kurt']);
    await page.getByRole('checkbox', { name: 'Select Jana' }).click();
    await bar(page).getByRole('button', { name: 'Select all 2' }).click();
    await bar(page).getByRole('button', { name: 'Assign to' }).click();
    const dialog = page.getByRole('dialog', { name: 'Assign 2 conversations to' });
    await dialog.getByRole('button', { name: /Support desk.*1 online/ }).click();
    await bar(page).getByText('2 conversations assigned.').waitFor();
    await expect.poll(() => page.locator('.row .team', { hasText: 'Support desk' }).count()).toBe(2);

    // Narrower windows hide the details of a conversation behind a button.
    const wide = { width: 1440, height: 900 };
    const { page: his } = await openConsole(on, bruno, { place: '#/inbox/teams', viewport: wide });
    // The name of the chosen list is a tab, or the button of the menu if the tab does not fit.
    const lists = his.getByRole('navigation', { name: 'Conversations' });
    const tab = lists.locator(':is(a, button):visible', { hasText: 'My teams' });
    await tab.locator('.count', { hasText: '2' }).waitFor();
    await expectOneLine(his);
    await expect.poll(() => titles(his)).toEqual(['Jana', 'Kurt']);
    await his.getByRole('link', { name: /Jana/ }).click();
    await his.getByText('Ada assigned this to Support desk').waitFor();
    await his.getByRole('complementary', { name: 'Details' }).getByText('Support desk').waitFor();
    await his.getByRole('button', { name: 'Take', exact: true }).click();
    await expect.poll(() => titles(his)).toEqual(['Kurt']);
    await tab.locator('.count', { hasText: '1' }).waitFor();

    await page.goto(`${on.product.origin}/console#/inbox/all`);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Team').selectOption({ label: 'Support desk' });
    await expect.poll(async () => (await titles(page)).toSorted()).toEqual(['Jana', 'Kurt']);
    await page.getByRole('button', { name: 'Remove the filter Team: Support desk' }).waitFor();
    await page.getByRole('link', { name: /Jana/ }).click();
    await page.getByText('Bruno has taken this conversation.').waitFor();
    await page.getByRole('button', { name: 'Assign to' }).click();
    await page.getByRole('button', { name: 'No team' }).click();
    await page.getByText('Ada removed the team').waitFor();
    expect((await admin.get(`/conversations/${ids[0]}`)).body).not.toHaveProperty('team');
    expect(complaints).toEqual([]);
  });

  test('an agent selects and clears conversations by keyboard, and another list begins without a selection', async () => {
    const { place } = await newConversations(['Gerd', 'Hans', 'Ines']);
    const { page } = await openConsole(on, agent, { place });
    await expect.poll(() => titles(page)).toEqual(['Gerd', 'Hans', 'Ines']);
    await page.locator('.row').first().focus();
    await page.keyboard.press('x');
    await bar(page).getByText('1 selected').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+X');
    await bar(page).getByText('3 selected').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('x');
    await bar(page).getByText('2 selected').waitFor();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    await page.keyboard.press('x');
    await bar(page).getByText('1 selected').waitFor();
    await openList(page, 'All');
    await bar(page).waitFor({ state: 'detached' });
  });

  test.each<[string, BrowserContextOptions]>([
    ['desktop', { viewport: { width: 1440, height: 900 } }],
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['dark desktop', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ])('the selection is whole on a %s, without a finding of axe', async (look, options) => {
    const { ids, place } = await newConversations(['Jana', 'Kurt', 'Lise']);
    const { page } = await openConsole(on, agent, { place, ...options });
    await page.getByRole('button', { name: 'Select several' }).click();
    await page.getByRole('checkbox', { name: 'Select Jana' }).click();
    await page.getByRole('checkbox', { name: 'Select Kurt' }).click();
    await page.route(`**/v2/conversations/${ids[0]}/messages`, (route) =>
      route.fulfill({ status: 422, json: { code: 'unprocessable', message: 'The form is not complete.' } }),
    );
    await bar(page).getByRole('button', { name: 'Close', exact: true }).click();
    await bar(page).getByText('1 failed:').waitFor();
    await keepShot(page, `bulk-${look}`);
    expect(await axeFinds(page)).toEqual([]);
    const found = [await unreachable(page), await overlapping(page), await faintWhenHovered(page)];
    expect(found).toEqual([[], [], []]);
  });
});
