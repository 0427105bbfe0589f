import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { buildTimeline } from '../../web/components/timeline.ts';
import { mergeNewest } from '../../web/console/inbox/entries.ts';
import { formatRelative } from '../../web/console/parts/relative-time.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('viewer_days');

describe('a chat page that stays open over midnight', () => {
  test('the chat page calls a day Today until midnight only', async () => {
    const talk = await newTalk(on.product);
    await talk.say('before midnight');
    const { page } = await on.open('about:blank');
    await page.clock.install();
    await page.goto(talk.url);
    await page.locator('.day').getByText('Today').waitFor();
    await page.clock.fastForward('24:00:00');
    await page.locator('.day').getByText('Today').waitFor({ state: 'detached' });
    expect(await page.locator('.day').textContent()).toMatch(/\d{4}$/);
  });

  test('only the day line of the local day is Today', () => {
    const message = (id: string, at: Date) =>
      ({ id, slug: id, text: id, type: 'chat', at: at.toISOString() }) as const;
    const messages = [message('a', new Date(2026, 4, 4, 12)), message('b', new Date(2026, 4, 5, 12))];
    const state = { messages, outgoing: [], markedAt: 0, readByOthers: 0 };
    const days = (today: Date) =>
      buildTimeline(state, today.toDateString()).flatMap((one) => (one.kind === 'day' ? [one.isToday] : []));
    expect(days(new Date(2026, 4, 5, 23))).toEqual([false, true]);
    expect(days(new Date(2026, 4, 6, 0))).toEqual([false, false]);
  });
});

describe('the age of a message in the console', () => {
  const now = new Date(2026, 4, 20, 0, 30);

  test.each([
    [new Date(2026, 4, 20, 0, 30), 'now'],
    [new Date(2026, 4, 20, 0, 0, 1), '29 min. ago'],
    [new Date(2026, 4, 19, 23, 30, 1), '59 min. ago'],
    [new Date(2026, 4, 19, 1, 0), '23 hr. ago'],
    [new Date(2026, 4, 19, 0, 15), 'yesterday'],
    [new Date(2026, 4, 18, 23, 30), '2 days ago'],
    [new Date(2026, 4, 21, 23, 0), 'tomorrow'],
    [new Date(2026, 3, 21, 12), '29 days ago'],
    [new Date(2026, 3, 20, 12), 'last mo.'],
    [new Date(2025, 4, 20), 'last yr.'],
  ])('a message of %s is from %s', (at, words) => expect(formatRelative(at, now)).toBe(words));
});

describe('a console that was asleep', () => {
  const message = (sequence: number) =>
    ({ id: `m${sequence}`, sequence, updatedAt: '' }) as Parameters<typeof mergeNewest>[0][number];
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => message(from + at));
  const sequences = (...given: Parameters<typeof mergeNewest>) =>
    mergeNewest(...given).map(({ sequence }) => sequence);

  test('a console that missed more than a page of messages shows no list with a gap', () => {
    expect(sequences(range(1, 5), range(9, 11).reverse(), false)).toEqual([9, 10, 11]);
    expect(sequences(range(1, 8), range(9, 11).reverse(), false)).toHaveLength(11);
  });

  test('a console that was asleep drops messages that were deleted meanwhile, and no newer ones', () => {
    const newest = range(3, 6).filter(({ sequence }) => sequence !== 4);
    expect(sequences(range(1, 7), newest, false)).toEqual([1, 2, 3, 5, 6, 7]);
    expect(sequences(range(1, 3), range(2, 3), true)).toEqual([2, 3]);
    expect(sequences(range(1, 3), [], true)).toEqual([1, 2, 3]);
  });
});

interface InboxModule {
  createStore: () => { state: () => { messages: { id: string }[]; more: boolean } };
  createInbox: (store: object) => {
    begin: (page: object) => void;
    watch: (isWatching: boolean, isEndShown: boolean) => void;
    add: (messages: object[]) => void;
    addEarlier: (page: object) => void;
  };
}

describe('a chat page that receives thousands of messages', () => {
  afterEach(() => void vi.unstubAllGlobals());

  test('a chat page that receives thousands of messages keeps the newest, unless the reader has scrolled up', async () => {
    vi.stubGlobal('location', { pathname: '/c/slug' });
    vi.stubGlobal('fetch', () => Promise.resolve());
    // The types of the page need a browser.
    const path: string = '../../web/page/inbox.ts';
    const { createInbox, createStore } = (await import(path)) as InboxModule;
    const store = createStore();
    const inbox = createInbox(store);
    const page = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => {
        const id = `m${from + at}`;
        return { id, slug: id, sequence: from + at, text: id, type: 'chat', at: '' };
      });
    inbox.begin({ messages: page(501, 550), more: true, last: 550, mark: '550' });
    inbox.watch(false, false);
    inbox.add(page(551, 2_000));
    expect(store.state().messages).toHaveLength(1_500);
    inbox.watch(false, true);
    inbox.add(page(2_001, 2_001));
    expect(store.state().messages.map(({ id }) => id)).toEqual(page(1_502, 2_001).map(({ id }) => id));
    expect(store.state().more).toBe(true);
    // What the reader asked for stays.
    inbox.addEarlier({ messages: page(1, 1_501), more: false, last: 2_001, mark: '2001' });
    inbox.add(page(2_002, 2_002));
    expect(store.state().messages).toHaveLength(2_002);
  });
});

describe('a chat page that is open during an upgrade', () => {
  /** Until the page reloads, the server has another version and no parts of the old one. */
  async function upgrade(page: Page, url: string): Promise<void> {
    let isOld = true;
    await page.route('**/viewer/part-*.js', (route) =>
      isOld ? route.fulfill({ status: 404, json: {} }) : route.continue(),
    );
    await page.route(url, (route) => {
      isOld &&= route.request().resourceType() !== 'document';
      return isOld
        ? route.fulfill({ body: '<script src="../viewer/chat-NEXT.js"></script>' })
        : route.continue();
    });
    await page.evaluate('window.isOld = true');
  }

  // An evaluation fails while the page reloads.
  const isOld = (page: Page) => page.evaluate<boolean>('window.isOld === true').catch(() => true);
  const field = (page: Page) => page.getByRole('textbox', { name: 'Message' });

  test('a chat page whose parts are gone after an upgrade reloads when a file is attached, and keeps the draft', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url);
    await page.getByText('Connected').waitFor();
    await field(page).fill('See the file');
    await upgrade(page, talk.url);
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await expect.poll(() => isOld(page)).toBe(false);
    await expect.poll(() => field(page).inputValue()).toBe('See the file');
  });

  test('a hidden chat page reloads after an upgrade, but not while something is written in it', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open('about:blank');
    await page.clock.install();
    await page.goto(talk.url);
    await page.getByText('Connected').waitFor();
    await field(page).fill('half a word');
    await upgrade(page, talk.url);
    const asked = page.waitForResponse(talk.url);
    await page.context().setOffline(true);
    await page.getByText('Reconnecting').waitFor();
    await page.context().setOffline(false);
    await asked;
    await page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
    `);
    for (let minute = 0; minute < 5; minute += 1) await page.clock.runFor(61_000);
    expect(await isOld(page)).toBe(true);
    await field(page).fill('');
    for (let minute = 0; minute < 5; minute += 1) await page.clock.runFor(61_000).catch(() => undefined);
    await expect.poll(() => isOld(page)).toBe(false);
  });
});
