import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, signIn } from './console.ts';
import { stage } from './stage.ts';
import { client } from '../support/client.ts';
import { ADMIN, signIn as signInAs } from '../support/product.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ownApi } from '../support/shared-servers.ts';

/** The email address of the first admin, whose password the launcher generates. */
const FIRST = 'first-admin@first-start.example.com';

let folder: Awaited<ReturnType<typeof temporaryFolder>> | undefined;
afterAll(() => folder?.remove());

const BEGIN = 'Start a conversation with the echo bot';

describe('the first start', () => {
  const on = stage('first_start', async (name) => {
    const environment = { ECHO_BOT: 'true', DATA_DIR: await dataFolder(), BOOTSTRAP_ADMIN_EMAIL: FIRST };
    const own = await ownApi(name, environment);
    // The bot's organization is beside that of this file, so the tests use the admin of the root
    // organization.
    const { token, organization } = await signInAs(own.base, ADMIN);
    return { ...own, organization, token, admin: client(own.base, token), login: ADMIN };
  });

  test('one press on the start page shows the chat page beside the console, and the bot replies', async () => {
    const { page, complaints } = await on.open(on.product.origin, {
      viewport: { width: 1280, height: 800 },
    });
    expect(await axeFinds(page)).toEqual([]);
    await page.locator('#first-steps em', { hasText: 'Start a conversation with the echo' }).waitFor();
    await expect
      .poll(() => page.locator('#first-steps p, #first-steps li').allTextContents())
      .not.toContainEqual(expect.stringMatching(/(^|\s)_\w|`|\*\*/));
    await page.getByRole('button', { name: BEGIN }).click();
    const chat = page.frameLocator('iframe');
    await chat.getByText('everything that you write').waitFor();
    // The focus is in the chat page, and not in the larger reply box of the agent.
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

  test('two presses on the start page at the same time create two conversations and one bot', async () => {
    const begin = () => post(on.product.origin, { Origin: on.product.origin });
    const [one, other] = await Promise.all([begin(), begin()]);
    expect([one.status, other.status]).toEqual([303, 303]);
    expect(one.headers.get('location')).not.toBe(other.headers.get('location'));
    const bots = await on.product.admin.get('/users?role=bot&email=echo-bot@parlance.local');
    expect(bots.body.map(({ email }: { email: string }) => email)).toEqual(['echo-bot@parlance.local']);
  });

  test('a new visitor of the start page sees only the organization of the bot', async () => {
    const { body } = await on.product.admin.post('/conversations', { name: 'not for newcomers' });
    const { page } = await on.open(on.product.origin);
    await page.getByRole('button', { name: BEGIN }).click();
    await page.frameLocator('iframe').getByText('everything that you write').waitFor();
    const csrfToken = await page.evaluate<string>("localStorage.getItem('parlance:console:csrf')");
    expect(page.url()).not.toContain(csrfToken);
    const headers = { 'X-CSRF-Token': csrfToken };
    const session = await page.request.get(`${on.product.origin}/console/session`, { headers });
    const { scope } = (await session.json()) as { scope: string };
    expect(scope).toBe('agent');
    const foreign = await page.request.get(`${on.product.base}/conversations/${body.id}`, { headers });
    expect(foreign.status()).toBe(404);
  });

  test('a press on the start page keeps an admin signed in', async () => {
    const admin = await newPerson(on.product, { role: 'admin' });
    const { page } = await on.open(`${on.product.origin}/console`);
    await signIn(page, admin);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goto(on.product.origin);
    await page.getByRole('button', { name: BEGIN }).click();
    await page.frameLocator('iframe').getByText('everything that you write').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).waitFor();
  });

  test('the console shows where the first password is, until the password is changed', async () => {
    const { admin, origin } = on.product;
    const words = `The first admin signs in as ${FIRST}`;
    const { page } = await on.open(`${origin}/console`);
    await page.getByText('Forgotten your password?').waitFor();
    const { body } = await admin.post('/users', { role: 'agent', ...ADMIN, email: FIRST });
    await page.reload();
    await page.getByText(words).getByText('admin-password').waitFor();
    await expect.poll(() => page.title()).toBe('Sign in · Parlance');
    await page.getByRole('form').getByText('Parlance', { exact: true }).waitFor();
    expect(await axeFinds(page)).toEqual([]);
    const proxied: Record<string, string>[] = [
      { 'X-Forwarded-For': '127.0.0.1' },
      { Forwarded: 'for=127.0.0.1' },
      { Via: '1.1 p' },
    ];
    for (const headers of proxied) {
      expect(await (await fetch(`${origin}/console`, { headers })).text()).not.toMatch('admin-password');
    }
    const changed = await admin.request('PATCH', `/users/${body.id}`, { password: 'another good password' });
    expect(changed.body).toMatchObject({ email: FIRST });
    await page.reload();
    await page.getByText('Forgotten your password?').waitFor();
  });

  test('the console shows a visitor how to sign in as admin, and a dismissed hint stays dismissed', async () => {
    const { page } = await on.open(on.product.origin);
    await page.getByRole('button', { name: BEGIN }).click();
    const hint = page.getByRole('complementary', { name: 'You are signed in as an agent' });
    await hint.getByRole('button', { name: 'Sign in as admin' }).waitFor();
    await hint.getByRole('button', { name: 'Close' }).click();
    await hint.waitFor({ state: 'detached' });
    await page.reload();
    await page.frameLocator('iframe').getByText('everything that you write').waitFor();
    await expect.poll(() => hint.count()).toBe(0);
  });

  test('the console lists the first tasks for an admin without records and removes each completed task', async () => {
    const { body: made } = await on.product.admin.post('/organizations', { name: 'nothing yet' });
    const organization = made.id as string;
    const person = await newPerson(on.product, { role: 'admin', organization });
    const { page } = await on.open(`${on.product.origin}/console`);
    await signIn(page, person);
    const tasks = page.getByRole('region', { name: 'First steps' });
    const left = () => tasks.getByRole('listitem').allInnerTexts();
    await expect
      .poll(left)
      .toEqual([
        'Add your name, which contacts see',
        'Invite an agent',
        'Add the widget to your website',
        'Connect a bot',
        'Add a webhook',
      ]);
    expect(await axeFinds(page)).toEqual([]);
    await newPerson(on.product, { role: 'agent', organization });
    await on.product.admin.request('PATCH', `/organizations/${organization}`, { meta: { widget: {} } });
    await page.reload();
    await expect.poll(left).toEqual(['Add your name, which contacts see', 'Connect a bot', 'Add a webhook']);
    await newPerson(on.product, { role: 'bot', organization });
    const params = { url: 'https://receiver.example.com', events: ['kbitem'] };
    await on.product.admin.post('/services', { name: 'first', type: 'webhook', organization, params });
    await on.product.admin.request('PATCH', `/users/${person.id}`, { givenName: 'Ada' });
    await page.reload();
    await page.getByText('Choose a conversation.').waitFor();
    await tasks.waitFor({ state: 'detached' });
  });

  test.each([
    ['another website', 'https://example.com'],
    ['another program of this machine', 'http://localhost:1'],
    ['a client that sends no origin', ''],
  ])('the start page rejects a press from %s', async (_, Origin) => {
    const refused = await post(on.product.origin, { Origin });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toMatch(/<p role="alert">Only the start page may send this request\.</);
  });

  test('the users of the first start get no role, organization, email or password', async () => {
    await post(on.product.origin, { Origin: on.product.origin });
    const { admin } = on.product;
    const { body: other } = await admin.post('/organizations', { name: 'other' });
    for (const email of ['newcomer@parlance.local', 'echo-bot@parlance.local']) {
      const [user] = (await admin.get(`/users?email=${email}`)).body as { id: string }[];
      const path = `/users/${user?.id}`;
      const refused = await Promise.all([
        ...[
          { role: 'admin' },
          { organization: other.id },
          { email: 'you@example.com' },
          { email: null },
          { password: 'correct horse' },
        ].map((body) => admin.request('PATCH', path, body)),
        admin.post(`${path}/password-link`, {}),
      ]);
      expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422]);
      expect(refused[0].body.message).toContain('The first start made this user');
      expect((await admin.request('PATCH', path, { givenName: 'You', email })).status).toBe(200);
    }
  });

  test('a guessed address of the webhook of the echo bot returns 404', async () => {
    const { status } = await fetch(`${on.product.origin}/console/echo-bot/guessed`);
    expect(status).toBe(404);
  });
});

describe('a deployment without the echo bot', () => {
  const on = stage('first_start_off');

  test('without the echo bot, the start page does not offer or create a bot', async () => {
    const { page } = await on.open(on.product.origin);
    await page.getByRole('link', { name: 'Console' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: BEGIN }).count()).toBe(0);
    expect((await post(on.product.origin, { Origin: on.product.origin })).status).toBe(404);
  });
});

async function dataFolder(): Promise<string> {
  folder = await temporaryFolder();
  await writeFile(join(folder.path, 'admin-password'), ADMIN.password);
  return folder.path;
}

function post(origin: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${origin}/console/first-conversation`, { method: 'POST', headers, redirect: 'manual' });
}
