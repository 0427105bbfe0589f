import { expect, test } from 'vitest';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const on = stage('viewer_safety');

test('attacks in every field stay text', async () => {
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
    await page.locator('#chat script, #chat style, #chat form form, #chat input, #chat iframe').count(),
  ).toBe(0);
  expect(complaints.filter((one) => one.startsWith('dialog'))).toEqual([]);
});

test('nothing comes from other hosts, and the policy is strict', async () => {
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
  expect(await missing.text()).toContain('There is no conversation here');
});

test('an image of a data address is refused, a picture of the web is not', async () => {
  const talk = await newTalk(on.product);
  await talk.say({ text: PIXEL, contentType: 'image/png' });
  const { page } = await on.open(talk.url);
  await page.getByText('data:image/png').waitFor();
  expect(await page.locator('.log img').count()).toBe(0);
});
