import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/stream.ts';
import { keepShot } from './browser.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('viewer_page');

const bubbles = (page: Page) => page.locator('.message .text').allTextContents();

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

describe('the page of a conversation', () => {
  test('the chat page shows new messages of contact and bot immediately', async () => {
    const talk = await newTalk(on.product);
    await talk.say('Good morning');
    const { page, complaints } = await on.open(talk.url);
    await page.getByText('Good morning').waitFor();
    await page.getByText('Connected').waitFor();
    await type(page, 'Hello, I am Ada');
    await eventually(async () => (await talk.lines()).includes('contact: Hello, I am Ada'));
    // The page shows typing dots for a message that is due within a minute.
    await talk.say({ text: 'Wait a moment', delay: 58_000 });
    await page.getByText('The bot is typing').waitFor({ state: 'attached' });
    await talk.hurry();
    await page.getByText('Wait a moment').waitFor();
    await page.getByText('The bot is typing').waitFor({ state: 'detached' });
    expect(await bubbles(page)).toEqual(['Good morning', 'Hello, I am Ada', 'Wait a moment']);
    await expect.poll(() => page.locator('.waiting').count()).toBe(0);
    expect(complaints).toEqual([]);
    // The only participant is the user who posted, not the contact.
    const { body } = await on.product.admin.get(`/conversations/${talk.id}`);
    expect(body.participants).toHaveLength(1);
  });

  test('the chat page shows edits and deletions immediately, and after the page is opened again', async () => {
    const talk = await newTalk(on.product);
    const [first, second, third] = [
      await talk.say('first'),
      await talk.say('second'),
      await talk.say('third'),
    ];
    const { page } = await on.open(talk.url);
    await page.getByText('third').waitFor();
    await page.getByText('Connected').waitFor();
    const shows = (...texts: string[]) =>
      eventually(async () => (await bubbles(page)).join() === texts.join());
    await on.product.admin.request('PATCH', `/messages/${first.id}`, { text: 'first, edited' });
    await shows('first, edited', 'second', 'third');
    await on.product.admin.request('DELETE', `/messages/${second.id}`);
    await shows('first, edited', 'third');
    await page.context().setOffline(true);
    await page.getByText('Reconnecting').waitFor();
    await on.product.admin.request('PATCH', `/messages/${third.id}`, { text: 'third, edited' });
    await on.product.admin.request('DELETE', `/messages/${first.id}`);
    await page.context().setOffline(false);
    await shows('third, edited');
    await page.reload();
    await shows('third, edited');
  });

  test('screen readers do not read earlier messages on the chat page out as news', async () => {
    const talk = await newTalk(on.product);
    const messages = Array.from({ length: 60 }, (_, at) => ({
      text: `line ${at + 1}.`,
      isBackchannel: false,
    }));
    await on.product.admin.post(`/conversations/${talk.id}/messages`, messages);
    const { page } = await on.open(talk.url);
    await page.getByText('line 60.').waitFor();
    const log = page.getByRole('log');
    await expect.poll(() => log.getAttribute('aria-busy')).toBe('false');
    await page.evaluate(`window.busy = new Set(); new MutationObserver((records) => {
      if (records.some(({ addedNodes }) => addedNodes.length > 0))
        window.busy.add(document.querySelector('.log').getAttribute('aria-busy'));
    }).observe(document.querySelector('.log ol'), { childList: true })`);
    await page.locator('.earlier').click();
    await page.getByText('line 1.', { exact: true }).waitFor({ state: 'attached' });
    await expect.poll(() => log.getAttribute('aria-busy')).toBe('false');
    expect(await page.evaluate('[...window.busy]')).toEqual(['true']);
  });

  test('the chat page shows only the main thread and no metadata of messages', async () => {
    const talk = await newTalk(on.product);
    await talk.say({ text: 'hidden thought', isBackchannel: true });
    await talk.say({ text: 'seen', meta: { secret: 'no one' }, externalId: 'theirs' });
    const { page } = await on.open(talk.url);
    await page.getByText('seen').waitFor();
    expect(await bubbles(page)).toEqual(['seen']);
    const stream = await listen(`${talk.url}/stream?after=0`);
    await talk.say({ text: 'later', delay: 600_000 });
    await stream.until(({ event }) => event === 'typing');
    await talk.hurry();
    await stream.until(({ event, data }) => event === 'message' && data.text === 'later');
    await stream.close();
    const answer = (await (await fetch(`${talk.url}/messages`)).text()) + stream.raw();
    for (const word of ['hidden', 'secret', 'theirs', 'createdBy', 'user', 'organization']) {
      expect(answer).not.toContain(word);
    }
  });

  test('the chat page shows HTML, images, files, links, and cards with items', async () => {
    const talk = await newTalk(on.product);
    const [, icon = ''] = /href="\.\.\/(viewer\/icon[^"]+)"/.exec(await (await fetch(talk.url)).text()) ?? [];
    const image = `${on.product.origin}/${icon}`;
    await talk.say({
      text: '<p>Read <b>this</b> <a href="https://example.com">page</a></p>',
      contentType: 'text/html',
    });
    await talk.say({ text: image, contentType: 'image/png' });
    await talk.say({ text: 'https://example.com/price%20list.pdf', contentType: 'application/pdf' });
    await talk.say({ text: 'https://example.com/x', contentType: 'text/url' });
    await talk.say({
      type: 'card',
      text: 'Our cars',
      items: [
        {
          title: 'Small one',
          description: 'Fits everywhere',
          mediaUrl: image,
          actions: [
            { type: 'postback', text: 'Choose small', payload: 'small' },
            { type: 'link', text: 'More', uri: 'https://example.com/small' },
          ],
        },
        {
          title: 'Large one',
          size: 'large',
          actions: [{ type: 'postback', text: 'Choose large', payload: 'large' }],
        },
      ],
    });
    const { page } = await on.open(talk.url);
    await page.getByText('Large one').waitFor();
    await expect.poll(() => page.locator('.html b').textContent()).toBe('this');
    await expect.poll(() => page.getByRole('link', { name: 'page' }).getAttribute('target')).toBe('_blank');
    await expect.poll(() => page.locator('a.image img').getAttribute('src')).toBe(image);
    await expect
      .poll(() => page.getByRole('link', { name: 'price list.pdf' }).getAttribute('rel'))
      .toBe('noopener noreferrer');
    await expect
      .poll(() => page.getByRole('link', { name: 'More' }).getAttribute('href'))
      .toBe('https://example.com/small');
    await page.getByRole('button', { name: 'Choose small' }).click();
    await page.locator('.contact').getByText('Choose small').waitFor();
    await eventually(async () => (await talk.lines()).includes('contact: small'));
    await keepShot(page, 'contents');
  });
});

describe('buttons on the chat page', () => {
  test('quick reply buttons on the chat page send their payload and disappear after the next message', async () => {
    const talk = await newTalk(on.product);
    await talk.say({
      text: 'Which day?',
      actions: [
        { type: 'reply', text: 'Monday', payload: 'day=1' },
        { type: 'reply', text: 'Tuesday', payload: 'day=2' },
        { type: 'locationRequest', text: 'Where I am' },
      ],
    });
    const { page } = await on.open(talk.url);
    await page.getByRole('button', { name: 'Tuesday' }).click();
    await eventually(async () => (await talk.lines()).includes('contact: day=2'));
    await page.getByRole('button', { name: 'Monday' }).waitFor({ state: 'detached' });
    expect(await bubbles(page)).toEqual(['Which day?', 'Tuesday']);
  });

  test('a button on the chat page whose payload is messages posts these messages as the contact', async () => {
    const talk = await newTalk(on.product);
    const payload = JSON.stringify([{ text: 'I take the van' }, { text: 'Today, please' }]);
    await talk.say({ text: 'Yes?', actions: [{ type: 'postback', text: 'The van', payload }] });
    const { page } = await on.open(talk.url);
    await page.getByRole('button', { name: 'The van' }).click();
    await page.getByText('Today, please').waitFor();
    expect(await bubbles(page)).toEqual(['Yes?', 'The van', 'I take the van', 'Today, please']);
    expect((await talk.lines()).slice(-2)).toEqual(['contact: I take the van', 'contact: Today, please']);
  });

  test('a location button on the chat page sends the location, or requests text if the browser refuses the location', async () => {
    const talk = await newTalk(on.product);
    await talk.say({ text: 'Where?', actions: [{ type: 'locationRequest', text: 'Share place' }] });
    const willing = await on.open(talk.url, {
      permissions: ['geolocation'],
      geolocation: { latitude: 52.5, longitude: 4.75 },
    });
    const unwilling = await on.open(talk.url);
    await unwilling.page.getByRole('button', { name: 'Share place' }).click();
    await unwilling.page.getByPlaceholder('Where are you?').waitFor();
    await eventually(async () => (await unwilling.page.evaluate('document.activeElement.id')) === 'say');
    await willing.page.getByRole('button', { name: 'Share place' }).click();
    await eventually(async () => (await talk.lines()).includes('contact: 52.500000, 4.750000'));
  });

  test('webview buttons on the chat page open a frame that can be closed and that links to the page', async () => {
    const talk = await newTalk(on.product);
    const action = { type: 'webview', text: 'Calendar', size: 'tall' };
    await talk.say({
      text: 'Pick',
      actions: [
        { ...action, uri: `${on.product.origin}/openapi.json`, fallback: 'https://example.com/calendar' },
      ],
    });
    const { page } = await on.open(talk.url);
    await page.getByRole('button', { name: 'Calendar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Calendar' });
    await dialog.waitFor();
    const frame = page.locator('iframe');
    await expect.poll(() => frame.getAttribute('sandbox')).toBe('allow-forms allow-popups allow-scripts');
    await page.frameLocator('iframe').getByText('openapi').first().waitFor();
    await expect
      .poll(() => dialog.getByRole('link').getAttribute('href'))
      .toBe('https://example.com/calendar');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('a button on the chat page that is pressed twice quickly posts once', async () => {
    const talk = await newTalk(on.product);
    const order = { type: 'postback', text: 'Order', payload: 'order=17' };
    await talk.say({ text: 'Yes?', actions: [order], items: [{ title: 'Car', actions: [order] }] });
    const { page } = await on.open(talk.url);
    const buttons = page.getByRole('button', { name: 'Order' });
    await expect.poll(() => buttons.count()).toBe(2);
    for (const at of [0, 1]) await buttons.nth(at).dblclick();
    await type(page, 'end');
    await eventually(async () => (await talk.lines()).includes('contact: end'));
    expect((await talk.lines()).slice(1)).toEqual(['contact: order=17', 'contact: order=17', 'contact: end']);
  });
});

describe('a chat page that the browser translates', () => {
  test('an edit of a message reaches a chat page that the browser has translated', async () => {
    const talk = await newTalk(on.product);
    const { id } = await talk.say('100 euros');
    const { page } = await on.open(talk.url);
    await page.getByText('100 euros').waitFor();
    // Translators replace each text node by an element.
    await page.evaluate(`
      for (const one of document.querySelectorAll('.message .text')) {
        const font = document.createElement('font');
        font.textContent = one.textContent.replace('euros', 'Euro');
        one.firstChild.replaceWith(font);
      }
    `);
    await page.getByText('100 Euro', { exact: true }).waitFor();
    await on.product.admin.request('PATCH', `/messages/${id}`, { text: '200 euros' });
    await page.getByText('200 euros').waitFor();
    expect(await bubbles(page)).toEqual(['200 euros']);
  });
});

describe('the text field of the chat page', () => {
  /** Dispatches Enter as browsers do while an input method composes a character. */
  const compose = (page: Page, init: object) =>
    page.evaluate(
      `document.getElementById('say').dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify({ key: 'Enter', bubbles: true, cancelable: true, ...init })}))`,
    );

  test.each([
    ['Chromium', { isComposing: true, keyCode: 229 }],
    ['Safari', { isComposing: false, keyCode: 229 }],
  ])(
    'the text field of the chat page sends nothing on the Enter that ends a composition in %s',
    async (_, init) => {
      const talk = await newTalk(on.product);
      const { page } = await on.open(talk.url);
      await page.getByText('Connected').waitFor();
      await page.locator('#say').fill('half a word');
      await compose(page, init);
      await page.keyboard.press('Enter');
      await eventually(async () => (await talk.lines()).length > 0);
      expect(await talk.lines()).toEqual(['contact: half a word']);
    },
  );

  test('Enter starts a new line on the chat page on a phone, where only the button sends', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 375, height: 667 },
    });
    const field = page.locator('#say');
    await field.fill('one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await expect.poll(() => field.getAttribute('enterkeyhint')).toBe('enter');
    await page.getByRole('button', { name: 'Send' }).tap();
    await eventually(async () => (await talk.lines()).length > 0);
    expect(await talk.lines()).toEqual(['contact: one\ntwo']);
  });
});
