import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { keepShot } from './browser.ts';
import { shareThatStandsOut } from './colours.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('viewer_appearance');

const PHONE = { viewport: { width: 375, height: 667 } };

async function heightOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).first().boundingBox())?.height ?? NaN;
}

describe('sizes on the chat page', () => {
  test.each([
    ['phone', PHONE],
    ['desktop', {}],
  ])('webview and other buttons on the chat page are 40 to 48 pixels high on a %s', async (name, options) => {
    const talk = await newTalk(on.product);
    const uri = 'https://example.com/';
    await talk.say({
      text: 'Pick',
      actions: [
        ...['compact', 'tall', 'full'].map((size) => ({
          type: 'webview',
          text: `See ${size}`,
          size,
          uri,
          fallback: uri,
        })),
        { type: 'link', text: 'Read', uri },
        { type: 'postback', text: 'Choose', payload: 'chosen' },
      ],
    });
    await talk.say({
      text: 'Where?',
      actions: [
        { type: 'reply', text: 'Here', payload: 'here' },
        { type: 'locationRequest', text: 'Share place' },
      ],
    });
    const { page } = await on.open(talk.url, options);
    await page.getByRole('button', { name: 'Share place' }).waitFor();
    await keepShot(page, `buttons-${name}`);
    const boxes = await Promise.all((await page.locator('.action').all()).map((one) => one.boundingBox()));
    expect(boxes).toHaveLength(7);
    for (const box of boxes) {
      expect(box?.height).toBeGreaterThanOrEqual(40);
      expect(box?.height).toBeLessThanOrEqual(48);
      expect(box?.width).toBeLessThan(200);
    }
  });

  test('a tall item on the chat page does not stretch the items beside it', async () => {
    const talk = await newTalk(on.product);
    const item = (title: string, description: string) => ({
      title,
      description,
      actions: [{ type: 'postback', text: `Take ${title}`, payload: title }],
    });
    await talk.say({ type: 'card', text: 'alone', items: [item('Short', 'Brief')] });
    await talk.say({
      type: 'card',
      text: 'beside',
      items: [item('Tall', 'It goes on and on. '.repeat(40)), item('Short', 'Brief')],
    });
    const { page } = await on.open(talk.url);
    await page.getByText('beside').waitFor();
    await keepShot(page, 'items-tall');
    const heights = await page.locator('.item').evaluateAll((items) => items.map((one) => one.clientHeight));
    const [alone = 0, tall = 0, beside] = heights;
    expect(beside).toBe(alone);
    expect(tall).toBeGreaterThan(2 * alone);
  });
});

describe('the icons of the chat page', () => {
  test.each([['light'], ['dark']] as const)(
    'the chat page in forced colours shows the icons of Send, location, typing and connection (%s)',
    async (colorScheme) => {
      const talk = await newTalk(on.product);
      await talk.say({ text: 'Where?', actions: [{ type: 'locationRequest', text: 'Share place' }] });
      await talk.say({ text: 'soon', delay: 58_000 });
      const { page } = await on.open(talk.url, { forcedColors: 'active', colorScheme });
      await page.locator('.typing').waitFor();
      await page.getByText('Connected').waitFor();
      await keepShot(page, `forced-colours-${colorScheme}`);
      for (const sign of ['.composer button .icon', '.action .icon', '.typing', '.connection']) {
        expect(await shareThatStandsOut(page.locator(sign)), sign).toBeGreaterThan(0.05);
      }
      // The edge of the button is visible too.
      expect(await shareThatStandsOut(page.getByRole('button', { name: 'Send' }))).toBeGreaterThan(0.1);
    },
  );

  test('the chat page without forced colours shows the icon of the Send button, in light and in dark colours', async () => {
    const talk = await newTalk(on.product);
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await on.open(talk.url, { colorScheme });
      await page.getByText('Connected').waitFor();
      expect(await shareThatStandsOut(page.locator('.composer button .icon'))).toBeGreaterThan(0.1);
    }
  });
});

test('the chat page keeps the draft of each conversation across a reload, until the draft is sent', async () => {
  const [talk, other] = [await newTalk(on.product), await newTalk(on.product)];
  const { page } = await on.open(talk.url);
  const field = page.getByRole('textbox', { name: 'Message' });
  const empty = await heightOf(page, 'textarea');
  await field.fill('half a sentence\nand more');
  const height = await heightOf(page, 'textarea');
  expect(height).toBeGreaterThan(empty);
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('half a sentence\nand more');
  expect(await heightOf(page, 'textarea')).toBe(height);
  await page.goto(other.url);
  await expect.poll(() => field.inputValue()).toBe('');
  await page.goto(talk.url);
  await field.press('Enter');
  await eventually(async () => (await talk.lines()).includes('contact: half a sentence\nand more'));
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('');
});

test('the chat page draws its icons instead of using characters that a font may lack', async () => {
  const talk = await newTalk(on.product);
  await talk.say({ text: 'Where?', actions: [{ type: 'locationRequest', text: 'Share place' }] });
  for (let line = 1; line <= 30; line++) await talk.say({ type: 'card', text: `line ${line}` });
  await talk.say({ text: 'Where?', actions: [{ type: 'locationRequest', text: 'Share place' }] });
  const { page } = await on.open(talk.url, PHONE);
  await page.getByRole('button', { name: 'Share place' }).waitFor();
  await page.locator('.log').evaluate((log) => log.scrollTo(0, 0));
  await page.getByRole('button', { name: 'Newest' }).waitFor();
  const controls = await page.locator('button').all();
  expect(controls.length).toBeGreaterThanOrEqual(3);
  for (const control of controls) await expect.poll(() => control.textContent()).toMatch(/^[\p{L} ]*$/u);
  await expect.poll(() => page.locator('button svg').count()).toBe(3);
});

test('the chat page shows the description and link of an image that fails to load', async () => {
  const talk = await newTalk(on.product);
  const gone = `${on.product.origin}/viewer/no%20such.png`;
  await talk.say({ text: gone, contentType: 'image/png' });
  await talk.say({ text: `<p>Our shop: <img src="${gone}" alt="the shop"></p>`, contentType: 'text/html' });
  await talk.say({
    text: `<a href="https://example.com/map"><img src="${gone}"></a>`,
    contentType: 'text/html',
  });
  await talk.say({
    type: 'card',
    text: 'Our cars',
    items: [{ title: 'Van', mediaUrl: gone, mediaType: 'image/png' }],
    actions: [{ type: 'reply', text: 'Fine', payload: 'fine', iconUrl: gone }],
  });
  const { page, complaints } = await on.open(talk.url);
  await page.getByRole('button', { name: 'Fine' }).waitFor();
  const links = async () =>
    Promise.all(
      (await page.getByRole('link', { name: 'Picture not available' }).all()).map(async (link) => [
        await link.textContent(),
        await link.getAttribute('href'),
      ]),
    );
  await eventually(async () => (await page.locator('.message img').count()) === 0);
  await keepShot(page, 'pictures-missing');
  expect(await links()).toEqual([
    ['Picture not available: no such.png', gone],
    ['Picture not available: the shop', gone],
    ['Picture not available: no such.png', 'https://example.com/map'],
    ['Picture not available: no such.png', gone],
  ]);
  expect(complaints).toEqual([]);
});
