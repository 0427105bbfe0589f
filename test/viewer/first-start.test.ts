import { describe, expect, test } from 'vitest';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, signIn } from './console.ts';
import { stage } from './stage.ts';
import { echoAddress } from '../../api/first-start/echo-bot.ts';
import { client } from '../support/client.ts';
import { ADMIN, signIn as signInAs } from '../support/product.ts';
import { eventually } from '../support/eventually.ts';
import { ownApi } from '../support/shared-servers.ts';

const BEGIN = 'Start a conversation with the echo bot';

describe('the first start', () => {
  const on = stage('first_start', async (name) => {
    const own = await ownApi(name, { ECHO_BOT: 'true' });
    // The bot is the deployment's: only an admin of the root sees it.
    const { token, organization } = await signInAs(own.base, ADMIN);
    return { ...own, organization, token, admin: client(own.base, token), login: ADMIN };
  });

  test('one press on the start page shows the chat page beside the console, and the bot answers', async () => {
    const { page, complaints } = await on.open(on.product.origin, {
      viewport: { width: 1280, height: 800 },
    });
    expect(await axeFinds(page)).toEqual([]);
    await page.locator('#first-steps em', { hasText: 'Start a conversation with the echo' }).waitFor();
    expect(await page.locator('#first-steps p, #first-steps li').allTextContents()).not.toContainEqual(
      expect.stringMatching(/(^|\s)_\w|`|\*\*/),
    );
    await page.getByRole('button', { name: BEGIN }).click();
    const chat = page.frameLocator('iframe');
    await chat.getByText('whatever you write').waitFor();
    // The chat page has the focus, and not the larger box beside it in which agents write.
    await eventually(async () => (await chat.locator(':focus').getAttribute('id')) === 'say');
    await page.keyboard.type('Is anybody there?');
    await page.keyboard.press('Enter');
    await chat.getByText('You said: Is anybody there?').waitFor();
    await page.locator('.line.bot', { hasText: 'You said: Is anybody there?' }).waitFor();
    await page.locator('.line.contact', { hasText: 'Is anybody there?' }).waitFor();
    await keepShot(page, 'first-start');
    expect(await axeFinds(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('two presses at once make two conversations and one bot', async () => {
    const begin = () => post(on.product.origin, { Origin: on.product.origin });
    const [one, other] = await Promise.all([begin(), begin()]);
    expect([one.status, other.status]).toEqual([303, 303]);
    expect(one.headers.get('location')).not.toBe(other.headers.get('location'));
    const bots = await on.product.admin.get('/users?role=bot&email=echo-bot@parlance.local');
    expect(bots.body.map(({ email }: { email: string }) => email)).toEqual(['echo-bot@parlance.local']);
  });

  test('whoever was signed out sees nothing but the bot’s organization', async () => {
    const { body } = await on.product.admin.post('/conversations', { name: 'not for newcomers' });
    const { page } = await on.open(on.product.origin);
    await page.getByRole('button', { name: BEGIN }).click();
    await page.frameLocator('iframe').getByText('whatever you write').waitFor();
    const csrfToken = await page.evaluate<string>("localStorage.getItem('parlance:console:csrf')");
    expect(page.url()).not.toContain(csrfToken);
    const headers = { 'X-CSRF-Token': csrfToken };
    const session = await page.request.get(`${on.product.origin}/console/session`, { headers });
    const { scope } = (await session.json()) as { scope: string };
    expect(scope).toBe('agent');
    const foreign = await page.request.get(`${on.product.base}/conversations/${body.id}`, { headers });
    expect(foreign.status()).toBe(404);
  });

  test('an admin who is signed in stays so', async () => {
    const admin = await newPerson(on.product, { role: 'admin' });
    const { page } = await on.open(`${on.product.origin}/console`);
    await signIn(page, admin);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goto(on.product.origin);
    await page.getByRole('button', { name: BEGIN }).click();
    await page.frameLocator('iframe').getByText('whatever you write').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).waitFor();
  });

  test.each([
    ['another website', 'https://example.com'],
    ['another program of this machine', 'http://localhost:1'],
    ['nobody who says so', ''],
  ])('%s cannot press for one', async (_, Origin) => {
    expect((await post(on.product.origin, { Origin })).status).toBe(403);
  });

  test('the bot that somebody made an agent is given no token any more', async () => {
    await post(on.product.origin, { Origin: on.product.origin });
    const { admin, environment, origin } = on.product;
    const [bot] = (await admin.get('/users?email=echo-bot@parlance.local')).body as { id: string }[];
    const { port } = new URL(origin);
    const config = { host: '127.0.0.1', port: Number(port), authSecret: environment['AUTH_SECRET'] ?? '' };
    const heard = async () => {
      const body = JSON.stringify({ data: { message: { text: 'hello' } } });
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(echoAddress({ config } as never), { method: 'POST', headers, body })).json();
    };
    expect(await heard()).toMatchObject({ token: expect.any(String) });
    expect((await admin.request('PATCH', `/users/${bot?.id}`, { role: 'agent' })).status).toBe(200);
    try {
      expect(await heard()).toEqual({});
    } finally {
      await admin.request('PATCH', `/users/${bot?.id}`, { role: 'bot' });
    }
    expect(await heard()).toMatchObject({ token: expect.any(String) });
  });

  test('a stranger to the bot’s webhook is told that there is none', async () => {
    const { status } = await fetch(`${on.product.origin}/console/echo-bot/guessed`);
    expect(status).toBe(404);
  });
});

describe('where it is not asked for', () => {
  const on = stage('first_start_off');

  test('the start page offers no bot, and nobody gets one', async () => {
    const { page } = await on.open(on.product.origin);
    await page.getByRole('link', { name: 'Console' }).waitFor();
    expect(await page.getByRole('button', { name: BEGIN }).count()).toBe(0);
    expect((await post(on.product.origin, { Origin: on.product.origin })).status).toBe(404);
  });
});

function post(origin: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${origin}/console/first-conversation`, { method: 'POST', headers, redirect: 'manual' });
}
