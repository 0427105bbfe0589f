import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { keepShot } from './browser.ts';
import { buttonOf, frameOf, innerFrame, newShop, openWidget, sayIn, websiteFor } from './host-site.ts';
import { stage } from './stage.ts';

/** The tag of the focused element in the widget. */
const FOCUSED = "document.querySelector('parlance-widget').shadowRoot.activeElement?.tagName";

const on = stage('viewer_widget');
const site = websiteFor(on);

describe('the widget on a website of another origin', () => {
  test('the widget lets a visitor write and get a reply, and shows the conversation again after navigation and reload', async () => {
    const shop = await newShop({ on, site }, '/walk');
    const { page, complaints } = await on.open(shop.url);
    await expect.poll(() => buttonOf(page).getAttribute('aria-label')).toBe('Open chat');
    await expect.poll(() => page.locator('parlance-widget iframe').count()).toBe(0);
    const frame = await openWidget(page);
    expect(await shop.records()).toEqual({ conversations: [], contacts: [] });
    await sayIn(frame, 'Do you have it in blue?');
    await eventually(async () => (await shop.records()).conversations.length >= 1);
    await shop.answer('We do');
    await frame.getByText('We do').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/next');
    // A widget that was open opens again after navigation.
    await frameOf(page).getByText('Do you have it in blue?').waitFor();
    await page.reload();
    await frameOf(page).getByText('We do').waitFor();
    await sayIn(frameOf(page), 'Thank you');
    await eventually(async () => {
      const [{ id }] = (await shop.records()).conversations;
      return (await on.product.admin.get(`/conversations/${id}/messages`)).body.length >= 3;
    });
    const { conversations, contacts } = await shop.records();
    expect([conversations.length, contacts.length]).toEqual([1, 1]);
    expect(await page.context().cookies()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('the closed widget shows the number of unread messages, also after a reload', async () => {
    const shop = await newShop({ on, site }, '/unread');
    const { page } = await on.open(shop.url);
    const frame = await openWidget(page);
    await sayIn(frame, 'Hello');
    await eventually(async () => (await shop.records()).conversations.length >= 1);
    await frame.getByRole('button', { name: 'Close chat' }).click();
    await shop.answer('one');
    await shop.answer('two');
    await page.getByRole('button', { name: 'Open chat, 2 unread' }).waitFor();
    await keepShot(page, 'widget-unread');
    await page.reload();
    await page.getByRole('button', { name: 'Open chat, 2 unread' }).waitFor();
    await expect.poll(() => page.locator('parlance-widget iframe').count()).toBe(0);
    await openWidget(page);
    await frameOf(page).getByText('two').waitFor();
    await frameOf(page).getByRole('button', { name: 'Close chat' }).click();
    await page.getByRole('button', { name: 'Open chat', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Open chat', exact: true }).waitFor();
  });

  test('two tabs that start the widget at the same time share one conversation, and both tabs receive all messages', async () => {
    const shop = await newShop({ on, site }, '/tabs');
    const { page } = await on.open(shop.url);
    const other = await page.context().newPage();
    await other.goto(shop.url);
    await Promise.all([buttonOf(page).click(), buttonOf(other).click()]);
    const [here, there] = [frameOf(page), frameOf(other)];
    await Promise.all([
      here.getByRole('textbox', { name: 'Message' }).waitFor(),
      there.getByRole('textbox', { name: 'Message' }).waitFor(),
    ]);
    await Promise.all([sayIn(here, 'from here'), sayIn(there, 'from there')]);
    for (const [frame, text] of [
      [here, 'from there'],
      [there, 'from here'],
    ] as const)
      await frame.locator('.message:not(.waiting)').getByText(text).waitFor();
    const { conversations, contacts } = await shop.records();
    expect([conversations.length, contacts.length]).toEqual([1, 1]);
  });

  test('the widget keeps a draft across a reload, and shows the first message in other tabs', async () => {
    const shop = await newShop({ on, site }, '/draft');
    const { page } = await on.open(shop.url);
    await (await openWidget(page)).getByRole('textbox', { name: 'Message' }).fill('half a sentence');
    await page.reload();
    const field = frameOf(page).getByRole('textbox', { name: 'Message' });
    await eventually(async () => (await field.inputValue()) === 'half a sentence');
    const other = await page.context().newPage();
    await other.goto(shop.url);
    await openWidget(other);
    await field.press('Enter');
    await frameOf(other).locator('.message:not(.waiting)').getByText('half a sentence').waitFor();
    await shop.answer('and the other half');
    await frameOf(other).getByText('and the other half').waitFor();
    await page.reload();
    await frameOf(page).getByText('and the other half').waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
    const { conversations } = await shop.records();
    expect(conversations).toHaveLength(1);
  });

  test('the widget takes the focus when it opens by keyboard, and Escape closes it and returns the focus to the button', async () => {
    const shop = await newShop({ on, site }, '/keyboard');
    const { page } = await on.open(shop.url);
    await buttonOf(page).waitFor();
    await page.getByRole('button', { name: 'Buy' }).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(FOCUSED)).toBe('BUTTON');
    await page.keyboard.press('Enter');
    const inner = await innerFrame(page);
    await eventually(async () => (await inner.evaluate('document.activeElement?.id')) === 'say');
    await page.keyboard.type('typed blindly');
    await page.keyboard.press('Enter');
    await frameOf(page).locator('.message').getByText('typed blindly').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('parlance-widget iframe').waitFor({ state: 'hidden' });
    await expect.poll(() => buttonOf(page).getAttribute('aria-expanded')).toBe('false');
    await eventually(async () => (await page.evaluate(FOCUSED)) === 'BUTTON');
    await page.keyboard.press('Enter');
    await eventually(async () => (await inner.evaluate('document.activeElement?.id')) === 'say');
  });

  test('the widget fills the screen of a phone and has a close button', async () => {
    const shop = await newShop({ on, site }, '/phone', {
      widget: {
        colour: '#0a7d3c',
        welcome: 'Welcome to the shop',
        hours: 'Mon–Fri 9–17',
      },
    });
    const { page } = await on.open(shop.url, {
      viewport: { width: 375, height: 667 },
      hasTouch: true,
      isMobile: true,
    });
    await openWidget(page);
    const box = await page.locator('parlance-widget iframe').boundingBox();
    expect([box?.x, box?.y, box?.width, box?.height]).toEqual([0, 0, 375, 667]);
    await keepShot(page, 'widget-phone');
    await frameOf(page).getByRole('button', { name: 'Close chat' }).tap();
    await buttonOf(page).waitFor();
    await keepShot(page, 'widget-phone-closed');
  });

  test('the widget does not appear on an unlisted website, and an unlisted website cannot frame the chat page', async () => {
    const shop = await newShop({ on, site }, '/unlisted');
    await shop.set({ origins: ['https://elsewhere.example'] });
    site.pages['/framing'] = { body: `<iframe title="f" src="${on.product.origin}/c/SLUG"></iframe>` };
    const { page } = await on.open(shop.url);
    const heard = page.waitForEvent('console', (line) => line.text().includes('no widget for this website'));
    await page.reload();
    await heard;
    await expect.poll(() => page.locator('parlance-widget').count()).toBe(0);
    const conversation = await on.product.admin.post('/conversations', { organization: shop.id });
    site.pages['/framing'] = {
      body: `<iframe title="f" src="${on.product.origin}/c/${conversation.body.slug}"></iframe>`,
    };
    const refused = page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'));
    await page.goto(`${site.origin}/framing`);
    await refused;
    await expect.poll(() => page.frameLocator('iframe').locator('#chat').count()).toBe(0);
  });
});

describe('a widget that cannot start', () => {
  const warning = (page: Page, words: string) =>
    page.waitForEvent('console', (line) => line.type() === 'warning' && line.text().includes(words));

  test('a widget with a wrong signature warns the website owner, and shows a message and a close button on a phone', async () => {
    const shop = await newShop({ on, site }, '/wrong-signature');
    await on.product.admin.post(`/organizations/${shop.id}/widget/secret`);
    site.pages['/wrong-signature'] = {
      script: `data-organization="${shop.id}" data-email="ada@example.com" data-signature="00"`,
    };
    const { page } = await on.open(shop.url, { viewport: { width: 375, height: 667 } });
    const warned = warning(page, 'Parlance: the signature of this visitor is wrong');
    await buttonOf(page).click();
    await page.getByText('The chat cannot be reached right now.').waitFor();
    await warned;
    await keepShot(page, 'widget-unreachable-phone');
    await page.getByRole('button', { name: 'Close chat' }).click();
    await buttonOf(page).waitFor();
    await expect.poll(() => buttonOf(page).getAttribute('aria-expanded')).toBe('false');
  });

  test('a widget that opens offline shows that it is offline, closes by Escape, and starts by its button when it is online again', async () => {
    const shop = await newShop({ on, site }, '/offline');
    const { page } = await on.open(shop.url);
    await buttonOf(page).waitFor();
    await page.context().setOffline(true);
    await buttonOf(page).click();
    await page.getByText('The chat cannot be reached right now.').waitFor();
    await keepShot(page, 'widget-unreachable');
    await page.getByRole('button', { name: 'Try again' }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => buttonOf(page).getAttribute('aria-expanded')).toBe('false');
    await buttonOf(page).click();
    await page.context().setOffline(false);
    const again = page.getByRole('button', { name: 'Try again' });
    // The widget may notice the network before the press.
    await eventually(async () => {
      if ((await again.count()) > 0) await again.click({ timeout: 1_000 });
      return frameOf(page).getByRole('textbox', { name: 'Message' }).isVisible();
    });
    await page.getByText('The chat cannot be reached right now.').waitFor({ state: 'detached' });
  });
});

describe('a script tag added by a program', () => {
  const own = (id: string) => `${on.product.origin}/widget.js?organization=${id}`;
  const text = (url: string) => `const code = await (await fetch('${url}')).text();`;
  test.each([
    ['appended with attributes', (id: string) => append(`src: '${own('')}'`, id)],
    ['appended without attributes', (id: string) => append(`src: '${own(id)}'`)],
    ['a module', (id: string) => append(`src: '${own(id)}', type: 'module'`)],
    ['in a shadow root', (id: string) => append(`src: '${own('')}'`, id, 'shadow()')],
    ['in a shadow root without attributes', (id: string) => append(`src: '${own(id)}'`, '', 'shadow()')],
    ['evaluated, with settings', (id: string) => `${settings(id)} ${text(own(''))} (0, eval)(code);`],
    ['a blob, with settings', (id: string) => `${settings(id)} ${text(own(''))} ${append(BLOB)}`],
  ])('a script tag added by a program finds its organization if it is %s', async (_, program) => {
    const shop = await newShop({ on, site }, '/managed');
    site.pages['/managed'] = { body: `<script type="module">${HELPERS} ${program(shop.id)}</script>` };
    const { page, complaints } = await on.open(shop.url);
    await openWidget(page);
    expect(complaints).toEqual([]);
  });

  test('a widget script without an organization logs a warning and throws no error', async () => {
    site.pages['/nobody'] = { body: `<script src="${on.product.origin}/widget.js" type="module"></script>` };
    const { page, complaints } = await on.open('about:blank');
    const warned = page.waitForEvent('console', (line) => line.text().includes('Add data-organization'));
    await page.goto(`${site.origin}/nobody`);
    await warned;
    expect(complaints).toEqual([]);
  });

  const HELPERS = `const shadow = () => {
    const host = document.body.appendChild(document.createElement('div'));
    return host.attachShadow({ mode: 'open' });
  };`;
  const BLOB = `src: URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))`;

  function settings(id: string): string {
    return `window.ParlanceSettings = { url: '${on.product.origin}', organization: '${id}' };`;
  }

  function append(properties: string, organization = '', parent = 'document.body'): string {
    const set = organization === '' ? '' : `script.dataset.organization = '${organization}';`;
    return `const script = Object.assign(document.createElement('script'), { ${properties} }); ${set} ${parent}.append(script);`;
  }
});
