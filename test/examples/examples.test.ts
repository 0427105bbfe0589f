import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import type { NodeProcess } from '../support/node-process.ts';
import type { Product } from '../support/product.ts';

let product: Product;
const running: NodeProcess[] = [];

beforeAll(async () => {
  product = await sharedApi('examples');
});

afterAll(async () => {
  for (const example of running) await example.kill();
  await product.close();
});

async function run(name: string, args: string[] = []): Promise<NodeProcess> {
  const env = {
    API: product.base,
    BOT_PORT: String(await freePort()),
    ADMIN_EMAIL: product.login.email,
    ADMIN_PASSWORD: product.login.password,
  };
  const example = startNode(`examples/${name}`, { args, env });
  running.push(example);
  return example;
}

async function startBot(name: string): Promise<NodeProcess> {
  const bot = await run(name);
  await eventually(() => bot.output().includes('listens on')).catch(() => {
    throw new Error(bot.output());
  });
  return bot;
}

/** Creates a contact with functions to post and read messages. */
async function newContact(email: string) {
  const { body } = await product.admin.post('/conversations', {
    organization: product.organization,
    type: 'contact',
    contact: { profile: { email } },
    messages: [{ type: 'status', text: 'opened' }],
  });
  const address = `${product.origin}/c/${body.slug}/messages`;
  let count = 0;
  return {
    id: body.id as string,
    async says(text: string, type = 'chat') {
      const message = { key: `key-${++count}`, text, type };
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(message) });
      expect(answer.status).toBe(201);
    },
    /** Waits until the last message has this text, and returns the payloads of its buttons. */
    async hears(text: string): Promise<string[]> {
      const found = await eventually(async () => {
        const { messages } = (await (await fetch(address)).json()) as { messages: any[] };
        return messages.at(-1)?.text === text && messages.at(-1);
      });
      return (found.actions ?? []).map(({ payload }: { payload: string }) => payload);
    },
    conversation: async () => (await product.admin.get(`/conversations/${body.id}`)).body,
  };
}

test('each example has fewer than 100 lines, and each bot and sender shows its start command', () => {
  const names = readdirSync('examples').filter((name) => name.endsWith('.mjs'));
  expect(names.length).toBeGreaterThanOrEqual(4);
  for (const name of names) {
    const text = readFileSync(`examples/${name}`, 'utf8');
    expect(text.split('\n').length, name).toBeLessThan(100);
    if (/-bot|send-/.test(name) && name !== 'bot-kit.mjs')
      expect(text).toContain(`//   node examples/${name}`);
  }
});

describe('the examples', () => {
  test('the echo bot repeats messages', async () => {
    const bot = await startBot('echo-bot.mjs');
    const contact = await newContact('echo@example.com');
    await contact.says('Hello');
    await contact.hears('You said: Hello');
    await bot.kill();
  });

  test('the booking bot fills its form by quick replies and posts the results', async () => {
    const bot = await startBot('booking-bot.mjs');
    const contact = await newContact('booking@example.com');
    await contact.says('I want to drive');
    expect(await contact.hears('Which car would you like to drive?')).toEqual([
      'car=City',
      'car=Family',
      'car=Van',
    ]);
    await contact.says('the red one');
    await contact.hears('Please choose: Which car would you like to drive?');
    await contact.says('car=Van', 'postback');
    await contact.hears('Which day suits you?');
    await contact.says('day=Friday', 'postback');
    await contact.hears('And when?');
    await contact.says('time=Morning', 'postback');
    await contact.hears('Booked: Van, Friday, morning. See you!');
    const { forms, results } = await contact.conversation();
    expect(forms).toEqual([]);
    expect(results).toMatchObject([{ name: 'Test drive', category: 'Test drives' }]);
    const list = await product.admin.get(`/messages?conversation=${contact.id}&type=results`);
    expect(list.body[0].results[0].values).toEqual({ car: 'Van', day: 'Friday', time: 'Morning' });
    await bot.kill();
  });

  test('the handover bot accepts, notifies and assigns, and leaves when a person accepts', async () => {
    const agent = await newUser(product, { role: 'agent' });
    const bot = await startBot('handover-bot.mjs');
    const contact = await newContact('handover@example.com');
    await contact.says('Hello');
    await contact.hears('Hello! I am a bot. Write "human" to talk to a person.');
    await contact.says('A human, please');
    await contact.hears('I am looking for somebody. One moment, please.');
    const mine = await eventually(async () => {
      const { participants } = await contact.conversation();
      return participants.find(({ user, inbox }: any) => user === agent.user && inbox);
    });
    expect(mine).toMatchObject({ accepted: false });
    await agent.post(`/conversations/${contact.id}/messages`, { type: 'command', text: '/accept' });
    await contact.hears('You are talking to a person now.');
    await eventually(async () => {
      const { participants, status } = await contact.conversation();
      const accepted = participants.filter((one: any) => one.accepted).map(({ user }: any) => user);
      return status === 'active' && accepted.join() === agent.user;
    });
    await bot.kill();
  });

  test('the event sender notifies a customer of an order and prints the address of the conversation', async () => {
    const sender = await run('send-event.mjs', ['grace@example.com', '4711']);
    expect(await sender.ended, sender.output()).toBe(0);
    const [, address = ''] = /see (\S+)/.exec(sender.output()) ?? [];
    const { messages } = (await (await fetch(`${address}/messages`)).json()) as { messages: any[] };
    expect(messages.map(({ text }) => text)).toEqual(['Your order 4711 is on its way: Teapot, Cups.']);
  });
});
