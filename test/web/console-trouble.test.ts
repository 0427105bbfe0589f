import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newPerson, openConsole, signIn } from './console.ts';
import { newTalk } from './conversation.ts';
import { eventually } from '../support/eventually.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { stage } from './stage.ts';

const on = stage('console_trouble');

const reply = (page: Page) => page.getByRole('textbox', { name: 'Write to the contact' });

describe('the console during failures', () => {
  test('the console shows that it is offline, keeps the draft, and shows missed messages when it is online again', async () => {
    const talk = await newTalk(on.product);
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    await page.locator('.deed').first().waitFor();
    await page.context().setOffline(true);
    await page.getByText('No connection.').waitFor();
    await reply(page).fill('written without a connection');
    await on.product.admin.post('/conversations', { name: 'came meanwhile', messages: [{ text: 'hi' }] });
    await talk.say('said meanwhile');
    await page.context().setOffline(false);
    await page.getByRole('link', { name: /came meanwhile/ }).waitFor();
    await page.locator('.line', { hasText: 'said meanwhile' }).waitFor();
    await page.getByText('No connection.').waitFor({ state: 'detached' });
    await expect.poll(() => reply(page).inputValue()).toBe('written without a connection');
  });

  test('the console makes few requests while its server cannot be reached', async () => {
    const talk = await newTalk(on.product);
    const agent = await newPerson(on.product, { role: 'agent' });
    const proxy = await startTcpProxy({ port: Number(new URL(on.product.origin).port) });
    const through = { ...on, product: { ...on.product, origin: `http://127.0.0.1:${proxy.port}` } };
    const { page } = await openConsole(through, agent, { place: `#/inbox/all/${talk.id}` });
    await page.locator('.deed').first().waitFor();
    await page.clock.install();
    proxy.weather({ kind: 'cut' });
    await page.getByText('No connection.').waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    for (let second = 0; second < 60; second += 1) {
      await page.clock.runFor(1_000);
      // The requests of this second fail meanwhile.
      await page.evaluate(() => fetch('robots.txt').catch(() => undefined));
    }
    expect(requests.filter((path) => path !== '/robots.txt').length).toBeLessThan(150);
    await proxy.close();
  });

  test.each([
    [429, 'rate_limited', 'Too many requests'],
    [503, 'unavailable', 'an operator has paused the conversation'],
  ])(
    'the console keeps a reply that is refused with %i and shows the reason, and sending the reply again posts it once',
    async (status, code, message) => {
      const talk = await newTalk(on.product);
      const agent = await newPerson(on.product, { role: 'agent' });
      const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
      await page.locator('.deed').first().waitFor();
      const path = `**/v2/conversations/${talk.id}/messages`;
      await page.route(path, (route) => route.fulfill({ status, json: { message, code } }));
      await reply(page).fill('in spite of it');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('alert').getByText(message).waitFor();
      await expect.poll(() => reply(page).inputValue()).toBe('in spite of it');
      await page.unroute(path);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('.line.agent', { hasText: 'in spite of it' }).waitFor();
      await eventually(async () => (await reply(page).inputValue()) === '');
      expect((await talk.lines()).filter((line) => line.includes('in spite'))).toHaveLength(1);
    },
  );

  test('a browser that believes to be offline shows no missing connection while the server answers', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent);
    await page.addInitScript(`Object.defineProperty(navigator, 'onLine', { get: () => false })`);
    await page.reload();
    await page.locator('.lists').waitFor();
    const looked = page.waitForResponse((response) => response.url().endsWith('/console/session'));
    await page.evaluate(`dispatchEvent(new Event('offline'))`);
    await looked;
    expect(await page.getByText('No connection.').count()).toBe(0);
  });

  test('the console opens a link that is followed while the console is still loading', async () => {
    const talk = await newTalk(on.product);
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent);
    await page.addInitScript(`
      const watch = new MutationObserver(() => {
        if (!document.querySelector('.lists')) return;
        watch.disconnect();
        location.hash = '#/inbox/all/${talk.id}';
      });
      watch.observe(document, { childList: true, subtree: true });
    `);
    await page.reload();
    await reply(page).waitFor();
  });

  test('an agent can find, open and accept a conversation, reply, and list the shortcuts by keyboard alone', async () => {
    const talk = await newTalk(on.product);
    await on.product.admin.request('PATCH', `/conversations/${talk.id}`, { name: 'Keyboard walker' });
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent);
    await page.locator('.row').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).getByText('Ctrl+Enter').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('Keyboard walker');
    await page.getByRole('link', { name: /Keyboard walker/ }).waitFor();
    await tabTo(page, /Keyboard walker/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Take' }).waitFor();
    await tabTo(page, /^Take$/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
    await page.locator('body').press('r');
    await page.keyboard.type('no mouse here');
    await page.keyboard.press('Control+Enter');
    await page.locator('.line.agent', { hasText: 'no mouse here' }).waitFor();
  });

  test('the console shows the sign-in form when the session ends elsewhere, keeps the draft, and shows missed conversations after a new sign-in', async () => {
    const talk = await newTalk(on.product);
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    await page.locator('.deed').first().waitFor();
    await reply(page).fill('half a sentence');
    await page.context().clearCookies();
    // The sign-in dialog may already cover the button, because another request was refused.
    await page.locator('.reply button.main').dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    // The page behind the dialog cannot receive focus.
    const focused =
      'document.activeElement.closest("dialog") !== null || document.activeElement === document.body';
    for (let presses = 0; presses < 6; presses += 1) {
      expect(await page.evaluate(focused)).toBe(true);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Escape');
    await on.product.admin.post('/conversations', { name: 'came while signed out' });
    await signIn(page, agent);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /came while signed out/ }).waitFor();
    await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    await expect.poll(() => reply(page).inputValue()).toBe('half a sentence');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.line.agent', { hasText: 'half a sentence' }).waitFor();
  });

  test('a tab posts nothing in the name of a user who signed in in another tab', async () => {
    const talk = await newTalk(on.product);
    const [first, other] = [
      await newPerson(on.product, { role: 'agent' }),
      await newPerson(on.product, { role: 'agent' }),
    ];
    const { page } = await openConsole(on, first, { place: `#/inbox/all/${talk.id}` });
    await page.locator('.deed').first().waitFor();
    await reply(page).fill('words of the first');
    // The tab learns of the other user only when it is allowed to.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/console/session', (route) => held.then(() => route.continue()));
    const second = await page.context().newPage();
    await second.goto(`${on.product.origin}/console`);
    await second.getByRole('button', { name: 'Sign out' }).click();
    await signIn(second, other);
    await second.getByRole('button', { name: 'Sign out' }).waitFor();
    const posted = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/messages'),
    );
    await page.locator('.reply button.main').dispatchEvent('click');
    expect([401, 403]).toContain((await posted).status());
    release();
    // The tab shows the other user, whose draft is empty.
    await eventually(async () => (await reply(page).inputValue()) === '');
    await talk.say('end');
    expect(await talk.lines()).toEqual(['bot: end']);
  });

  test('a tab goes on without a question after its user signed in anew in another tab', async () => {
    const talk = await newTalk(on.product);
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    await page.locator('.deed').first().waitFor();
    const second = await page.context().newPage();
    await second.goto(`${on.product.origin}/console`);
    await second.getByRole('button', { name: 'Sign out' }).click();
    await second.getByLabel('Email', { exact: true }).waitFor();
    await signIn(second, agent);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await reply(page).fill('still here');
    await reply(page).press('Control+Enter');
    await page.locator('.line.agent', { hasText: 'still here' }).waitFor();
  });

  test('two tabs without locks renew an expired session once', async () => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent);
    await page.context().addInitScript(`delete Navigator.prototype.locks`);
    // The tabs pause before each write, as on a busy machine.
    await page.context().addInitScript(`
      for (const [kind, name] of [[Storage, 'setItem'], [IDBObjectStore, 'put']]) {
        const write = kind.prototype[name];
        kind.prototype[name] = function (...values) {
          for (const begun = performance.now(); performance.now() < begun + 200; );
          return write.apply(this, values);
        };
      }
    `);
    // The first requests of each tab are refused as expired, and the session is read as expired.
    let renewals = 0;
    await page.context().route('**/console/session', async (route) => {
      const method = route.request().method();
      if (method === 'PUT') renewals += 1;
      if (method === 'GET' && renewals === 0) {
        // Longer than the pause: a second tab with the lease would read an expired session too.
        await wait(600);
        return route.fulfill({ status: 403, json: { code: 'token_expired', message: 'expired' } });
      }
      return route.continue();
    });
    const second = await page.context().newPage();
    await Promise.all([page.reload(), second.goto(`${on.product.origin}/console`)]);
    for (const one of [page, second]) await one.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(renewals).toBe(1);
  });

  test('on a phone, the console closes the details by their button, by Escape and by a press outside them', async () => {
    const talk = await newTalk(on.product);
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, {
      place: `#/inbox/all/${talk.id}`,
      viewport: { width: 390, height: 844 },
    });
    const toggle = page.getByRole('button', { name: 'Details' });
    const drawer = page.getByRole('complementary', { name: 'Details' });
    for (const close of [
      () => drawer.getByRole('button', { name: 'Close' }).click(),
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(10, 400),
    ]) {
      await toggle.click();
      await drawer.waitFor();
      await close();
      await drawer.waitFor({ state: 'hidden' });
      await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
    }
  });
});

/** Presses Tab until the focused element has this text. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const text = await page.evaluate('document.activeElement?.textContent ?? ""');
    if (name.test(String(text))) return;
  }
  throw new Error(`no Tab leads to ${name.source}`);
}
