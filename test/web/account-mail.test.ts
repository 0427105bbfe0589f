import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import type { Product } from '../support/product.ts';
import { signIn } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { sharedApi, startApi } from '../support/shared-servers.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { stage } from './stage.ts';

const FROM = 'accounts@operator.example';
const PASSWORD = 'battery horse correct';
const FORMER = 'the former password';

/** The mail server of the operator. */
const server = new MailServer();
let people = 0;
let addresses = 0;

const on = stage('account_mail', async (name) => {
  await server.start();
  const login = `${encodeURIComponent(server.user)}:${encodeURIComponent(server.password)}`;
  const mail = { MAIL_URL: `smtp://${login}@127.0.0.1:${server.port}`, MAIL_FROM: FROM };
  return startApi(name, { ...mail, TRUSTED_PROXIES: '1', LOG_LEVEL: 'info', RATE_LIMIT_PER_ADDRESS: '0' });
});
afterAll(() => server.close());

const newUser = async (fields: object = {}, admin = on.product.admin) => {
  const email = `mailed${(people += 1)}@account-mail.example`;
  const { body, status } = await admin.post('/users', { role: 'agent', email, ...fields });
  expect(status).toBe(201);
  return { id: body.id as string, email };
};
const invite = (id: string, admin = on.product.admin) =>
  admin.post(`/users/${id}/password-link`, { mail: true });
/** By default from another address each time: addresses are limited. */
const reset = (email: string, from = `10.0.${(addresses += 1)}.1`) =>
  client(on.product.base).post('/auth/password-reset', { email }, { 'X-Forwarded-For': from });
const mailTo = (email: string, count = 1) =>
  eventually(() => {
    const mails = server.sentTo(email);
    return mails.length >= count && mails[count - 1]!;
  });
const linkIn = (text = '') => /https?:\/\/\S+#\/password\/\S+/.exec(text)?.[0] ?? '';
const tokenOf = (link: string) => link.split('#/password/')[1] ?? '';
const setPassword = (token: string, password = PASSWORD) =>
  client(on.product.base).request('PUT', '/auth/password', { token, password });
const lifetimeOf = (token: string) => {
  const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return (exp as number) - (iat as number);
};

/** Spec 3.10 */
describe('mails about accounts', () => {
  test('an invitation is sent by the mail server of the operator, and its link works once', async () => {
    const { id, email } = await newUser();
    const { status, body } = await invite(id);
    expect([status, body]).toEqual([
      200,
      { expiresAt: expect.any(String), mail: { status: 'sent', to: email } },
    ]);
    const { from, mail } = await mailTo(email);
    expect([from, mail.from?.value[0]?.address]).toEqual([FROM, FROM]);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    const link = linkIn(mail.text);
    expect(link.startsWith(`${on.product.origin}/console#/password/`)).toBe(true);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.text).toContain(email);
    expect(lifetimeOf(tokenOf(link))).toBe(3 * 24 * 60 * 60);
    expect((await setPassword(tokenOf(link))).body).toEqual({ user: id, email });
    expect((await setPassword(tokenOf(link))).status).toBe(422);
  });

  test('a refused recipient is reported with the reason, and the link is shown instead', async () => {
    const { id, email } = await newUser();
    server.next.set(email, [{ recipient: { responseCode: 550, message: '5.1.1 no such user' } }]);
    const { body } = await invite(id);
    expect(body.mail).toMatchObject({
      status: 'failed',
      to: email,
      reason: expect.stringContaining('5.1.1'),
    });
    expect((await setPassword(tokenOf(body.url))).status).toBe(200);
  });

  test('an invitation that the mail server takes only at the second attempt is sent once', async () => {
    const { id, email } = await newUser();
    server.next.set(email, [{ recipient: { responseCode: 451, message: '4.3.0 try later' } }]);
    expect((await invite(id)).body.mail).toEqual({ status: 'sent', to: email });
    await mailTo(email);
    expect(server.sentTo(email)).toHaveLength(1);
  });

  test('bots and users without an email get no invitation by mail', async () => {
    const { body: bot } = await on.product.admin.post('/users', { role: 'bot' });
    const { body: unreachable } = await on.product.admin.post('/users', { role: 'agent' });
    for (const { id } of [bot, unreachable]) {
      const { body } = await invite(id as string);
      expect([body.mail.status, tokenOf(body.url)]).toEqual(['unavailable', expect.stringMatching(/./)]);
    }
  });

  test('a forgotten password is replaced by a link of one hour, which ends all sessions', async () => {
    const { email } = await newUser({ password: FORMER });
    const { token } = await signIn(on.product.base, { email, password: FORMER });
    const { status, body } = await reset(` ${email.toUpperCase()} `);
    expect([status, body]).toEqual([204, undefined]);
    const link = tokenOf(linkIn((await mailTo(email)).mail.text));
    expect(lifetimeOf(link)).toBe(60 * 60);
    expect((await setPassword(link)).status).toBe(200);
    expect((await client(on.product.base, token).get('/users/me')).status).toBe(401);
    expect((await setPassword(link, 'another horse correct')).status).toBe(422);
    const login = (password: string) => client(on.product.base).post('/auth/token', { email, password });
    expect([(await login(FORMER)).status, (await login(PASSWORD)).status]).toEqual([401, 200]);
  });

  test('a forgotten password of an unknown email, a bot, a viewer and the first agent sends nothing', async () => {
    const [bot, viewer] = [await newUser({ role: 'bot' }), await newUser({ role: 'viewer' })];
    const known = await newUser();
    const silent = ['nobody@account-mail.example', bot.email, viewer.email, 'newcomer@parlance.local'];
    for (const email of silent) expect((await reset(email)).status).toBe(204);
    expect((await reset(known.email)).status).toBe(204);
    await mailTo(known.email);
    for (const email of silent) expect(server.sentTo(email)).toEqual([]);
  });

  test('a mail server that is away for a moment gets the mail later', async () => {
    const { email } = await newUser();
    server.next.set(email, [
      { recipient: { responseCode: 421, message: '4.3.2 shutting down' } },
      { recipient: { responseCode: 450, message: '4.2.0 busy' } },
    ]);
    expect((await reset(email)).status).toBe(204);
    expect(linkIn((await mailTo(email)).mail.text)).not.toBe('');
  });

  test.each([
    ['email', () => reset('flooded@account-mail.example')],
    ['address', () => reset(`flood${(people += 1)}@account-mail.example`, '192.0.2.1')],
  ])('ten requests for a new password are served by %s, with or without an account', async (_, request) => {
    const responses = [];
    for (let count = 0; count < 11; count++) responses.push(await request());
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(10).fill(204), 429]);
    expect(Number(responses[10]?.headers.get('retry-after'))).toBeGreaterThan(600);
  });

  test('a mail about an account is in the language of the user, else of the organization, else of the request', async () => {
    const { admin } = on.product;
    const { body: dutch } = await admin.post('/organizations', { name: 'Acme', settings: { locale: 'nl' } });
    const german = await newUser({ organization: dutch.id, settings: { console: { language: 'de' } } });
    const plain = await newUser({ organization: dutch.id });
    const other = await newUser();
    for (const { id } of [german, plain]) await invite(id);
    const asked = { mail: true };
    await admin.post(`/users/${other.id}/password-link`, asked, { 'Accept-Language': 'fr-CA, es' });
    await reset(plain.email);
    const subjects = [german, plain, other].map(async ({ email }) => (await mailTo(email)).mail.subject);
    expect(await Promise.all(subjects)).toEqual([
      'Ihr Konto für Acme',
      'Je account voor Acme',
      expect.stringMatching(/^Votre compte pour /),
    ]);
    expect((await mailTo(plain.email, 2)).mail.subject).toBe('Je wachtwoord voor Acme');
  });

  test('no log has a link or the email of a user who gets one', async () => {
    const { id, email } = await newUser();
    await invite(id);
    const token = tokenOf(linkIn((await mailTo(email)).mail.text));
    expect((await reset(email)).status).toBe(204);
    await mailTo(email, 2);
    const { api, worker } = on.product;
    const logs = api.output() + worker.output();
    expect(logs).toContain('account mail sent');
    for (const secret of [token, '#/password/', email]) expect(logs).not.toContain(secret);
  });

  test('an agent asks for a new password in the form for signing in, and signs in by the mail', async () => {
    const { email } = await newUser({ password: FORMER, givenName: 'Grace' });
    const { page, complaints } = await on.open(`${on.product.origin}/console`);
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { name: 'Forgotten password' }).waitFor();
    expect(await axeFinds(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(`If ${email} has an account, a mail is on its way.`).waitFor();
    await keepShot(page, 'account-mail-forgotten');
    await page.goto(linkIn((await mailTo(email)).mail.text));
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.locator('.who', { hasText: 'Grace' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a new user in Team gets an invitation by mail at once, and again on request', async () => {
    const boss = await newPerson(on.product, { role: 'admin', givenName: 'Ada' });
    const email = 'invited@account-mail.example';
    const { page, complaints } = await openConsole(on, boss, { place: '#/team' });
    await page.getByRole('button', { name: 'New user' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Email').fill(email);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Invitation sent to ${email}.`).waitFor();
    expect(await page.getByRole('textbox', { name: 'Password link' }).count()).toBe(0);
    server.next.set(email, [{ recipient: { responseCode: 550, message: '5.1.1 no such user' } }]);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('You can hand over this link:').waitFor();
    await page.getByRole('textbox', { name: 'Password link' }).waitFor();
    await keepShot(page, 'account-mail-refused');
    expect(server.sentTo(email)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});

describe('mails about accounts without a mail server of the operator', () => {
  let product: Product;
  const channel = new MailServer();
  beforeAll(async () => {
    await channel.start();
    product = await sharedApi('account-mail-channel');
  });
  afterAll(() => Promise.all([channel.close(), product.close()]));

  const addChannel = async (organization: string) => {
    const params = channel.params({ fromName: 'Example support' });
    const body = { name: 'Mail', type: 'email', organization, params };
    await untilActive(product.admin, await product.admin.post('/services', body));
  };

  test('an invitation is sent by the email channel of the organization of the user', async () => {
    const { id, email } = await newUser({}, product.admin);
    expect((await invite(id, product.admin)).body.mail).toEqual({ status: 'unavailable', to: email });
    await addChannel(product.organization);
    expect((await invite(id, product.admin)).body.mail).toEqual({ status: 'sent', to: email });
    const [received] = channel.sentTo(email);
    expect(received?.mail.from?.value).toEqual([{ name: 'Example support', address: 'support@example.com' }]);
    expect(linkIn(received?.mail.text)).not.toBe('');
  });

  test('a channel sends no link for an admin who has a password, because other admins own the channel', async () => {
    const { body: below } = await product.admin.post('/organizations', { name: 'below' });
    await addChannel(below.id as string);
    const fields = { role: 'admin', organization: below.id, password: FORMER };
    const { id, email } = await newUser(fields, product.admin);
    expect((await invite(id, product.admin)).body.mail.status).toBe('unavailable');
    expect(channel.sentTo(email)).toEqual([]);
  });

  test('a forgotten password is refused with the advice to ask an admin', async () => {
    const { status, body } = await client(product.base).post('/auth/password-reset', {
      email: 'a@example.com',
    });
    expect([status, body.message]).toEqual([422, expect.stringContaining('An admin')]);
    const page = await (await fetch(`${product.origin}/console`)).text();
    expect(page).not.toContain('data-mail');
  });
});
