import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newTalk } from './conversation.ts';
import type { Talk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('viewer_everybody');

describe('the accessibility of the chat page', () => {
  async function furnished(): Promise<Talk> {
    const talk = await newTalk(on.product);
    await talk.say('Good morning! What can we do for you today?');
    await talk.say({
      text: '<p>We are <b>open</b> until <i>18:00</i>.</p>',
      contentType: 'text/html',
      role: 'agent',
    });
    await talk.say({
      type: 'card',
      text: 'Our cars',
      items: ['City', 'Family', 'Van'].map((title) => ({
        title,
        description: 'Ready for a test drive',
        actions: [{ type: 'postback', text: `Book ${title}`, payload: title }],
      })),
      actions: [{ type: 'link', text: 'All cars', uri: 'https://example.com/cars' }],
    });
    await fetch(`${talk.url}/messages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        key: 'one',
        text: 'I would like to book a test drive, please. averyveryverylongwordwithoutanyspaceinit'.repeat(2),
      }),
    });
    await talk.say({
      text: 'Gladly. Which day suits you?',
      actions: ['Monday', 'Tuesday', 'Another day'].map((text) => ({ type: 'reply', text, payload: text })),
    });
    return talk;
  }

  test.each<[string, BrowserContextOptions]>([
    ['phone-light', { viewport: { width: 375, height: 667 }, colorScheme: 'light' }],
    ['phone-dark', { viewport: { width: 375, height: 667 }, colorScheme: 'dark' }],
    ['desktop-light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
    ['desktop-dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ])(
    'the chat page with many kinds of messages has no overflow and no serious axe findings (%s)',
    async (name, options) => {
      const talk = await furnished();
      const { page } = await on.open(talk.url, options);
      await page.getByRole('button', { name: 'Another day' }).waitFor();
      await page.getByText('Connected').waitFor();
      await keepShot(page, name);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(
        await page.evaluate(
          "document.querySelector('.log').scrollWidth <= document.querySelector('.log').clientWidth",
        ),
      ).toBe(true);
      await expect.poll(() => page.getByRole('button', { name: 'Another day' }).isVisible()).toBe(true);
      expect(await axeFinds(page)).toEqual([]);
    },
  );

  test('a contact can read, press buttons, write and send on the chat page by keyboard alone', async () => {
    const talk = await furnished();
    const { page } = await on.open(talk.url);
    await page.getByRole('button', { name: 'Monday' }).waitFor();
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent || document.activeElement.id",
      );
    const seen: string[] = [];
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
      if (seen.at(-1) === 'Monday') break;
    }
    expect(seen).toEqual([
      'Options',
      'Messages',
      'Book City',
      'Book Family',
      'Book Van',
      'All cars',
      'Monday',
    ]);
    await page.keyboard.press('Enter');
    await eventually(async () => (await talk.lines()).includes('contact: Monday'));
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.id')) === 'say') break;
    }
    await page.keyboard.type('By');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('keyboard');
    await page.keyboard.press('Enter');
    await eventually(async () => (await talk.lines()).includes('contact: By\nkeyboard'));
  });

  test('the chat page marks the place where a returning reader stopped', async () => {
    const talk = await newTalk(on.product);
    await talk.say('old news');
    const { page } = await on.open(talk.url);
    await page.getByText('Connected').waitFor();
    await talk.say('seen coming');
    await page.getByText('seen coming').waitFor();
    await expect.poll(() => page.getByText('New messages').count()).toBe(0);
    await page.goto('about:blank');
    await talk.say('while away');
    await page.goto(talk.url);
    await page.getByText('New messages').waitFor();
    const lines = await page.locator('.log li').allTextContents();
    expect(lines[0]).toBe('Today');
    expect(lines.findIndex((line) => line === 'New messages')).toBe(
      lines.findIndex((line) => line.includes('while away')) - 1,
    );
  });
});
