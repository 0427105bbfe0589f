import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { keepShot } from './browser.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('viewer_transcript');

const COUNT = 2_000;
const AT_ONCE = 100;

test('a conversation of 2,000 messages opens at once, updates live and prints completely', async () => {
  const talk = await newTalk(on.product);
  for (let from = 0; from < COUNT; from += AT_ONCE) {
    const messages = Array.from({ length: AT_ONCE }, (_, at) => ({
      text: `line ${from + at + 1}.`,
      isBackchannel: false,
    }));
    const posted = await on.product.admin.post(`/conversations/${talk.id}/messages`, messages);
    expect(posted.status).toBe(201);
  }
  const { page, complaints } = await on.open('about:blank');
  await page.addInitScript('window.printed = 0; window.print = () => { window.printed++; };');
  let reads = 0;
  page.on('request', (request) => (reads += request.url().includes('/messages') ? 1 : 0));
  await page.goto(talk.url);
  await page.getByText('line 2000.').waitFor();
  await expect.poll(() => page.locator('.message').count()).toBe(50);
  await page.getByLabel('Options').click();
  await page.getByRole('button', { name: 'Print the conversation' }).click();
  await eventually(async () => (await page.evaluate('window.printed')) === 1);
  await expect.poll(() => page.locator('.message').count()).toBe(COUNT);
  expect(reads).toBeLessThan(8);
  // A new message adds one line and does not render the list again.
  await page.evaluate(`window.changes = 0; new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) window.changes += addedNodes.length + removedNodes.length;
  }).observe(document.querySelector('.log'), { childList: true, subtree: true })`);
  for (let at = 1; at <= 5; at++) {
    await talk.say(`live ${at}.`);
    await page.getByText(`live ${at}.`).waitFor();
  }
  const changes = Number(await page.evaluate('window.changes'));
  expect(changes).toBeGreaterThanOrEqual(5);
  expect(changes).toBeLessThan(100);
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.locator('.composer').isVisible()).toBe(false);
  await expect.poll(() => page.getByText('line 1.', { exact: true }).isVisible()).toBe(true);
  // A printed page shows the date, not "Today".
  await expect.poll(() => page.locator('.day').first().getByText('Today').isVisible()).toBe(false);
  expect(
    await page.evaluate("getComputedStyle(document.querySelector('.day time'), '::before').content"),
  ).toMatch(/\d{4}"$/);
  const paper = await page.evaluate<number>(
    "document.querySelector('.log').scrollHeight - document.querySelector('.log').clientHeight",
  );
  expect(paper).toBe(0);
  expect(complaints).toEqual([]);
});

test('the print shortcut loads the whole conversation, and waits while the server is busy', async () => {
  const talk = await newTalk(on.product);
  const messages = Array.from({ length: 100 }, (_, at) => ({
    text: `line ${at + 1}.`,
    isBackchannel: false,
  }));
  await on.product.admin.post(`/conversations/${talk.id}/messages`, messages);
  const { page } = await on.open('about:blank');
  await page.addInitScript('window.printed = 0; window.print = () => { window.printed++; };');
  await page.goto(talk.url);
  await page.getByText('line 100.').waitFor();
  let refusals = 0;
  await page.route('**/messages?before=*', (route) => {
    refusals += 1;
    if (refusals > 2) return route.continue();
    const status = refusals === 1 ? 429 : 503;
    return route.fulfill({ status, headers: { 'Retry-After': '1' }, json: { message: 'Busy.' } });
  });
  await page.keyboard.press('Control+p');
  await eventually(async () => (await page.evaluate('window.printed')) === 1);
  await expect.poll(() => page.locator('.message').count()).toBe(100);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await keepShot(page, 'print');
});
