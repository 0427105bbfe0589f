import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { findRecords, newWidget, signText } from '../support/website.ts';
import { keepShot } from './browser.ts';
import { buttonOf, frameOf, newShop, openWidget, sayIn, websiteFor } from './host-site.ts';
import { countScriptWork } from './script-work.ts';
import { stage } from './stage.ts';

const on = stage('viewer_website');
const site = websiteFor(on);

describe('the widget under a strict policy of the website', () => {
  test('the widget works on a website whose policy allows only the origin of the product and no inline styles, and requires Trusted Types', async () => {
    const { origin } = on.product;
    const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; frame-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`;
    const shop = await newShop({ on, site }, '/strict', { widget: { colour: '#ffe066' }, policy });
    const { page, complaints } = await on.open(shop.url);
    const frame = await openWidget(page);
    await sayIn(frame, 'Still here');
    await frame.locator('.message').getByText('Still here').waitFor();
    expect((await buttonOf(page).boundingBox())?.width).toBe(56);
    await keepShot(page, 'widget-strict');
    expect(complaints).toEqual([]);
  });
});

describe('the widget on an isolated website', () => {
  test.each([
    ['alone', {}],
    ['with Cross-Origin-Opener-Policy', { 'Cross-Origin-Opener-Policy': 'same-origin' }],
  ])('the widget works under Cross-Origin-Embedder-Policy %s', async (_, more) => {
    const shop = await newShop({ on, site }, '/isolated');
    site.pages['/isolated'] = {
      script: `data-organization="${shop.id}" crossorigin`,
      headers: {
        'Cross-Origin-Embedder-Policy': 'require-corp',
        'Permissions-Policy': 'geolocation=(), autoplay=()',
        ...more,
      },
    };
    const { page } = await on.open(shop.url);
    const frame = await openWidget(page);
    await sayIn(frame, 'Isolated');
    await frame.locator('.message:not(.waiting)').getByText('Isolated').waitFor();
  });

  test('the widget ignores the tag of another product, and settings take precedence over tags', async () => {
    const shop = await newShop({ on, site }, '/other');
    const other =
      '<script data-organization="acme" data-url="https://other.example" src="data:text/javascript,"></script>';
    const settings = `window.ParlanceSettings = { organization: ' ${shop.id} ' }`;
    site.pages['/other'] = {
      body: `${other}<script>${settings}</script><script src="${on.product.origin}/widget.js" type="module"></script>`,
    };
    const { page, complaints } = await on.open(shop.url);
    await openWidget(page);
    expect(complaints).toEqual([]);
  });
});

describe('the website of the widget', () => {
  test('the widget loads only its script and its appearance before it is opened, and adds no frame', async () => {
    const shop = await newShop({ on, site }, '/light');
    const work = async (path: string) => {
      const { page } = await on.open('about:blank');
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable');
      const script = await countScriptWork(page);
      await page.goto(`${site.origin}${path}`);
      if (path !== '/without') await buttonOf(page).waitFor();
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? NaN;
      return { requests, script: await script.since(), nodes: of('Nodes'), frames: of('Frames') };
    };
    site.pages['/without'] = {};
    const [without, with_] = [await work('/without'), await work('/light')];
    console.log(
      'host page without and with the widget',
      { ...without, requests: without.requests.length },
      { ...with_, requests: with_.requests.length },
    );
    expect(
      with_.requests.filter((url) => url.startsWith(on.product.origin)).map((url) => new URL(url).pathname),
    ).toEqual(['/widget.js', `/c/${shop.id}/look`]);
    expect(with_.frames).toBe(without.frames);
    expect(with_.nodes - without.nodes).toBeLessThan(80);
    expect(with_.script - without.script).toBeLessThan(1_700);
  });

  test('the widget adds one global to the website, and identifies the visitor by a signature', async () => {
    const shop = await newShop({ on, site }, '/known');
    const { body } = await on.product.admin.post(`/organizations/${shop.id}/widget/secret`);
    const email = 'ada@shop.example';
    const attributes = `data-email="${email}" data-name="Ada" data-signature="${signText(body.secret as string, email)}"`;
    site.pages['/known'] = { script: `data-organization="${shop.id}" ${attributes}` };
    site.pages['/out'] = { script: `data-organization="${shop.id}"` };
    site.pages['/bare'] = {};
    const first = await on.open(`${site.origin}/bare`);
    const globals = () => first.page.evaluate<string[]>('Object.getOwnPropertyNames(window)');
    const before = await globals();
    await first.page.goto(shop.url);
    await buttonOf(first.page).waitFor();
    expect((await globals()).filter((name) => !before.includes(name))).toEqual(['Parlance']);
    await sayIn(await openWidget(first.page), 'It is me');
    await eventually(async () => (await shop.records()).conversations.length >= 1);
    expect((await shop.records()).contacts[0].profile).toEqual({ email, name: 'Ada' });
    // The same visitor sees the same conversation in another browser.
    const second = await on.open(shop.url);
    await openWidget(second.page);
    await frameOf(second.page).getByText('It is me').waitFor();
    // After sign-out, the same browser starts another conversation.
    await second.page.goto(`${site.origin}/out`);
    await second.page.reload();
    await frameOf(second.page).getByText('No messages yet').waitFor();
    await second.page.evaluate('Parlance.close()');
    await second.page.goto(shop.url);
    await openWidget(second.page);
    await frameOf(second.page).getByText('It is me').waitFor();
    await second.page.evaluate('Parlance.forget()');
    await frameOf(second.page).getByText('No messages yet').waitFor();
    expect((await shop.records()).conversations).toHaveLength(1);
  });

  test('the widget works on a website on the origin of the product', async () => {
    const { origin } = on.product;
    const shop = await newWidget(on.product, { origins: [origin] });
    const { page } = await on.open('about:blank');
    const script = `<script src="/widget.js" data-organization="${shop.id}" async></script>`;
    await page.route(`${origin}/shop/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><h1>Shop</h1>${script}` }),
    );
    await page.goto(`${origin}/shop/`);
    await sayIn(await openWidget(page), 'from the same origin');
    const records = () => findRecords(on.product.admin, shop.id);
    await eventually(async () => (await records()).conversations.length >= 1);
  });

  test('the widget works offline, and sends each message once when the visitor is online again', async () => {
    const shop = await newShop({ on, site }, '/offline');
    const { page } = await on.open(shop.url);
    const frame = await openWidget(page);
    await page.context().setOffline(true);
    await sayIn(frame, 'into the void');
    await frame.locator('.waiting').getByText('into the void').waitFor();
    await page.context().setOffline(false);
    await frame.locator('.message:not(.waiting)').getByText('into the void').waitFor();
    const [conversation] = (await shop.records()).conversations;
    const listed = await on.product.admin.get(`/conversations/${conversation.id}/messages`);
    expect(listed.body.map(({ text }: any) => text)).toEqual(['into the void']);
  });
});
