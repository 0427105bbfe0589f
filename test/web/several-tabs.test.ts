import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newTalk } from './conversation.ts';
import { frameOf, newShop, openWidget, sayIn, websiteFor } from './host-site.ts';
import { stage } from './stage.ts';

const on = stage('viewer_tabs');
const site = websiteFor(on);

const field = (page: Page) => page.getByRole('textbox', { name: 'Message' });

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** Returns `count` tabs at the same address: the given page and new tabs. */
async function tabs(page: Page, count: number): Promise<Page[]> {
  const all = [page];
  while (all.length < count) {
    const next = await page.context().newPage();
    await next.goto(page.url());
    all.push(next);
  }
  return all;
}

/** Simulates a hidden or visible page, because headless browsers treat all tabs as visible. */
async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

async function blockStorageOfFrames(page: Page): Promise<void> {
  await page.context().addInitScript(`
    if (window !== top) for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError'); } });
  `);
}

const draft = (tab: Page) => frameOf(tab).getByRole('textbox', { name: 'Message' });
const kept = (tab: Page) => tab.evaluate<string>('JSON.stringify({ ...localStorage })');

const isUnlocked = 'navigator.locks.query().then(({ held }) => held.length === 0)';

describe('several tabs of one conversation', () => {
  test('several tabs of one conversation send the messages written offline in each tab once and in order', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url);
    const [one, other] = (await tabs(page, 2)) as [Page, Page];
    for (const tab of [one, other]) await tab.getByText('Connected').waitFor();
    await one.context().setOffline(true);
    await say(one, 'a1');
    await say(other, 'b1');
    await say(one, 'a2');
    await say(other, 'b2');
    // One tab is closed and the other is reloaded. The messages of both tabs are kept.
    await one.close();
    await other.context().setOffline(false);
    await other.reload();
    await eventually(async () => (await talk.lines()).length >= 4);
    await eventually(async () => (await other.locator('.waiting').count()) === 0);
    expect(await talk.lines()).toEqual(['a1', 'b1', 'a2', 'b2'].map((text) => `contact: ${text}`));
  });

  test('several tabs of one conversation each keep a separate draft across a reload', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url);
    const [one, other] = (await tabs(page, 2)) as [Page, Page];
    await field(one).fill('draft of one');
    await field(other).fill('draft of the other');
    for (const tab of [one, other]) await tab.reload();
    await expect.poll(() => field(one).inputValue()).toBe('draft of one');
    await expect.poll(() => field(other).inputValue()).toBe('draft of the other');
    await say(one, 'sent');
    await eventually(async () => (await talk.lines()).includes('contact: sent'));
    for (const tab of [one, other]) await tab.reload();
    await expect.poll(() => field(one).inputValue()).toBe('');
    await expect.poll(() => field(other).inputValue()).toBe('draft of the other');
  });

  test('two tabs with the widget send the messages written offline in both tabs once', async () => {
    const shop = await newShop({ on, site }, '/two-tabs');
    const { page } = await on.open(shop.url);
    const frame = await openWidget(page);
    await sayIn(frame, 'hello');
    await eventually(async () => (await shop.records()).conversations.length >= 1);
    const other = await page.context().newPage();
    await other.goto(shop.url);
    await openWidget(other);
    await page.context().setOffline(true);
    await sayIn(frame, 'a1');
    await sayIn(frameOf(other), 'b1');
    await sayIn(frame, 'a2');
    // The frame passes its messages to the website, which stores them.
    const stored = () => other.evaluate<string>('JSON.stringify({ ...localStorage })');
    for (const text of ['a1', 'b1', 'a2'])
      await eventually(async () => (await stored()).includes(`\\"text\\":\\"${text}\\"`));
    await page.close();
    await other.context().setOffline(false);
    await other.reload();
    const [{ id }] = (await shop.records()).conversations;
    const texts = async () =>
      ((await on.product.admin.get(`/conversations/${id}/messages`)).body as { text: string }[])
        .map(({ text }) => text)
        .filter((text) => /^[ab]\d$/.test(text));
    await eventually(async () => (await texts()).length >= 3);
    // The open tab may send its message before it reloads.
    expect((await texts()).toSorted()).toEqual(['a1', 'a2', 'b1']);
    expect((await texts()).filter((text) => text !== 'b1')).toEqual(['a1', 'a2']);
  });

  test('two tabs with the widget keep the key of the conversation, and each its draft, while the browser blocks the storage of frames', async () => {
    const shop = await newShop({ on, site }, '/blocked');
    const { page } = await on.open('about:blank');
    await blockStorageOfFrames(page);
    await page.goto(shop.url);
    await sayIn(await openWidget(page), 'hello');
    await frameOf(page).locator('.message:not(.waiting)').getByText('hello').waitFor();
    const other = await page.context().newPage();
    await other.goto(shop.url);
    await openWidget(other);
    await draft(page).fill('draft of one');
    await eventually(async () => (await kept(page)).includes('draft of one'));
    await draft(other).fill('draft of the other');
    await eventually(async () => (await kept(page)).includes('draft of the other'));
    // The key without a message, which both tabs shared, ends after a day.
    const [{ slug }] = (await shop.records()).conversations;
    await eventually(async () => (await kept(page)).includes(`"slug\\":\\"${slug}`));
    await page.reload();
    await expect.poll(() => draft(page).inputValue()).toBe('draft of one');
    await draft(page).press('Enter');
    await frameOf(other).locator('.message:not(.waiting)').getByText('draft of one').waitFor();
    for (const tab of [page, other]) await tab.reload();
    await expect.poll(() => draft(page).inputValue()).toBe('');
    await expect.poll(() => draft(other).inputValue()).toBe('draft of the other');
    await other.evaluate('Parlance.forget()');
    await expect.poll(() => draft(other).inputValue()).toBe('');
    expect(await other.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('draft');
  });

  test.each(['has', 'has not'])(
    'a tab that sent the first message of a conversation shows no draft of another tab after a reload, if a frame %s storage',
    async (has) => {
      const shop = await newShop({ on, site }, '/first');
      const { page } = await on.open('about:blank');
      if (has === 'has not') await blockStorageOfFrames(page);
      await page.goto(shop.url);
      await sayIn(await openWidget(page), 'hello');
      await frameOf(page).locator('.message:not(.waiting)').getByText('hello').waitFor();
      // For a moment, tabs share the key without a message.
      await eventually(() => page.evaluate<boolean>(isUnlocked));
      const other = await page.context().newPage();
      await other.goto(shop.url);
      await openWidget(other);
      await draft(other).fill('draft of the other');
      await eventually(async () => (await kept(page)).includes('draft of the other'));
      await eventually(() => page.evaluate<boolean>(isUnlocked));
      await page.reload();
      await frameOf(page).getByText('hello').waitFor();
      expect(await draft(page).inputValue()).toBe('');
    },
  );

  test('eight tabs of one conversation all load and show a reply, and the first and the last tab can post', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url);
    const all = await tabs(page, 8);
    for (const tab of all) await tab.getByText('Connected').waitFor();
    await say(all[0]!, 'from the first');
    await say(all[7]!, 'from the last');
    await eventually(async () => (await talk.lines()).length >= 2);
    await talk.say('to all of you');
    for (const tab of all) await tab.getByText('to all of you').waitFor();
  });

  test('a hidden tab of a conversation counts a new message by its stream, without reading again', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open('about:blank');
    await page.clock.install();
    await page.goto(talk.url);
    await page.getByText('Connected').waitFor();
    await hide(page, true);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.runFor(6_000);
    await talk.say('while hidden');
    await eventually(async () => (await page.title()).startsWith('(1) '));
    expect(asked).toEqual([]);
  });

  test.each(['with', 'without'])(
    'a hidden tab gives its stream to a visible tab that has none, in a browser %s locks',
    async (locks) => {
      const talk = await newTalk(on.product);
      const { page } = await on.open('about:blank');
      const noLocks = "Object.defineProperty(navigator, 'locks', { value: undefined })";
      if (locks === 'without') await page.context().addInitScript(noLocks);
      await page.goto(talk.url);
      await page.getByText('Connected').waitFor();
      await hide(page, true);
      const all = await tabs(page, 4);
      for (const tab of all) await tab.getByText('Connected').waitFor();
      const last = await page.context().newPage();
      const stream = last.waitForRequest('**/stream?*');
      await last.goto(talk.url);
      await stream;
      // The hidden tab and all visible tabs get the message.
      await talk.say('to all');
      await hide(page, false);
      for (const tab of [...all, last]) await tab.getByText('to all').waitFor({ state: 'attached' });
    },
  );

  test('seven visible tabs of a browser without locks all load, and each can post', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open('about:blank');
    await page.context().addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })");
    await page.goto(talk.url);
    const all = await tabs(page, 7);
    for (const tab of all) await tab.getByText('Connected').waitFor();
    await say(all[0]!, 'from the first');
    await say(all[6]!, 'from the last');
    await eventually(async () => (await talk.lines()).length >= 2);
    expect((await talk.lines()).sort()).toEqual(['contact: from the first', 'contact: from the last']);
  });
});
