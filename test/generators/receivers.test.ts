import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startProgram } from '../support/program.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import { FOLDER, pythonTool } from './toolbox.ts';

const SECRET = 'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz';
const RECEIVERS = [
  ['Express', process.execPath, 'receiver-express.mjs'],
  ['Flask', pythonTool('python'), 'receiver_flask.py'],
] as const;

describe('the receivers of the examples', () => {
  let product: Product;
  beforeAll(async () => {
    product = await sharedApi('receivers');
  });
  afterAll(() => product.close());

  test.each(RECEIVERS)(
    'the receiver with %s replies once to a message of a contact and refuses a forged event',
    async (name, command, file) => {
      const { admin, organization } = product;
      const bot = await newUser(product, { role: 'bot', givenName: name });
      const port = String(await freePort());
      // The copy finds the packages of the toolbox.
      await cp(join('examples', file), join(FOLDER, file));
      const receiver = startProgram(command, {
        args: [join(FOLDER, file)],
        env: { PATH: process.env['PATH'], WEBHOOK_SECRET: SECRET, BOT_KEY: bot.token, PORT: port },
      });
      try {
        const url = `http://127.0.0.1:${port}/parlance`;
        await eventually(async () => (await fetch(url)).ok);
        const events = ['message.create.*.chat.contact'];
        const webhook = { name, type: 'webhook', user: bot.user, params: { url, secret: SECRET, events } };
        const service = (await admin.post('/services', webhook)).body.id as string;
        await eventually(async () => (await admin.get(`/services/${service}`)).body.status === 'active');
        const { id } = (await admin.post('/conversations', { organization, type: 'contact' })).body;
        const assign = { type: 'command', text: '/assign', meta: { users: [bot.user] } };
        await admin.post(`/conversations/${id}/messages`, assign);
        await admin.post(`/conversations/${id}/messages`, { role: 'contact', text: 'Is it open?' });
        const replies = async () => {
          const { body } = await admin.get(`/conversations/${id}/messages?user=${bot.user}`);
          return (body as { text: string; isBackchannel: boolean }[]).filter(({ text }) => /^You/.test(text));
        };
        const delivered = () => admin.get(`/deliveries?service=${service}&status=delivered`);
        await eventually(async () => (await replies()).length >= 1);
        await eventually(async () => (await delivered()).body.length >= 1);
        const [delivery] = (await delivered()).body as { id: string }[];
        expect((await admin.post(`/deliveries/${delivery?.id}/retry`)).status).toBeLessThan(300);
        await eventually(async () => {
          const { body } = await admin.get(`/deliveries/${delivery?.id}`);
          return body.status === 'delivered' && body.attempts.length >= 2;
        });
        expect(await replies()).toMatchObject([{ text: 'You said: Is it open?', isBackchannel: false }]);
        for (const signature of ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=', 'v1,x', 'v1', '']) {
          const headers = {
            'Content-Type': 'application/json',
            ...{ 'webhook-id': 'a', 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}` },
            'webhook-signature': signature,
          };
          expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status, signature).toBe(401);
        }
      } finally {
        receiver.signal('SIGKILL');
        await receiver.ended;
      }
    },
  );
});
