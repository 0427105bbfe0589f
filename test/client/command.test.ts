import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newChannel } from '../support/channel.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { newUser } from '../support/shared-servers.ts';
import { newEventType } from '../support/event-types.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import { commandDesk } from './command.ts';
import type { Desk } from './command.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await commandDesk('client_command');
});

afterAll(() => desk.close());

describe('parlance', () => {
  test('parlance prints its commands, and exits with 2 for invalid arguments', async () => {
    expect(await desk.run([])).toMatchObject({ code: 0, out: expect.stringContaining('webhooks listen') });
    expect(await desk.run(['webhooks', 'listen', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('--forward-to'),
    });
    const group = await desk.run(['webhooks', '--help']);
    expect([group.code, group.err]).toEqual([0, '']);
    expect(group.out).toContain('parlance webhooks pull');
    expect(group.out).not.toContain('parlance login');
    expect(await desk.run(['conversation', 'tail'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no command'),
    });
    expect(await desk.run(['webhooks', 'listen'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--forward-to'),
    });
    expect(await desk.run(['events', 'send', 'x', '--dta', '{}'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--dta'),
    });
    expect(await desk.run(['events', 'send', 'x', '-d', '{'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('not JSON'),
    });
  });

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeff{"number": 7}')],
    ['UTF-16 of PowerShell', Buffer.from('\ufeff{"number": 7}', 'utf16le')],
  ])('parlance events send reads a file in %s', async (name, bytes) => {
    const contact = '"contact": { "profile": { "email": "marked@example.com" } }';
    const expression = `{ "type": "contact", ${contact}, "messages": [{ "text": $string(number) }] }`;
    const event = name.replaceAll(' ', '-');
    await newEventType(desk.product, event, expression);
    const file = join(desk.folder, event);
    await writeFile(file, bytes);
    const { code, err } = await desk.run(['events', 'send', event, '-d', `@${file}`]);
    expect([code, err]).toEqual([0, '']);
  });

  test('parlance conversations tail prints every message of a burst once and in order', async () => {
    const conversation = await desk.newConversation();
    const tail = desk.begin(['conversations', 'tail']);
    await eventually(() => tail.err().includes('Following'));
    const texts = Array.from({ length: 1_101 }, (_, at) => `burst ${at}`);
    const path = `/conversations/${conversation}/messages`;
    for (let at = 0; at < texts.length; at += 100) {
      const messages = texts.slice(at, at + 100).map((text) => ({ text, role: 'contact' }));
      expect((await desk.product.admin.post(path, messages)).status).toBe(201);
    }
    await eventually(() => tail.out().includes('burst 1100'));
    expect(tail.out().match(/burst \d+/g)).toEqual(texts);
    await tail.stop();
  });

  test('parlance ends without an error when the reader of its output ends', async () => {
    const conversation = await desk.newConversation();
    for (const text of ['one', 'two', 'three']) await desk.says(conversation, text);
    const command = `${resolve('node_modules/.bin/parlance')} conversations tail ${conversation} --after 0 | head -n 1`;
    const { token } = await newUser(desk.product, { role: 'admin' });
    const env = { ...process.env, PARLANCE_URL: desk.product.origin, PARLANCE_API_KEY: token };
    const ended = promisify(execFile)('bash', ['-c', command], { env });
    let hasEnded = false;
    void ended.finally(() => (hasEnded = true)).catch(() => undefined);
    // A program notices a closed pipe when it writes.
    await eventually(async () => {
      if (!hasEnded) await desk.says(conversation, 'more');
      return hasEnded;
    });
    expect(await ended).toEqual({ stdout: expect.stringContaining('one'), stderr: '' });
  });

  test('parlance without a session exits with 1 and explains the login', async () => {
    const { code, err } = await desk.run(['conversations', 'tail'], {
      XDG_CONFIG_HOME: join(desk.folder, 'nobody'),
    });
    expect([code, err]).toEqual([1, expect.stringContaining('parlance login')]);
  });

  test('parlance logs in, stores the session in a file that only its owner may read, and refreshes the token of the session', async () => {
    const { email, password } = desk.product.login;
    const env = { PARLANCE_PASSWORD: password };
    const wrong = await desk.run(['login', '--email', email, '--json'], {
      PARLANCE_PASSWORD: 'not my password',
    });
    expect([wrong.code, JSON.parse(wrong.err)]).toMatchObject([1, { status: 401, code: 'unauthenticated' }]);
    expect(await desk.run(['login', '--email', email], env)).toMatchObject({ code: 0 });
    const file = join(desk.folder, 'parlance/session.json');
    const kept = () => JSON.parse(readFileSync(file, 'utf8')) as { token: string; expiresAt: string };
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(password);
    const before = kept();
    await writeFile(file, JSON.stringify({ ...before, expiresAt: new Date().toISOString() }));
    // Two processes refresh at once with a refresh token that can be used only once. The commands
    // must continue in both processes.
    const both = await Promise.all(
      [1, 2].map(() => desk.run(['events', 'send', 'command.none', '-d', '{}'], {})),
    );
    expect(both.map(({ err }) => err).join()).not.toContain('jwt');
    expect(kept().token).not.toBe(before.token);
    expect(both.map(({ code }) => code)).toEqual([1, 1]);
    expect(both[0]?.err).toContain('event type');
  });

  test('parlance prints its version', async () => {
    const { version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8')) as { version: string };
    expect(await desk.run(['--version'])).toMatchObject({ code: 0, out: `${version}\n` });
    expect(JSON.parse((await desk.run(['--version', '--json'])).out)).toEqual({ version });
  });

  test('parlance prints the user of its session, or of the API key in the environment', async () => {
    const { email } = desk.product.login;
    const ofSession = JSON.parse((await desk.run(['whoami', '--json'], {})).out);
    expect(ofSession).toMatchObject({ email, role: 'admin', organization: desk.product.organization });
    const bot = await newUser(desk.product, { role: 'bot', givenName: 'Echo' });
    const { code, out } = await desk.run(['whoami'], { PARLANCE_API_KEY: bot.token });
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        `^Echo \\(bot\\) of organization ${desk.product.organization} at http.*\n  user ${bot.user}\n$`,
      ),
    ]);
    const nobody = await desk.run(['whoami'], { PARLANCE_API_KEY: 'plk_wrong' });
    expect([nobody.code, nobody.err]).toEqual([1, expect.stringMatching(/./)]);
  });

  test('parlance signs out: the session ends, its file is deleted, and a second logout explains the login', async () => {
    const folder = join(desk.folder, 'logout');
    const env = { XDG_CONFIG_HOME: folder, PARLANCE_PASSWORD: desk.product.login.password };
    expect(await desk.run(['login', '--email', desk.product.login.email], env)).toMatchObject({ code: 0 });
    const file = join(folder, 'parlance/session.json');
    const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token: string };
    const isSignedIn = async () => (await client(desk.product.base, token).get('/users/me')).status;
    expect(await isSignedIn()).toBe(200);
    expect(await desk.run(['logout'], env)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Signed out'),
    });
    expect([existsSync(file), await isSignedIn()]).toEqual([false, 401]);
    expect(await desk.run(['logout'], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('parlance login'),
    });
  });

  test('parlance deletes an API key from this machine at a logout, and the key stays valid', async () => {
    const env = { XDG_CONFIG_HOME: join(desk.folder, 'key') };
    const bot = await newUser(desk.product, { role: 'bot' });
    expect(await desk.run(['login', '--api-key', bot.token], env)).toMatchObject({ code: 0 });
    expect(await desk.run(['logout'], env)).toMatchObject({ code: 0 });
    expect((await desk.run(['whoami'], env)).code).toBe(1);
    expect((await bot.get('/users/me')).status).toBe(200);
  });

  test('parlance refreshes its session although a killed command has left its lock', async () => {
    const file = join(desk.folder, 'parlance/session.json');
    const kept = () => JSON.parse(readFileSync(file, 'utf8')) as { token: string; expiresAt: string };
    const before = kept();
    await writeFile(file, JSON.stringify({ ...before, expiresAt: new Date().toISOString() }));
    const module = JSON.stringify(resolve('packages/process-lock/dist/index.js'));
    const lock = `await (await import(${module})).tryLock(${JSON.stringify(`${file}.lock`)}); process.kill(process.pid, 'SIGKILL')`;
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', lock]).signal).toBe('SIGKILL');
    expect(existsSync(`${file}.lock`)).toBe(true);
    const sent = await desk.run(['events', 'send', 'command.none', '-d', '{}'], {});
    expect(sent.err).toContain('event type');
    expect(kept().token).not.toBe(before.token);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('parlance sends an event from a file without loss of digits, and prints the status of the event', async () => {
    const conversation = await desk.newConversation();
    await newEventType(
      desk.product,
      'command.sent',
      '{ "conversation": to, "messages": [{ "text": text & id }] }',
    );
    const event = `{ "to": "${conversation}", "text": "From a file: ", "id": 9007199254740993 }`;
    await writeFile(join(desk.folder, 'event.json'), event);
    const args = ['events', 'send', 'command.sent', '-d', '@event.json', '--json', '--key', 'once'];
    const [first, again] = [await desk.run(args), await desk.run(args)];
    expect([first.code, again.code]).toEqual([0, 0]);
    expect(JSON.parse(first.out)).toMatchObject({ status: 'processed', conversations: [conversation] });
    expect(JSON.parse(again.out)).toEqual(JSON.parse(first.out));
    const text = await desk.run(args.filter((arg) => arg !== '--json'));
    expect(text.out.split('\n')).toEqual([
      `processed: event ${JSON.parse(first.out).id}, 1 messages`,
      `  conversation ${conversation}`,
      '',
    ]);
    const posted = await desk.product.admin.get(`/conversations/${conversation}/messages`);
    expect(posted.body).toMatchObject([{ text: 'From a file: 9007199254740993' }]);
  });

  test('parlance pulls the events of a webhook without an address, and the next run continues behind them', async () => {
    const service = { name: 'export', type: 'webhook', params: { events: ['conversation.create'] } };
    const { id } = (await desk.product.admin.post('/services', service)).body;
    const pull = async () => {
      const { code, out } = await desk.run(['webhooks', 'pull', id, '--json']);
      expect(code).toBe(0);
      const lines = out.split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line).data.conversation.id as string);
    };
    const created = [await desk.newConversation(), await desk.newConversation()];
    expect(await pull()).toEqual(created);
    const later = await desk.newConversation();
    expect(await pull()).toEqual([later]);
    expect(await pull()).toEqual([]);
    expect(await desk.run(['webhooks', 'pull'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('id of a service'),
    });
  });

  test('parlance lists channels with their state, and no webhooks', async () => {
    const channel = await newChannel(desk.product, { name: 'Support number' });
    const params = { events: ['message'] };
    await desk.product.admin.post('/services', { name: 'a feed', type: 'webhook', params });
    const { code, out } = await desk.run(['channels']);
    expect([code, out.trim()]).toEqual([0, `${channel.id}  Support number  sms by api  active`]);
    await channel.close();
  });

  test('parlance trigger sends an example of an event, prints the result of the attempt, and exits with 1 if it failed', async () => {
    const { admin } = desk.product;
    for (const { id } of (await admin.get('/services')).body)
      await admin.request('DELETE', `/services/${id}`);
    const receiver = await startReceiver();
    const params = { url: receiver.url, events: ['contact'] };
    const create = async (name: string) =>
      (await admin.post('/services', { name, type: 'webhook', params })).body.id as string;
    const only = await create('only');
    const sent = await desk.run(['trigger', 'contact.update']);
    expect([sent.code, sent.err]).toEqual([0, '']);
    expect(sent.out).toMatch(/^contact\.update to only: delivered 200 in \d+ ms\n$/);
    expect(receiver.received.at(-1)?.body).toContain('"test":true');
    receiver.behave(respondWith(500));
    const failed = await desk.run(['trigger', 'contact.update', '--service', only]);
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('rejected 500')]);
    const wrong = await desk.run(['trigger', 'contact.updated']);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('did you mean update?')]);
    const other = await create('other');
    const unclear = await desk.run(['trigger', 'contact.update']);
    expect([unclear.code, unclear.err]).toEqual([2, expect.stringContaining(`${other} (other)`)]);
    const named = await desk.run(['trigger', 'contact.update', '--service', 'other']);
    expect([named.code, named.out]).toEqual([0, expect.stringContaining('contact.update to other: ')]);
    const unknown = await desk.run(['trigger', 'contact.update', '--service', 'others']);
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining(`"others"; there are ${only}`)]);
    await receiver.close();
  });

  test('parlance follows one conversation or all conversations', async () => {
    const [one, other] = [await desk.newConversation(), await desk.newConversation()];
    await desk.says(one, 'before');
    const following = desk.begin(['conversations', 'tail', one, '--after', '0']);
    const all = desk.begin(['conversations', 'tail', '--json']);
    await eventually(() => all.err().includes('Following') && following.out().includes('before'));
    await desk.says(one, 'first');
    await desk.says(other, 'elsewhere');
    await desk.says(one, 'second');
    await eventually(() => following.out().includes('#3 contact: second'));
    const texts = () =>
      all
        .out()
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).text as string);
    await eventually(() => texts().length >= 3);
    expect(texts().sort()).toEqual(['elsewhere', 'first', 'second']);
    expect(following.out()).not.toContain('elsewhere');
    expect(await Promise.all([following.stop(), all.stop()])).toEqual([0, 0]);
  });
});
