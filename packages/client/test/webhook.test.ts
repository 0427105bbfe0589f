import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signWebhook, verifyWebhook } from '../src/webhook.ts';

const SECRET = `whsec_${Buffer.from('twenty-four bytes of it!').toString('base64')}`;
const OTHER = 'a plain secret, used as its bytes';
const body = JSON.stringify({ id: 'e1', event: 'message.create.contact.chat', data: {} });
const seconds = () => Math.floor(Date.now() / 1000);

async function signed(secret = SECRET, timestamp = seconds()) {
  return { headers: await signWebhook({ id: 'e1', body, timestamp }, secret), body };
}

describe('a webhook', () => {
  test('a webhook is compatible with the Standard Webhooks library, for signing and verifying', async () => {
    const library = new Webhook(SECRET);
    const headers = { 'webhook-id': 'e1', 'webhook-timestamp': String(seconds()) };
    const signature = library.sign('e1', new Date(), body);
    await expect(
      verifyWebhook({ headers: { ...headers, 'webhook-signature': signature }, body }, SECRET),
    ).resolves.toMatchObject({ id: 'e1' });
    expect(library.verify(body, (await signed()).headers)).toEqual(JSON.parse(body));
  });

  test('a webhook of 1970 is rejected if the tolerance is NaN from an unset variable', async () => {
    const old = await signed(SECRET, 1);
    await expect(verifyWebhook(old, SECRET, { toleranceSeconds: Number(undefined) })).rejects.toThrow(
      'too long ago',
    );
  });

  test('a webhook may be signed with any of several secrets during a rotation', async () => {
    const request = await signed(OTHER);
    await expect(verifyWebhook(request, [SECRET, OTHER])).resolves.toMatchObject({ id: 'e1' });
    const both = `${(await signed()).headers['webhook-signature']} ${request.headers['webhook-signature']}`;
    const headers = { ...request.headers, 'webhook-signature': both };
    await expect(verifyWebhook({ headers, body }, OTHER)).resolves.toMatchObject({ id: 'e1' });
  });

  test('a webhook is verified with the headers of fetch and of node:http', async () => {
    const { headers } = await signed();
    await expect(verifyWebhook({ headers: new Headers(headers), body }, SECRET)).resolves.toBeDefined();
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    await expect(verifyWebhook({ headers: lists, body }, SECRET)).resolves.toBeDefined();
  });

  test.each([
    ['another body', { body: body.replace('chat', 'card') }],
    ['another id', { headers: { 'webhook-id': 'e2' } }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    ['a signature that is not base64', { headers: { 'webhook-signature': 'v1,%%%' } }],
    ['a signature of another kind', { headers: { 'webhook-signature': 'v1a,AAAA' } }],
    ['an invalid time', { headers: { 'webhook-timestamp': 'soon' } }],
  ])('a webhook with %s is rejected', async (_, change) => {
    const right = await signed();
    const wrong = {
      body: 'body' in change ? change.body : right.body,
      headers: { ...right.headers, ...('headers' in change ? change.headers : {}) },
    };
    await expect(verifyWebhook(wrong, SECRET)).rejects.toMatchObject({ code: 'bad_signature', status: 401 });
  });

  test.each([-301, 301])(
    'a webhook whose timestamp is off by %i seconds is rejected, so that it cannot be replayed later',
    async (off) => {
      const now = Date.now();
      const request = await signed(SECRET, Math.floor(now / 1000) + off);
      await expect(verifyWebhook(request, SECRET, { now })).rejects.toMatchObject({ code: 'bad_signature' });
      await expect(verifyWebhook(request, SECRET, { now, toleranceSeconds: 600 })).resolves.toBeDefined();
    },
  );

  test.each([`${SECRET}\n`, ` ${SECRET}\r\n`])(
    'a webhook is verified with a secret that has surrounding white space: %j',
    async (secret) => {
      await expect(verifyWebhook(await signed(), secret)).resolves.toBeDefined();
    },
  );

  test('a webhook signed with another secret is rejected', async () => {
    await expect(verifyWebhook(await signed(OTHER), SECRET)).rejects.toMatchObject({ code: 'bad_signature' });
  });

  test.each(['', 'whsec_', 'whsec_%%%'])(
    'the verification of a webhook throws a TypeError for the invalid secret "%s"',
    async (secret) => {
      await expect(verifyWebhook(await signed(), secret)).rejects.toThrow(TypeError);
    },
  );
});
