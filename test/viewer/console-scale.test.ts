import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newPerson, openConsole } from './console.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('console_scale');

const CONVERSATIONS = 10_000;
const MESSAGES = 5_000;
/** Longer than this, people feel that the page stands still; the machine is slow and shared. */
const STALL_MS = 300;

test('10,000 conversations scroll without a stall, and only those in sight are on the page', async () => {
  const agent = await newPerson(on.product, { role: 'agent' });
  const all = Array.from({ length: CONVERSATIONS }, (_, at) => conversationOf(at));
  const { page } = await openConsole(on, agent, { place: '#/account' });
  await page.route('**/v2/conversations?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const before = /^<=(.*)/.exec(query.get('updatedAt') ?? '')?.[1];
    if (before === undefined && query.has('updatedAt')) return route.fulfill({ json: [] });
    const from = before === undefined ? 0 : all.findIndex(({ updatedAt }) => updatedAt <= before);
    return route.fulfill({ json: all.slice(from, from + Number(query.get('limit'))) });
  });
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.locator('.row').first().waitFor();
  await noteLongTasks(page);
  const last = page.getByRole('link', { name: new RegExp(`Conversation ${CONVERSATIONS - 1}\\b`) });
  await expect
    .poll(
      async () => {
        await page.evaluate(
          '(list => list.scrollTop = list.scrollHeight)(document.querySelector(".windowed"))',
        );
        return last.count();
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBe(1);
  expect(await page.locator('.row').count()).toBeLessThan(60);
  expect(await longestTask(page)).toBeLessThan(STALL_MS);
});

test('a timeline of 5,000 messages scrolls without a stall', async () => {
  const talk = await newTalk(on.product);
  const agent = await newPerson(on.product, { role: 'agent' });
  const all = Array.from({ length: MESSAGES }, (_, at) => messageOf(talk.id, MESSAGES - at));
  const { page } = await openConsole(on, agent, { place: '#/account' });
  await page.route(`**/v2/conversations/${talk.id}/timeline?*`, (route) => {
    const query = new URL(route.request().url()).searchParams;
    if (query.has('processedAt') || query.has('id')) return route.fulfill({ json: [] });
    const before = Number(/^<(\d+)/.exec(query.get('sequence') ?? '')?.[1] ?? MESSAGES + 1);
    const earlier = all.filter(({ sequence }) => sequence < before);
    return route.fulfill({ json: earlier.slice(0, Number(query.get('limit'))) });
  });
  await page.goto(`${on.product.origin}/console#/inbox/all/${talk.id}`);
  await page.locator('.line').first().waitFor();
  const earlier = page.getByRole('button', { name: 'Show earlier messages' });
  await expect
    .poll(
      async () => {
        if ((await earlier.count()) === 0) return page.locator('.line').count();
        await earlier.click();
        return 0;
      },
      { timeout: 150_000, interval: 20 },
    )
    .toBe(MESSAGES);
  await noteLongTasks(page);
  for (let step = 0; step <= 40; step += 1) {
    await page.evaluate(
      `(log => log.scrollTop = log.scrollHeight * ${step / 40})(document.querySelector('.timeline'))`,
    );
    await page.evaluate('new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)))');
  }
  expect(await longestTask(page)).toBeLessThan(STALL_MS);
}, 240_000);

function conversationOf(at: number) {
  const updatedAt = new Date(Date.UTC(2026, 0, 1) - at * 1_000).toISOString();
  const id = at.toString(16).padStart(24, '0');
  return { id, name: `Conversation ${at}`, status: 'queued', participants: [], updatedAt };
}

function messageOf(conversation: string, sequence: number) {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + sequence * 1_000).toISOString();
  const id = sequence.toString(16).padStart(24, '0');
  const text = `Message ${sequence} of a long conversation`;
  return {
    id,
    conversation,
    sequence,
    type: 'chat',
    role: sequence % 2 ? 'contact' : 'bot',
    text,
    isBackchannel: false,
    createdAt,
    processedAt: createdAt,
  };
}

async function noteLongTasks(page: Page): Promise<void> {
  await page.evaluate(`window.longest = 0; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask' })`);
}

async function longestTask(page: Page): Promise<number> {
  return Number(await page.evaluate('window.longest'));
}
