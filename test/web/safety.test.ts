import { expect, test } from 'vitest';
import { isNeighbour } from '../../web/components/urls.ts';
import { startReceiver } from '../support/receiver.ts';
import { newPerson, openConsole } from './console.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const on = stage('viewer_safety');

test('the chat page shows markup in every field as text', async () => {
  const talk = await newTalk(on.product);
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
  const { page, complaints } = await on.open(talk.url);
  await page.getByText('end <img').waitFor();
  for (const button of await page.locator('.message button').all())
    if (await button.isVisible()) await button.click({ noWaitAfter: true });
  await page.getByText('calm').click();
  const found: string[] = await page.evaluate(`[...document.querySelectorAll('#chat *')].flatMap((element) =>
    [...element.attributes].filter(({ name, value }) => /^on|^style$/.test(name) && element.id !== 'say' || /^\\s*(javascript|data):/i.test(value))
      .map(({ name, value }) => element.tagName + ' ' + name + '=' + value))`);
  expect(found).toEqual([]);
  expect(
    await page
      .locator('#chat script, #chat style, #chat form form, #chat input:not(.attach input), #chat iframe')
      .count(),
  ).toBe(0);
  expect(complaints.filter((one) => one.startsWith('dialog'))).toEqual([]);
});

test('the chat page loads nothing from other hosts and has a strict policy', async () => {
  const talk = await newTalk(on.product);
  const requests: string[] = [];
  const { page } = await on.open('about:blank');
  page.on('request', (request) => requests.push(request.url()));
  const response = await page.goto(talk.url);
  await page.getByText('Connected').waitFor();
  expect(requests.length).toBeGreaterThan(3);
  expect(requests.filter((url) => !url.startsWith(on.product.origin))).toEqual([]);
  const headers = response?.headers() ?? {};
  expect(headers['content-security-policy']).toMatch(
    /default-src 'none'; script-src 'self'; style-src 'self'/,
  );
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(headers['referrer-policy']).toBe('no-referrer');
  const missing = await fetch(`${on.product.origin}/c/0123456789abcdef`);
  expect(missing.status).toBe(404);
  expect(await missing.text()).toContain('Conversation not found');
});

test('the chat page does not show an image from a data: address', async () => {
  const talk = await newTalk(on.product);
  await talk.say({ text: PIXEL, contentType: 'image/png' });
  const { page } = await on.open(talk.url);
  await page.getByText('data:image/png').waitFor();
  await expect.poll(() => page.locator('.log img').count()).toBe(0);
});

test('the chat page ignores direction controls in names and shows the real host of links', async () => {
  const talk = await newTalk(on.product);
  const turned = (text: string) => text.replace('|', '\u202E');
  await talk.say({ text: 'https://example.com/invoice%E2%80%AEfdp.exe', contentType: 'application/pdf' });
  await talk.say({ text: turned('https://example.com/annexe|fdp.zip') });
  await talk.say({ text: 'see https://аррӏе.com/login and https://paypal.com@evil.example/' });
  await talk.say({
    contentType: 'text/html',
    text: '<a href="https://evil.example/a">https://bank.example/a</a> <a href="https://evil.example">Pay</a>',
  });
  await talk.say({
    type: 'card',
    text: turned('The |drac'),
    items: [{ title: turned('Title |eltit') }],
    actions: [{ type: 'link', text: turned('Pay |won'), uri: 'https://evil.example/pay' }],
  });
  const { page } = await on.open(talk.url);
  await page.getByText('Title eltit').waitFor();
  const [program, archive] = await page.locator('a.file').allTextContents();
  expect(program).toBe('File EXEinvoicefdp.exe');
  expect(archive).toBe('File ZIPannexefdp.zip');
  await expect
    .poll(() => page.locator('.text a').allTextContents())
    .toEqual(['https://xn--80ak6aa92e.com/login', 'https://evil.example/', 'https://evil.example/a', 'Pay']);
  const link = page.getByRole('link', { name: 'Pay won' });
  await expect.poll(() => link.getAttribute('title')).toBe('evil.example');
  await expect.poll(() => page.locator('.html a').last().getAttribute('title')).toBe('evil.example');
  await expect.poll(() => page.locator('#chat').textContent()).not.toContain('\u202E');
});

test('the chat page hides a message without visible characters', async () => {
  const talk = await newTalk(on.product);
  const page = (await on.open(talk.url)).page;
  await page.getByText('Connected').waitFor();
  const invisible = { id: 'x', slug: 'x', type: 'chat', role: 'bot', at: new Date().toISOString() };
  const texts = ['\u200B', '\u3164', '\u2800', '\u00AD', ' \n', '<p>&nbsp;</p>'];
  await page.route(/\/messages\?/, (route) =>
    route.fulfill({
      json: {
        ...{ more: false, last: texts.length + 1, mark: '0' },
        messages: [...texts, 'seen'].map((text, at) => ({
          ...{ ...invisible, id: `x${at}`, sequence: at + 1, text },
          ...(text.startsWith('<') ? { contentType: 'text/html' } : {}),
        })),
      },
    }),
  );
  await page.reload();
  await page.getByText('seen').waitFor();
  await expect.poll(() => page.locator('.message').count()).toBe(1);
});

test.each([
  ['http://127.0.0.1:3598/x.svg', true],
  ['https://127.0.0.1:3000/', true],
  ['http://user@127.0.0.1:1/', true],
  ['http://127.1:3598/', true],
  ['http://0x7f000001:3598/', true],
  ['http://127.0.0.1./', true],
  ['//127.0.0.1:3001/x', true],
  ['http://127.0.0.1/', true],
  ['http://127.0.0.1:3000/c/one', false],
  ['c/one', false],
  ['http://127.0.0.2:3598/', false],
  ['https://example.com:3598/127.0.0.1', false],
])('the chat page recognizes whether %s is another port of the same host: %s', (address, expected) => {
  const page = new URL('http://127.0.0.1:3000/console');
  expect(isNeighbour(new URL(address, page), page)).toBe(expected);
});

test('a message on the chat page or in the console causes no request to another port of the host', async () => {
  const { admin, origin } = on.product;
  const neighbour = await startReceiver({ takesAll: true });
  const { port } = new URL(neighbour.url);
  const url = (name: string) => `http://${new URL(origin).hostname}:${port}/${name}.png`;
  const talk = await newTalk(on.product);
  const bot = await admin.post('/users', { role: 'bot', givenName: 'Eve', avatar: url('avatar') });
  for (const role of ['contact', 'bot']) {
    await talk.say({ role, text: url('text') });
    await talk.say({ role, text: url('picture'), contentType: 'image/png' });
    await talk.say({ role, text: url('link'), contentType: 'text/url' });
    await talk.say({
      role,
      contentType: 'text/html',
      text: `<img src="${url('html')}" alt="no picture"><a href="${url('a')}">words</a>`,
    });
  }
  const actions = [
    { type: 'link', text: 'Link', uri: url('link') },
    { type: 'webview', text: 'Webview', uri: url('webview'), fallback: url('fallback') },
  ];
  await talk.say({
    type: 'card',
    text: 'card',
    user: bot.body.id,
    actions,
    items: [{ title: 'Item', mediaUrl: url('media'), mediaType: 'image/png', actions }],
  });
  const reply = { type: 'reply', text: 'Reply', payload: 'x', iconUrl: url('icon') };
  await talk.say({ text: 'end', actions: [reply] });
  const agent = await newPerson(on.product, { role: 'agent' });
  const pages = [
    (await on.open(talk.url)).page,
    (await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` })).page,
  ];
  for (const page of pages) {
    await page.getByText('end', { exact: true }).waitFor();
    await page.getByText(url('text')).first().waitFor();
    await page.getByText('no picture').first().waitFor();
    await expect.poll(() => page.locator(`[href*=":${port}/"], [src*=":${port}/"]`).count()).toBe(0);
  }
  expect(neighbour.received).toEqual([]);
  await neighbour.close();
});

test('the console loads an image of a contact only after a press, and an image of the staff at once', async () => {
  const talk = await newTalk(on.product);
  const picture = (name: string) => `https://pictures.example/${name}.png`;
  await talk.say({ role: 'contact', text: picture('typed') });
  await talk.say({ role: 'contact', text: picture('picture'), contentType: 'image/png' });
  await talk.say({
    role: 'contact',
    text: `<p>see <a href="https://example.com"><img src="${picture('html')}"></a></p>`,
    contentType: 'text/html',
  });
  await talk.say({ role: 'bot', text: picture('staff'), contentType: 'image/png' });
  const agent = await newPerson(on.product, { role: 'agent' });
  const { page } = await openConsole(on, agent);
  const asked: string[] = [];
  await page.route('https://pictures.example/**', async (route) => {
    asked.push(new URL(route.request().url()).pathname);
    await route.fulfill({ body: Buffer.from(PIXEL.split(',')[1] ?? '', 'base64'), contentType: 'image/png' });
  });
  await page.goto(`${on.product.origin}/console#/inbox/all/${talk.id}`);
  await page.locator('.line.bot img').waitFor();
  expect(asked).toEqual(['/staff.png']);
  const offers = page.getByRole('button', { name: 'Show the picture from pictures.example' });
  await expect.poll(() => offers.count()).toBe(2);
  await offers.first().click();
  await page.locator('.line.contact img').waitFor();
  await offers.first().click();
  await page.locator('.line.contact .html img').waitFor();
  expect(asked).toEqual(['/staff.png', '/picture.png', '/html.png']);
});

test('the chat page that an agent opens from the console loads images only after a press', async () => {
  const talk = await newTalk(on.product);
  const picture = (name: string) => `https://pictures.example/${name}.png`;
  await talk.say({ role: 'contact', text: picture('picture'), contentType: 'image/png' });
  await talk.say({ text: `<p><img src="${picture('html')}"></p>`, contentType: 'text/html' });
  await talk.say({ text: 'Car', type: 'card', items: [{ title: 'Car', mediaUrl: picture('item') }] });
  const asked: string[] = [];
  const { page } = await on.open('about:blank');
  await page.route('https://pictures.example/**', async (route) => {
    asked.push(new URL(route.request().url()).pathname);
    await route.fulfill({ body: Buffer.from(PIXEL.split(',')[1] ?? '', 'base64'), contentType: 'image/png' });
  });
  await page.goto(`${talk.url}#agent`);
  const offers = page.getByRole('button', { name: 'Show the picture from pictures.example' });
  await expect.poll(() => offers.count()).toBe(3);
  expect(asked).toEqual([]);
  await offers.first().click();
  await page.locator('.message img').waitFor();
  expect(asked).toEqual(['/picture.png']);
});

test('agents load nothing from another server by any element of a message before a press', async () => {
  const talk = await newTalk(on.product);
  const url = (name: string) => `https://pictures.example/${name}`;
  const html = [
    `<picture><source srcset="${url('source')}"><img src="${url('img')}" srcset="${url('srcset')} 2x"></picture>`,
    `<video src="${url('video')}" poster="${url('poster')}" autoplay></video><audio src="${url('audio')}" autoplay></audio>`,
    `<svg><image href="${url('svg')}"></image><use href="${url('use')}#a"></use></svg><input type="image" src="${url('input')}">`,
    `<object data="${url('object')}"></object><embed src="${url('embed')}"><iframe src="${url('frame')}"></iframe>`,
    `<link rel="stylesheet" href="${url('sheet')}"><style>@import "${url('import')}"; p { background: url(${url('style')}) }</style>`,
    `<p style="background: url(${url('inline')})" background="${url('background')}">words</p><table background="${url('table')}"><tr><td>x</td></tr></table>`,
    `<a href="${url('ping-target')}" ping="${url('ping')}">link</a><base href="${url('base/')}"><img src="relative.png"><meta http-equiv="refresh" content="0; ${url('meta')}">`,
  ].join('');
  const by = { role: 'contact' as const };
  await talk.say({ ...by, text: html, contentType: 'text/html' });
  for (const type of ['image/png', 'image/gif', 'text/url', 'application/pdf'])
    await talk.say({ ...by, text: url(type.replace('/', '-')), contentType: type });
  await talk.say({ text: 'end' });
  const agent = await newPerson(on.product, { role: 'agent' });
  for (const page of [
    (await on.open('about:blank')).page,
    (await openConsole(on, agent, { place: '#/inbox/all' })).page,
  ]) {
    const asked: string[] = [];
    await page.route('https://pictures.example/**', async (route) => {
      asked.push(route.request().url());
      await route.abort();
    });
    const isConsole = page.url().includes('/console');
    await page.goto(isConsole ? `${on.product.origin}/console#/inbox/all/${talk.id}` : `${talk.url}#agent`);
    await page.getByText('end', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /from pictures\.example/ })
      .first()
      .waitFor();
    // A request of an image that was just added to the page would start within two frames.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(asked, page.url()).toEqual([]);
  }
});
