import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newUser } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { newWidget, postAsVisitor, start } from '../support/website.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { frameOf, innerFrame, openWidget, sayIn, websiteFor } from './host-site.ts';
import { stage } from './stage.ts';

const on = stage('viewer_identity');
const site = websiteFor(on);
let agent: KeyHolder;

const SITE = 'https://shop.example';
const ATTACK = `"><img src=x onerror="alert(1)"><script>alert(2)</script>'</title></div><svg onload=alert(3)>`;

beforeAll(async () => {
  agent = await newUser(on.product, { role: 'agent', givenName: 'Grace', familyName: 'Hopper' });
});

/**
 * Creates an organization with widget settings and a conversation in which a visitor has posted.
 */
async function newVisit(widget: object, fields: object = {}) {
  const shop = await newWidget(on.product, { origins: [SITE, site.origin], ...widget }, fields);
  const { slug } = await start(on.product.origin, shop.id, { from: SITE });
  const said = await postAsVisitor(on.product.origin, slug, { key: 'a', text: 'Hello there' });
  const key = said.body.begun as string;
  const found = await on.product.admin.get(`/conversations?slug=${key}&organization=${shop.id}`);
  const id = found.body[0].id as string;
  const say = (by: KeyHolder, message: object) =>
    by.post(`/conversations/${id}/messages`, { role: 'agent', isBackchannel: false, ...message });
  return { ...shop, id, started: slug, url: `${on.product.origin}/c/${key}`, say };
}

const WIDGET = {
  colour: '#ffcc00',
  welcome: 'Welcome!\nWe are glad that you are here.',
  hours: 'Mon–Fri 9–17',
};

describe('the identity of an organization on the chat page', () => {
  test.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark', { colorScheme: 'dark' as const }],
    ['phone', { viewport: { width: 375, height: 667 } }],
    ['forced', { forcedColors: 'active' as const }],
  ])(
    'the chat page shows name, avatar, logo, colour, welcome and hours of the organization (%s)',
    async (name, options) => {
      const logo = `${on.product.origin}/viewer/none.png`;
      const visit = await newVisit(WIDGET, { displayName: 'The Shop', logo });
      await visit.say(agent, { text: 'How may I help? See https://example.com/help' });
      await visit.say(agent, { text: 'https://example.com/offers/price%20list.xlsx' });
      await visit.say(agent, {
        text: 'Pick one',
        actions: [
          { type: 'postback', text: 'A visit', payload: 'visit' },
          { type: 'link', text: 'Read more', uri: 'https://example.com' },
        ],
      });
      const { page, complaints } = await on.open(visit.url, options);
      await page.getByText('How may I help?').waitFor();
      await expect.poll(() => page.getByRole('heading').textContent()).toBe('The Shop');
      await page.getByText('We are glad that you are here.').waitFor();
      await page.getByText('Mon–Fri 9–17').waitFor();
      await expect.poll(() => page.locator('.message.agent bdi').first().textContent()).toBe('Grace Hopper');
      await expect.poll(() => page.locator('.message.agent .avatar').first().textContent()).toBe('GH');
      await page.locator('.message.contact').getByText('Read', { exact: true }).waitFor();
      await expect.poll(() => page.locator('.file').textContent()).toContain('price list.xlsx');
      await expect.poll(() => page.locator('.file .kind').textContent()).toContain('XLSX');
      await page.getByText('Connected').waitFor();
      await keepShot(page, `identity-${name}`);
      expect(await axeFinds(page)).toEqual([]);
      await page.getByLabel('Options').click();
      await page.getByRole('switch', { name: 'Sound' }).waitFor();
      await keepShot(page, `identity-${name}-options`);
      expect(await axeFinds(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test.each([['#ffffff'], ['#000000'], ['#777777'], ['#ffff00'], ['#ff0000']])(
    'the chat page is readable in the colour %s of an organization, in light and dark mode',
    async (colour) => {
      const visit = await newVisit({ colour });
      await visit.say(agent, {
        text: 'https://example.com/ and more',
        actions: [{ type: 'postback', text: 'Choose', payload: 'x' }],
      });
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await on.open(visit.url, { colorScheme });
        await page.getByRole('button', { name: 'Choose' }).waitFor();
        await page.getByText('Connected').waitFor();
        expect(await axeFinds(page)).toEqual([]);
      }
    },
  );

  test('the chat page shows markup in names, welcome, hours and logo as text', async () => {
    const visit = await newVisit(
      { welcome: ATTACK, hours: ATTACK },
      { displayName: ATTACK, logo: `javascript:alert(4)//${ATTACK}` },
    );
    const villain = await newUser(on.product, {
      role: 'agent',
      givenName: ATTACK,
      avatar: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(5)"/>`,
    });
    await visit.say(villain, { text: ATTACK });
    site.pages['/attack'] = { script: `data-organization="${visit.id}"` };
    const { page, complaints } = await on.open(visit.url);
    await page.getByText('Connected').waitFor();
    // The page is opened before the agent types, because the typing sign lasts only ten seconds.
    await villain.request('PUT', `/conversations/${visit.id}/typing`, { typing: true });
    await page.locator('.typing').waitFor();
    await page.locator('.message.agent').getByText('<script>').first().waitFor();
    await expect.poll(() => page.getByRole('heading').textContent()).toBe(ATTACK);
    await expect.poll(() => page.title()).toContain('<script>');
    await expect.poll(() => page.locator('.welcome').textContent()).toBe(ATTACK);
    await expect
      .poll(() => page.locator('#chat script, #chat svg[onload], #chat [onerror], #chat img').count())
      .toBe(0);
    expect(complaints).toEqual([]);
    const shop = await newWidget(
      on.product,
      { origins: [site.origin], welcome: ATTACK },
      { displayName: ATTACK },
    );
    site.pages['/attack'] = { script: `data-organization="${shop.id}"` };
    const host = await on.open(`${site.origin}/attack`);
    await openWidget(host.page);
    await expect.poll(() => host.page.getByRole('dialog').getAttribute('aria-label')).toBe(ATTACK);
    expect(host.complaints).toEqual([]);
  });
});

describe('the chat page in a widget', () => {
  test('the chat page in a widget has no serious axe findings inside or outside the frame', async () => {
    const visit = await newVisit(WIDGET, { displayName: 'The Shop' });
    site.pages['/axe'] = { script: `data-organization="${visit.id}"` };
    const shop = await newWidget(
      on.product,
      { origins: [site.origin], ...WIDGET },
      { displayName: 'The Shop' },
    );
    site.pages['/axe'] = { script: `data-organization="${shop.id}"` };
    for (const [name, options] of [
      ['light', {}],
      ['dark', { colorScheme: 'dark' as const }],
      ['forced', { forcedColors: 'active' as const }],
    ] as const) {
      const { page } = await on.open(`${site.origin}/axe`, options);
      await page.locator('parlance-widget button').waitFor();
      await keepShot(page, `widget-${name}-closed`);
      expect(await axeFinds(page)).toEqual([]);
      await openWidget(page);
      await sayIn(frameOf(page), 'Hello');
      await frameOf(page).locator('.message').getByText('Hello').waitFor();
      await frameOf(page).getByText('Connected').waitFor();
      await keepShot(page, `widget-${name}`);
      expect(await axeFinds(page)).toEqual([]);
      expect(await axeFinds(await innerFrame(page))).toEqual([]);
    }
  });

  test('the chat page in a widget offers a sound, but no notifications, which browsers refuse in frames', async () => {
    const shop = await newWidget(on.product, { origins: [site.origin] });
    site.pages['/sound'] = { script: `data-organization="${shop.id}"` };
    const { page } = await on.open(`${site.origin}/sound`);
    const frame = await openWidget(page);
    await frame.getByLabel('Options').click();
    const sound = frame.getByRole('switch', { name: 'Sound' });
    await expect.poll(() => sound.getAttribute('aria-checked')).toBe('false');
    await sound.click();
    await eventually(async () => (await sound.getAttribute('aria-checked')) === 'true');
    await expect.poll(() => frame.getByRole('switch').count()).toBe(1);
    // Escape first closes the menu, then the widget.
    await page.keyboard.press('Escape');
    await sound.waitFor({ state: 'hidden' });
    await expect.poll(() => page.locator('parlance-widget iframe').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('parlance-widget iframe').waitFor({ state: 'hidden' });
    await page.reload();
    await openWidget(page);
    await frame.getByLabel('Options').click();
    await eventually(async () => (await sound.getAttribute('aria-checked')) === 'true');
  });
});

describe('notifications of new messages', () => {
  const SPY = `window.shown = []; window.asked = 0;
    window.Notification = class { static permission = 'default';
      static async requestPermission() { window.asked++; return (Notification.permission = 'granted'); }
      constructor(title, options) { window.shown.push([title, options.body]); } };
    Object.defineProperty(document, 'hasFocus', { value: () => false });`;

  test('the chat page requests permission for notifications only when the reader turns them on, and notifications show author and text', async () => {
    const visit = await newVisit({}, { displayName: 'The Shop' });
    const { page } = await on.open('about:blank');
    await page.addInitScript(SPY);
    await page.goto(visit.url);
    await page.getByText('Connected').waitFor();
    await visit.say(agent, { text: 'too early' });
    await page.getByText('too early').waitFor();
    expect(await page.evaluate('[window.asked, window.shown]')).toEqual([0, []]);
    await page.getByLabel('Options').click();
    await page.getByRole('switch', { name: 'Notifications' }).click();
    await eventually(
      async () =>
        (await page.getByRole('switch', { name: 'Notifications' }).getAttribute('aria-checked')) === 'true',
    );
    await visit.say(agent, { text: 'your parcel is here' });
    await eventually(async () => (await page.evaluate<unknown[]>('window.shown')).length >= 1);
    expect(await page.evaluate('window.shown')).toEqual([['Grace Hopper', 'your parcel is here']]);
    await postAsVisitor(on.product.origin, visit.url.split('/').at(-1) ?? '', {
      key: 'mine',
      text: 'my own',
    });
    await page.getByText('my own').waitFor();
    expect(await page.evaluate<unknown[]>('window.shown')).toHaveLength(1);
  });
});

describe('files on the chat page', () => {
  test('the chat page shows files with type and name, and images with a thumbnail', async () => {
    const visit = await newVisit({});
    const { origin } = on.product;
    await visit.say(agent, { text: `${origin}/viewer/photo.PNG`, contentType: 'text/url' });
    await visit.say(agent, { text: 'https://example.com/a/Terms%20of%20use.pdf' });
    await visit.say(agent, { text: 'https://example.com/report', contentType: 'application/pdf' });
    for (const name of ['invoice.pdf.iso', 'report.pdf.exe/', 'make.php?id=1'])
      await visit.say(agent, { text: `https://example.com/${name}`, contentType: 'application/pdf' });
    await visit.say(agent, { text: 'https://example.com/page' });
    const { page } = await on.open('about:blank');
    await page.route('**/photo.PNG', (route) => route.fulfill({ contentType: 'image/png', body: PNG }));
    await page.goto(visit.url);
    await page.getByText('https://example.com/page').waitFor();
    const files = page.locator('.file');
    await expect.poll(() => files.count()).toBe(6);
    await expect.poll(() => files.nth(0).locator('img.thumbnail').count()).toBe(1);
    expect((await files.allTextContents()).map((text) => text.trim())).toEqual([
      'photo.PNG PNG',
      'File PDFTerms of use.pdf',
      'File PDFreport',
      'File ISOinvoice.pdf.iso',
      'File EXEreport.pdf.exe',
      'File PDFmake.php',
    ]);
    await expect.poll(() => files.nth(1).getAttribute('rel')).toBe('noopener noreferrer');
    await keepShot(page, 'files');
  });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
