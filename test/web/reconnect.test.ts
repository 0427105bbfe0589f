import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ownApi } from '../support/shared-servers.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { start } from '../support/website.ts';
import { newPerson, signIn } from './console.ts';
import { newTalk } from './conversation.ts';
import { frameOf, newShop, openWidget, sayIn, websiteFor } from './host-site.ts';
import { stage } from './stage.ts';

const on = stage('viewer_reconnect', ownApi);
const site = websiteFor(on);

describe('a chat page whose server dies', () => {
  test('a chat page whose server dies shows the lost connection, keeps new messages and sends each once after reconnecting', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url);
    await page.getByText('Connected').waitFor();
    const say = async (text: string) => {
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      await page.keyboard.press('Enter');
    };
    await say('one');
    await talk.say('two');
    await page.getByText('two').waitFor();
    // The response to this message may be lost before or after the message is stored.
    await say('three');
    await on.product.kill();
    await page.getByText('Reconnecting').waitFor();
    await say('four');
    await say('five');
    await expect.poll(() => page.locator('.waiting').count()).toBeGreaterThanOrEqual(2);
    await on.product.restart();
    await page.getByText('Connected').waitFor();
    await talk.say('six');
    await page.getByText('six').waitFor();
    await eventually(async () => (await page.locator('.waiting').count()) === 0);
    const said = ['one', 'two', 'three', 'four', 'five', 'six'];
    const lines = (await talk.lines()).map((line) => line.split(': ')[1]);
    expect([...lines].sort()).toEqual([...said].sort());
    expect(lines.filter((line) => line !== 'six' && line !== 'two')).toEqual([
      'one',
      'three',
      'four',
      'five',
    ]);
    await eventually(async () => {
      const shown = await page.locator('.message .text').allTextContents();
      return shown.join() === lines.join();
    });
  });

  test('a chat page that is reloaded after the response to a message was lost sends this message once', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url);
    await page.getByText('Connected').waitFor();
    await page.route('**/messages', (route) =>
      route.request().method() === 'POST' ? route.fetch().then(() => route.abort()) : route.continue(),
    );
    await page.getByRole('textbox', { name: 'Message' }).fill('only once');
    await page.keyboard.press('Enter');
    await eventually(async () => (await talk.lines()).length >= 1);
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
    await page.locator('.message').getByText('only once').waitFor();
    await eventually(async () => (await page.locator('.waiting').count()) === 0);
    expect(await talk.lines()).toEqual(['contact: only once']);
  });
});

describe('a chat page with a dead connection', () => {
  test('a chat page with a dead connection shows the lost connection, reconnects and shows missed messages', async () => {
    const talk = await newTalk(on.product);
    const proxy = await startTcpProxy({ port: Number(new URL(on.product.origin).port) });
    onTestFinished(() => proxy.close());
    const { page } = await on.open('about:blank');
    await page.clock.install();
    await page.goto(`http://127.0.0.1:${proxy.port}${talk.path}`);
    await page.getByText('Connected').waitFor();
    await talk.say('before');
    await page.getByText('before').waitFor();
    proxy.weather({ kind: 'stalled' });
    await talk.say('meanwhile');
    await page.clock.fastForward(45_000);
    await page.getByText('Reconnecting').waitFor();
    proxy.weather({ kind: 'clear' });
    await page.clock.fastForward(10_000);
    await page.getByText('meanwhile').waitFor();
    await page.getByText('Connected').waitFor();
  });
});

describe('a chat page behind a bad network', () => {
  test('a chat page whose open connections are all dead shows a new message within 45 seconds', async () => {
    const talk = await newTalk(on.product);
    const proxy = await startTcpProxy({ port: Number(new URL(on.product.origin).port) });
    onTestFinished(() => proxy.close());
    const { page } = await on.open('about:blank');
    await page.clock.install();
    await page.goto(`http://127.0.0.1:${proxy.port}${talk.path}`);
    await page.getByText('Connected').waitFor();
    // Leaves idle connections beside the stream, as many as the browser opens.
    await page.evaluate(
      `Promise.all([1, 2, 3, 4, 5].map((at) => fetch(location.pathname + '/unread?' + at, { cache: 'no-store' })))`,
    );
    proxy.freeze();
    await talk.say('meanwhile');
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.getByText('Reconnecting').waitFor();
    // The pause let the page sleep, so its next read starts within a second.
    const read = page.waitForResponse('**/messages?*');
    await page.clock.runFor(9_000);
    await read;
    await page.clock.resume();
    await page.getByText('meanwhile').waitFor();
  });

  test('a chat page whose proxy holds the stream back shows new, edited and deleted messages', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open('about:blank');
    await page.clock.install();
    await page.route('**/stream?*', () => undefined);
    const [old, wrong] = [await talk.say('old'), await talk.say('wrong')];
    await page.goto(talk.url);
    await page.getByText('wrong').waitFor();
    await talk.say('new');
    await on.product.admin.request('PATCH', `/messages/${wrong.id}`, { text: 'right' });
    await on.product.admin.request('DELETE', `/messages/${old.id}`);
    await page.clock.fastForward(36_000);
    await page.clock.fastForward(5_000);
    await page.getByText('new', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.message .text').allTextContents()).toEqual(['right', 'new']);
  });

  test('a chat page without messages shows that the server is away when a message cannot be sent', async () => {
    const shop = await newShop({ on, site }, '/away');
    const { slug } = await start(on.product.origin, shop.id, { from: site.origin });
    const { page } = await on.open(`${on.product.origin}/c/${slug}`);
    await page.getByText('Connected').waitFor();
    await page.route('**/messages*', (route) => route.abort());
    await page.getByRole('textbox', { name: 'Message' }).fill('Anybody?');
    await page.keyboard.press('Enter');
    await page.getByText('Reconnecting… your messages will be sent').waitFor();
    await page.unrouteAll();
    await page.locator('.message:not(.waiting)').getByText('Anybody?').waitFor();
  });

  test('a chat page without messages shows that the server is away before anything is written', async () => {
    const shop = await newShop({ on, site }, '/silent');
    const { slug } = await start(on.product.origin, shop.id, { from: site.origin });
    const { page } = await on.open('about:blank');
    await page.clock.install();
    await page.goto(`${on.product.origin}/c/${slug}`);
    await page.getByText('Connected').waitFor();
    await page.route('**/messages*', (route) => route.abort());
    await page.clock.fastForward(15_000);
    await page.getByText('Reconnecting').waitFor();
    await page.unrouteAll();
    await page.clock.fastForward(10_000);
    await page.getByText('Connected').waitFor();
  });
});

describe('a console with a dead connection', () => {
  test('a console with a dead connection shows the loss in list and conversation, reopens both streams and shows missed messages', async () => {
    const talk = await newTalk(on.product);
    const agent = await newPerson(on.product, { role: 'agent' });
    const proxy = await startTcpProxy({ port: Number(new URL(on.product.origin).port) });
    onTestFinished(() => proxy.close());
    const { page } = await on.open('about:blank');
    await page.clock.install();
    const opened = { list: 0, conversation: 0 };
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname === '/v2/conversations/stream') opened.list += 1;
      if (pathname === `/v2/conversations/${talk.id}/stream`) opened.conversation += 1;
    });
    await page.goto(`http://127.0.0.1:${proxy.port}/console#/inbox/all/${talk.id}`);
    await signIn(page, agent);
    await talk.say('before');
    await page.locator('.line', { hasText: 'before' }).waitFor();
    await on.product.admin.post('/conversations', { name: 'came before' });
    await page.getByRole('link', { name: /came before/ }).waitFor();
    const before = { ...opened };
    proxy.weather({ kind: 'stalled' });
    await talk.say('said meanwhile');
    await on.product.admin.post('/conversations', { name: 'came meanwhile' });
    await page.clock.fastForward(45_000);
    const signs = [page.locator('.lists .offline'), page.locator('.conversation .offline')];
    for (const sign of signs) await sign.getByText('The server does not respond.').waitFor();
    proxy.weather({ kind: 'clear' });
    await page.clock.fastForward(10_000);
    await page.locator('.line', { hasText: 'said meanwhile' }).waitFor();
    await page.getByRole('link', { name: /came meanwhile/ }).waitFor();
    for (const sign of signs) await sign.waitFor({ state: 'detached' });
    // Waits until both streams are open again, so that the next message arrives by stream, not by
    // polling.
    await eventually(() =>
      Promise.resolve(opened.list > before.list && opened.conversation > before.conversation),
    );
    await talk.say('after');
    await page.locator('.line', { hasText: 'after' }).waitFor();
  });
});

describe('a widget whose server dies', () => {
  test('a widget whose server dies opens when the server is back, and has one conversation with all messages', async () => {
    const shop = await newShop({ on, site }, '/restarts');
    const { page } = await on.open(shop.url);
    const frame = await openWidget(page);
    await sayIn(frame, 'one');
    await frame.locator('.message:not(.waiting)').getByText('one').waitFor();
    await on.product.kill();
    await sayIn(frame, 'two');
    const other = await page.context().newPage();
    await on.product.restart();
    await other.goto(shop.url);
    await openWidget(other);
    await sayIn(frameOf(other), 'three');
    for (const place of [frame, frameOf(other)])
      for (const text of ['one', 'two', 'three'])
        await place.locator('.message:not(.waiting)').getByText(text).waitFor();
    const { conversations } = await shop.records();
    expect(conversations).toHaveLength(1);
    const listed = await on.product.admin.get(`/conversations/${conversations[0].id}/messages`);
    const texts = listed.body.map(({ text }: { text: string }) => text) as string[];
    expect([...texts].sort()).toEqual(['one', 'three', 'two']);
    // The messages of each tab stay in order.
    expect(texts.indexOf('one')).toBeLessThan(texts.indexOf('two'));
  });
});
