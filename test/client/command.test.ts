import { readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newEventType } from '../support/event-types.ts';
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
    const posted = await desk.product.admin.get(`/conversations/${conversation}/messages`);
    expect(posted.body).toMatchObject([{ text: 'From a file: 9007199254740993' }]);
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
