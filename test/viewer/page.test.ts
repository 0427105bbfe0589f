import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { keepShot, startBrowser, visit } from './browser.ts';
import type { Visit } from './browser.ts';
import { newTalk } from './conversation.ts';
import type { Talk } from './conversation.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let product: Product;
let browser: Browser;
const visits: Visit[] = [];

beforeAll(async () => {
  [product, browser] = await Promise.all([startApi('viewer_page'), startBrowser()]);
});

afterAll(async () => {
  await Promise.all(visits.map((one) => one.close()));
  await browser.close();
  await product.close();
});

async function open(url: string, options = {}): Promise<Visit> {
  const opened = await visit(browser, url, options);
  visits.push(opened);
  return opened;
}

const bubbles = (page: Page) => page.locator('.message .text').allTextContents();

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

describe('the page of a conversation', () => {
  test('lets contact and bot talk, live both ways', async () => {
    const talk = await newTalk(product);
    await talk.say('Good morning');
    const { page, complaints } = await open(talk.url);
    await page.getByText('Good morning').waitFor();
    await page.getByText('Connected').waitFor();
    await type(page, 'Hello, I am Ada');
    await eventually(async () => (await talk.lines()).includes('contact: Hello, I am Ada'));
    await talk.say({ text: 'Wait a moment', delay: 1_500 });
    await page.getByText('The bot is typing').waitFor({ state: 'attached' });
    await page.getByText('Wait a moment').waitFor();
    await page.getByText('The bot is typing').waitFor({ state: 'detached' });
    expect(await bubbles(page)).toEqual(['Good morning', 'Hello, I am Ada', 'Wait a moment']);
    expect(await page.locator('.waiting').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('shows the main thread only, and nothing of who wrote it or how it is kept', async () => {
    const talk = await newTalk(product);
    await talk.say({ text: 'hidden thought', isBackchannel: true });
    await talk.say({ text: 'seen', meta: { secret: 'no one' }, externalId: 'theirs' });
    const { page } = await open(talk.url);
    await page.getByText('seen').waitFor();
    expect(await bubbles(page)).toEqual(['seen']);
    const answer = await (await fetch(`${talk.url}/messages`)).text();
    for (const word of ['hidden', 'secret', 'theirs', 'createdBy', 'user', 'organization']) {
      expect(answer).not.toContain(word);
    }
  });

  test('shows every kind of content and item', async () => {
    const talk = await newTalk(product);
    const image = `${product.origin}/viewer/missing.png`;
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
    const { page } = await open(talk.url);
    await page.getByText('Large one').waitFor();
    expect(await page.locator('.html b').textContent()).toBe('this');
    expect(await page.getByRole('link', { name: 'page' }).getAttribute('target')).toBe('_blank');
    expect(await page.locator('a.image img').getAttribute('src')).toBe(image);
    expect(await page.getByRole('link', { name: 'price list.pdf' }).getAttribute('rel')).toBe(
      'noopener noreferrer',
    );
    expect(await page.getByRole('link', { name: 'More' }).getAttribute('href')).toBe(
      'https://example.com/small',
    );
    await page.getByRole('button', { name: 'Choose small' }).click();
    await page.locator('.contact').getByText('Choose small').waitFor();
    await eventually(async () => (await talk.lines()).includes('contact: small'));
    await keepShot(page, 'contents');
  });
});

describe('buttons', () => {
  test('of quick replies answer with their payload and go when something was said', async () => {
    const talk = await newTalk(product);
    await talk.say({
      text: 'Which day?',
      actions: [
        { type: 'reply', text: 'Monday', payload: 'day=1' },
        { type: 'reply', text: 'Tuesday', payload: 'day=2' },
        { type: 'locationRequest', text: 'Where I am' },
      ],
    });
    const { page } = await open(talk.url);
    await page.getByRole('button', { name: 'Tuesday' }).click();
    await eventually(async () => (await talk.lines()).includes('contact: day=2'));
    await page.getByRole('button', { name: 'Monday' }).waitFor({ state: 'detached' });
    expect(await bubbles(page)).toEqual(['Which day?', 'Tuesday']);
  });

  test('that ask for a place send it, or ask to write it where the browser does not tell', async () => {
    const talk = await newTalk(product);
    await talk.say({ text: 'Where?', actions: [{ type: 'locationRequest', text: 'Share place' }] });
    const willing = await open(talk.url, {
      permissions: ['geolocation'],
      geolocation: { latitude: 52.5, longitude: 4.75 },
    });
    const unwilling = await open(talk.url);
    await unwilling.page.getByRole('button', { name: 'Share place' }).click();
    await unwilling.page.getByPlaceholder('Where are you?').waitFor();
    expect(await unwilling.page.evaluate('document.activeElement.id')).toBe('say');
    await willing.page.getByRole('button', { name: 'Share place' }).click();
    await eventually(async () => (await talk.lines()).includes('contact: 52.500000, 4.750000'));
  });

  test('of webviews open a page in the page, which can be closed and opened beside it', async () => {
    const talk = await newTalk(product);
    const action = { type: 'webview', text: 'Calendar', size: 'tall' };
    await talk.say({
      text: 'Pick',
      actions: [
        { ...action, uri: `${product.origin}/openapi.json`, fallback: 'https://example.com/calendar' },
      ],
    });
    const { page } = await open(talk.url);
    await page.getByRole('button', { name: 'Calendar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Calendar' });
    await dialog.waitFor();
    const frame = page.locator('iframe');
    expect(await frame.getAttribute('sandbox')).toBe('allow-forms allow-popups allow-scripts');
    await page.frameLocator('iframe').getByText('openapi').first().waitFor();
    expect(await dialog.getByRole('link').getAttribute('href')).toBe('https://example.com/calendar');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

test('attacks in every field stay text', async () => {
  const talk = await newTalk(product);
  const script = '<img src=x onerror="alert(1)"><script>alert(2)</script><svg onload="alert(3)">';
  const bad = 'javascript:alert(4)';
  await talk.say({ text: script });
  await talk.say({
    contentType: 'text/html',
    text: `${script}<a href="${bad}">a</a><iframe src="${bad}"></iframe><form action="${bad}"><input name="x"></form><style>*{display:none}</style><p style="position:fixed" id="chat" class="log" onclick="alert(5)">calm</p><math><mtext><table><mglyph><style><img src=x onerror=alert(6)>`,
  });
  for (const contentType of ['text/url', 'image/png', 'application/pdf']) {
    await talk.say({ text: bad, contentType });
    await talk.say({ text: `data:text/html,${script}`, contentType });
  }
  const actions = [
    { type: 'link', text: script, uri: bad },
    { type: 'postback', text: script, payload: script },
    { type: 'webview', text: script, uri: bad, fallback: bad },
  ];
  await talk.say({
    type: 'card',
    text: script,
    actions,
    items: [{ title: script, description: script, mediaUrl: bad, mediaType: 'image/png', actions }],
  });
  await talk.say({
    text: `end ${script}`,
    actions: [{ type: 'reply', text: script, payload: script, iconUrl: `${bad}//x` }],
  });
  const { page, complaints } = await open(talk.url);
  await page.getByText('end <img').waitFor();
  for (const button of await page.locator('.message button').all())
    if (await button.isVisible()) await button.click({ noWaitAfter: true });
  await page.getByText('calm').click();
  const found: string[] = await page.evaluate(`[...document.querySelectorAll('#chat *')].flatMap((element) =>
    [...element.attributes].filter(({ name, value }) => /^on|^style$/.test(name) && element.id !== 'say' || /^\\s*(javascript|data):/i.test(value))
      .map(({ name, value }) => element.tagName + ' ' + name + '=' + value))`);
  expect(found).toEqual([]);
  expect(
    await page.locator('#chat script, #chat style, #chat form form, #chat input, #chat iframe').count(),
  ).toBe(0);
  expect(complaints.filter((one) => one.startsWith('dialog'))).toEqual([]);
});

test('nothing comes from other hosts, and the policy is strict', async () => {
  const talk = await newTalk(product);
  const requests: string[] = [];
  const { page } = await open('about:blank');
  page.on('request', (request) => requests.push(request.url()));
  const response = await page.goto(talk.url);
  await page.getByText('Connected').waitFor();
  expect(requests.length).toBeGreaterThan(3);
  expect(requests.filter((url) => !url.startsWith(product.origin))).toEqual([]);
  const headers = response?.headers() ?? {};
  expect(headers['content-security-policy']).toMatch(
    /default-src 'none'; script-src 'self'; style-src 'self'/,
  );
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(headers['referrer-policy']).toBe('no-referrer');
  const missing = await fetch(`${product.origin}/c/0123456789abcdef`);
  expect(missing.status).toBe(404);
  expect(await missing.text()).toContain('There is no conversation here');
});

describe('everybody can use it', () => {
  async function furnished(): Promise<Talk> {
    const talk = await newTalk(product);
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

  test.each([
    ['phone-light', { viewport: { width: 375, height: 667 }, colorScheme: 'light' }],
    ['phone-dark', { viewport: { width: 375, height: 667 }, colorScheme: 'dark' }],
    ['desktop-light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
    ['desktop-dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ])('on a %s: nothing sticks out, and axe finds nothing serious', async (name, options) => {
    const talk = await furnished();
    const { page } = await open(talk.url, options);
    await page.getByRole('button', { name: 'Another day' }).waitFor();
    await page.getByText('Connected').waitFor();
    await keepShot(page, name);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(
      await page.evaluate(
        "document.querySelector('.log').scrollWidth <= document.querySelector('.log').clientWidth",
      ),
    ).toBe(true);
    expect(await page.getByRole('button', { name: 'Another day' }).isVisible()).toBe(true);
    // As a debugger would: the page's own policy lets no foreign script in.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: AXE });
    const { result } = await session.send('Runtime.evaluate', {
      expression: `axe.run().then(({ violations }) => JSON.stringify(violations
        .filter(({ impact }) => ['serious', 'critical'].includes(impact))
        .map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])))`,
      awaitPromise: true,
    });
    expect(JSON.parse(String(result.value))).toEqual([]);
  });

  test('by keyboard alone: reading, pressing, writing, sending', async () => {
    const talk = await furnished();
    const { page } = await open(talk.url);
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
    expect(seen).toEqual(['Messages', 'Book City', 'Book Family', 'Book Van', 'All cars', 'Monday']);
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

  test('who comes back finds a line where he left off', async () => {
    const talk = await newTalk(product);
    await talk.say('old news');
    const { page } = await open(talk.url);
    await page.getByText('Connected').waitFor();
    await talk.say('seen coming');
    await page.getByText('seen coming').waitFor();
    expect(await page.getByText('New messages').count()).toBe(0);
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

test('an image of a data address is refused, a picture of the web is not', async () => {
  const talk = await newTalk(product);
  await talk.say({ text: PIXEL, contentType: 'image/png' });
  const { page } = await open(talk.url);
  await page.getByText('data:image/png').waitFor();
  expect(await page.locator('.log img').count()).toBe(0);
});
