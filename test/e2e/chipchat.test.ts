import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { once, run } from '../support/fetched.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { newChannel } from '../support/channels.ts';
import type { TestChannel } from '../support/channels.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhook } from '../support/listening.ts';
import type { Product } from '../support/product.ts';

type Sdk = new (options: object) => any;

/**
 * Returns the npm package `chipchat`, the Node SDK of the API that Parlance is compatible with
 * (docs/compatibility.md). It has no types. It brings 109 packages, so the first run downloads it
 * into a cache instead of `npm ci`.
 */
async function fetchSdk(): Promise<Sdk> {
  const folder = resolve('build-output/chipchat');
  const dependencies = { chipchat: '0.7.4' };
  await once(folder, JSON.stringify(dependencies), async () => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--workspaces=false', '--prefer-offline'];
    await run('npm', ['install', ...quiet], { cwd: folder });
  });
  return createRequire(join(folder, 'package.json'))('chipchat') as Sdk;
}

const SECRET = 'the secret of the webhook';

/** The unmodified chipchat SDK as a client (docs/compatibility.md). */
describe('the chipchat SDK', () => {
  let ChipChat: Sdk;
  let product: Product;
  let bot: any;
  let agent: KeyHolder;
  let form: string;
  let conversation: string;
  let channel: TestChannel;
  const heard: { event: string; text: string }[] = [];
  const errors: unknown[] = [];

  beforeAll(async () => {
    ChipChat = await fetchSdk();
    product = await sharedApi('chipchat');
    const { admin, organization } = product;
    agent = await newUser(product, { role: 'agent' });
    const user = await admin.post('/users', {
      role: 'bot',
      email: 'sdk@example.com',
      password: 'a bot needs one too',
    });
    // The SDK reads the id of its user from the part of the API key after `plk_`.
    const key = await admin.post(`/users/${user.body.id}/apikeys`, { name: 'sdk', scopes: ['bot'] });
    form = (await admin.post('/forms', { name: 'Visit', fields: [{ name: 'Day', key: 'day' }] })).body.id;
    await admin.request('PATCH', `/organizations/${organization}`, {
      categories: [{ name: 'Sales', forms: [form] }],
    });
    const port = await freePort();
    bot = new ChipChat({ token: key.body.token.replace(/^plk_/, ''), host: product.origin, secret: SECRET });
    bot.on('error', (error: unknown) => errors.push(error));
    bot.on('message', (message: any) => heard.push({ event: message.type, text: message.text }));
    bot.start(port);
    await createWebhook(admin, { url: `http://127.0.0.1:${port}/`, secret: SECRET }, { name: 'sdk' });
    // The SDK knows no channels, and must not notice one.
    channel = await newChannel(admin);
    conversation = await newConversation('ada@example.com');
  });

  afterAll(async () => {
    bot.close();
    expect(channel.sent()).toEqual([]);
    await channel.close();
    await product.close();
  });

  async function newConversation(email: string): Promise<string> {
    const { body } = await product.admin.post('/conversations', {
      organization: product.organization,
      type: 'contact',
      contact: { profile: { email, name: 'Ada' } },
      messages: [{ type: 'status', text: 'opened' }],
    });
    return body.id;
  }

  const contactSays = (text: string) =>
    product.admin.post(`/conversations/${conversation}/messages`, { text, role: 'contact' });

  const texts = async () =>
    (await product.admin.get(`/conversations/${conversation}/messages`)).body.map(({ text }: any) => text);

  const stored = async () => (await product.admin.get(`/conversations/${conversation}`)).body;

  test('the chipchat SDK receives signed messages of contacts and matches their text', async () => {
    const found: string[] = [];
    bot.onText(/red (\w+)/, (message: any, context: any) => {
      found.push(message.text);
      void context.say('Red it is');
    });
    await contactSays('A red car');
    await eventually(async () => (await texts()).includes('Red it is'));
    expect(found).toEqual(['A red car']);
    expect(heard).toContainEqual({ event: 'chat', text: 'A red car' });
  });

  test('the chipchat SDK posts a string, an object, and a list with delays', async () => {
    await bot.send(conversation, 'a string');
    const object = await bot.send(conversation, {
      text: 'an object',
      isBackchannel: false,
      meta: { mood: 'good' },
    });
    expect(object).toMatchObject({ text: 'an object', meta: { mood: 'good' }, conversation });
    const list = await bot.send(conversation, [{ text: 'first' }, { text: 'second', delay: 1_200 }]);
    expect(list).toHaveLength(2);
    await eventually(async () => (await texts()).includes('second'));
    expect((await texts()).slice(-4)).toEqual(['a string', 'an object', 'first', 'second']);
  });

  test('the chipchat SDK posts a question and receives the reply', async () => {
    const context = await bot.conversation(conversation);
    const answer = context.ask({ text: 'How many?', isBackchannel: false });
    await eventually(async () => (await texts()).some((text: string) => text.startsWith('/set _asked')));
    await contactSays('Three');
    expect((await answer).text).toBe('Three');
  });

  test('the chipchat SDK sets fields of a conversation, notifies, assigns, joins, accepts and leaves', async () => {
    await product.admin.post('/channels', { name: 'Desk', members: [{ user: agent.user, online: true }] });
    const context = await bot.conversation(conversation);
    await context.set('@name', 'Ada and the car');
    await context.set('colour', 'red');
    await context.notify();
    await context.assign(agent.user);
    await context.join();
    await context.accept();
    const during = await stored();
    expect(during).toMatchObject({ name: 'Ada and the car', meta: { colour: 'red' }, status: 'active' });
    expect(during.participants.find(({ user }: any) => user === agent.user)).toMatchObject({ inbox: true });
    expect(during.participants.find(({ user }: any) => user === bot.auth.user)).toMatchObject({
      accepted: true,
    });
    await context.leave();
    expect(await stored()).toMatchObject({ status: 'closed' });
  });

  test('the chipchat SDK lists and gets conversations, contacts, organizations and users, also page by page', async () => {
    for (let count = 0; count < 5; count++) await newConversation(`contact-${count}@example.com`);
    for (const resource of ['conversations', 'contacts', 'organizations', 'users', 'forms']) {
      const list = await bot[resource].list({ limit: 2 });
      expect(list.length, resource).toBeGreaterThan(0);
      expect(list.headers.perPage, resource).toBe('2');
      if (resource !== 'forms')
        expect(await bot[resource].get(list[0].id), resource).toMatchObject({ id: list[0].id });
    }
    const all = await bot.contacts.list({ sort: 'id', pagination: { limit: 2, backoff: 1 } });
    expect(all).toHaveLength(6);
    expect(new Set(all.map(({ id }: any) => id)).size).toBe(6);
    const [found] = await bot.contacts.list({ profile: { email: 'contact-3@example.com' } });
    expect(found.profile.email).toBe('contact-3@example.com');
  });

  test('the chipchat SDK gets an organization with the forms of its categories populated', async () => {
    const organization = await bot.organizations.get(product.organization, { populate: 'categories.forms' });
    expect(organization.categories).toMatchObject([{ name: 'Sales', forms: [{ id: form, name: 'Visit' }] }]);
  });

  test('the chipchat SDK gets a form only with the token of an admin, as the permissions require', async () => {
    const admin = new ChipChat({ token: product.token, host: product.origin });
    expect(await admin.forms.get(form)).toMatchObject({ name: 'Visit', fields: [{ key: 'day' }] });
    await expect(bot.forms.get(form)).rejects.toMatchObject({ statusCode: 403 });
  });

  test('the chipchat SDK reports a refusal with the message of the API', async () => {
    await expect(bot.conversations.get('0123456789abcdef01234567')).rejects.toMatchObject({
      statusCode: 404,
      message: 'The conversation does not exist.',
    });
    expect(errors).toEqual([]);
  });
});
