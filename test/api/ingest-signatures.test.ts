import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifySignature } from '../../api/ingest/signatures.ts';
import { SIGNATURE_KINDS } from '../../domain/events/business-event.ts';
import type { IngestSignature } from '../../domain/events/business-event.ts';
import { findSignatureFault } from '../../domain/events/hmac-signature.ts';
import type { HmacSignature } from '../../domain/events/hmac-signature.ts';
import { SIGNED } from '../support/senders.ts';

const NOW = 1_770_000_000_000;
const SECONDS = NOW / 1000;
const BODY = Buffer.from('{"id":"evt_1","text":"café"}');

const URL = 'https://chat.example.com/in/token';

function verify(
  kind: IngestSignature,
  ...[secret, headers, bytes = BODY, now = NOW]: [string, object, Buffer?, number?]
): void {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  const header = (name: string) => given.get(name.toLowerCase()) ?? '';
  verifySignature(kind, secret, { header, bytes, now, url: URL });
}

/** Spec 8.9. */
describe('the signature of a sender', () => {
  test.each(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz'])(
    'a Standard Webhooks signature of the reference library is accepted for the secret %s',
    (secret) => {
      const signature = new Webhook(secret).sign('msg_1', new Date(NOW), BODY.toString());
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': SECONDS, 'webhook-signature': signature };
      verify('standard-webhooks', secret, headers);
      verify('standard-webhooks', secret, { ...headers, 'webhook-signature': `v1,AAAA v2,x ${signature}` });
      for (const [name, value] of [
        ['webhook-id', 'msg_2'],
        ['webhook-timestamp', SECONDS + 1],
        ['webhook-signature', signature.replace('v1', 'v2')],
      ] as const)
        expect(() => verify('standard-webhooks', secret, { ...headers, [name]: value })).toThrow(
          /not validly/,
        );
    },
  );

  test('a post with the header names of Svix is accepted as one of Standard Webhooks', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signature = new Webhook(secret).sign('msg_1', new Date(NOW), BODY.toString());
    const headers = { 'svix-id': 'msg_1', 'svix-timestamp': SECONDS, 'svix-signature': signature };
    verify('standard-webhooks', secret, headers);
    for (const change of [
      { 'svix-id': 'msg_2' },
      { 'svix-timestamp': SECONDS - 1 },
      { 'webhook-id': 'msg_1' },
    ])
      expect(() => verify('standard-webhooks', secret, { ...headers, ...change })).toThrow(/not validly/);
  });

  test('a GitHub signature matches the documented example', () => {
    const headers = {
      'X-Hub-Signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    verify('github', "It's a Secret to Everybody", headers, Buffer.from('Hello, World!'));
    expect(() => verify('github', 'another', headers, Buffer.from('Hello, World!'))).toThrow(
      /X-Hub-Signature-256/,
    );
  });

  test('a Slack signature matches the documented example', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const headers = {
      'X-Slack-Request-Timestamp': '1531420618',
      'X-Slack-Signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    };
    verify('slack', '8f742231b10e8888abcd99yyyzzz85a5', headers, Buffer.from(body), 1_531_420_618_000);
  });

  test.each(SIGNATURE_KINDS)('a signature of kind %s covers every byte and depends on the secret', (kind) => {
    const sign = (secret: string, body: Buffer) => SIGNED[kind](secret, body, 'id-1', SECONDS);
    verify(kind, 'shared secret', sign('shared secret', BODY));
    const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), BODY]);
    verify(kind, 'shared secret', sign('shared secret', bytes), bytes);
    const wrong: [string, object, Buffer][] = [
      ['another secret', sign('another secret', BODY), BODY],
      ['another body', sign('shared secret', BODY), Buffer.from('{"id":"evt_1", "text":"café"}')],
      ['a byte more', sign('shared secret', BODY), bytes],
      ['no headers', {}, BODY],
      ['no body', sign('shared secret', BODY), Buffer.alloc(0)],
      ['an empty secret', sign('', BODY), BODY],
    ];
    for (const [what, headers, body] of wrong)
      expect(() => verify(kind, 'shared secret', headers, body), what).toThrow(/not validly signed/);
  });

  test.each(SIGNATURE_KINDS)('a signature of kind %s is never valid with an empty key', (kind) => {
    for (const secret of [
      '',
      'whsec_',
      'whsec_\n',
      ...(kind === 'standard-webhooks' ? ['whsec_!!!!', 'whsec_='] : []),
    ]) {
      const guessed = SIGNED[kind](secret, BODY, 'id-1', SECONDS);
      expect(() => verify(kind, secret, guessed), secret).toThrow(/key of the secret is empty/);
    }
  });

  test.each(['standard-webhooks', 'stripe', 'slack'] as const)(
    'a signature of kind %s is valid for five minutes before and after its timestamp',
    (kind) => {
      const headers = SIGNED[kind]('secret', BODY, 'id-1', SECONDS);
      for (const seconds of [-300, -299, 0, 299, 300])
        verify(kind, 'secret', headers, BODY, NOW + seconds * 1000);
      for (const seconds of [-301, -86_400, 301, 86_400])
        expect(() => verify(kind, 'secret', headers, BODY, NOW + seconds * 1000)).toThrow(/five minutes/);
    },
  );

  test('a signature is rejected if its timestamp does not consist of decimal digits', () => {
    for (const at of ['', 'now', '1e9', '-1', '0x10'] as unknown as number[]) {
      expect(() => verify('stripe', 's', SIGNED.stripe('s', BODY, '', at))).toThrow(/not a time/);
      const standard = SIGNED['standard-webhooks']('s', BODY, 'id', at);
      expect(() => verify('standard-webhooks', 's', standard)).toThrow(/not validly/);
    }
  });

  const mac = (algorithm: string, encoding: 'hex' | 'base64', ...parts: (string | Buffer)[]) =>
    parts.reduce((hmac, part) => hmac.update(part), createHmac(algorithm, 'shared')).digest(encoding);
  const ISO = new Date(NOW).toISOString();
  const SENDERS: [string, HmacSignature, Record<string, string>][] = [
    [
      'Typeform',
      { header: 'Typeform-Signature', encoding: 'base64', prefix: 'sha256=' },
      { 'typeform-signature': `sha256=${mac('sha256', 'base64', BODY)}` },
    ],
    [
      'WooCommerce',
      { header: 'X-WC-Webhook-Signature', encoding: 'base64', idHeader: 'X-WC-Webhook-Delivery-ID' },
      { 'X-WC-Webhook-Signature': mac('sha256', 'base64', BODY) },
    ],
    ['Linear', { header: 'Linear-Signature' }, { 'linear-signature': mac('sha256', 'hex', BODY) }],
    [
      'Mollie',
      { header: 'X-Mollie-Signature', prefix: 'sha256=' },
      { 'X-Mollie-Signature': `sha256=${mac('sha256', 'hex', BODY)}` },
    ],
    [
      'Intercom',
      { header: 'X-Hub-Signature', algorithm: 'sha1', prefix: 'sha1=' },
      { 'X-Hub-Signature': `sha1=${mac('sha1', 'hex', BODY)}` },
    ],
    [
      'Paystack',
      { header: 'x-paystack-signature', algorithm: 'sha512' },
      { 'X-Paystack-Signature': mac('sha512', 'hex', BODY).toUpperCase() },
    ],
    [
      'Calendly',
      {
        header: 'Calendly-Webhook-Signature',
        prefix: 'v1=',
        content: '{timestamp}.{body}',
        timestampHeader: 'Calendly-Webhook-Signature',
        timestampPrefix: 't=',
      },
      { 'calendly-webhook-signature': `t=${SECONDS},v1=${mac('sha256', 'hex', `${SECONDS}.`, BODY)}` },
    ],
    [
      'Paddle',
      {
        header: 'Paddle-Signature',
        prefix: 'h1=',
        content: '{timestamp}:{body}',
        timestampHeader: 'Paddle-Signature',
        timestampPrefix: 'ts=',
      },
      { 'paddle-signature': `ts=${SECONDS};h1=00;h1=${mac('sha256', 'hex', `${SECONDS}:`, BODY)}` },
    ],
    [
      'Slack',
      {
        header: 'X-Slack-Signature',
        prefix: 'v0=',
        content: 'v0:{timestamp}:{body}',
        timestampHeader: 'X-Slack-Request-Timestamp',
      },
      SIGNED.slack('shared', BODY, '', SECONDS),
    ],
    [
      'HubSpot',
      {
        header: 'X-HubSpot-Signature-v3',
        encoding: 'base64',
        content: 'POST{url}{body}{timestamp}',
        timestampHeader: 'X-HubSpot-Request-Timestamp',
      },
      {
        'X-HubSpot-Request-Timestamp': String(NOW),
        'X-HubSpot-Signature-v3': mac('sha256', 'base64', `POST${URL}`, BODY, String(NOW)),
      },
    ],
    [
      'Zendesk',
      {
        header: 'X-Zendesk-Webhook-Signature',
        encoding: 'base64',
        content: '{timestamp}{body}',
        timestampHeader: 'X-Zendesk-Webhook-Signature-Timestamp',
      },
      {
        'X-Zendesk-Webhook-Signature-Timestamp': ISO,
        'X-Zendesk-Webhook-Signature': mac('sha256', 'base64', ISO, BODY),
      },
    ],
    [
      'Standard Webhooks',
      { header: 'sig', content: '{id}.{timestamp}.{body}', idHeader: 'msg', timestampHeader: 'at' },
      { sig: mac('sha256', 'hex', `m1.${SECONDS}.`, BODY), msg: 'm1', at: String(SECONDS) },
    ],
  ];

  test.each(SENDERS)('the signature of %s is accepted by its declaration', (_, signature, headers) => {
    expect(findSignatureFault(signature)).toBeNull();
    verify(signature, 'shared', headers);
    expect(() => verify(signature, 'another', headers)).toThrow(/not validly/);
    expect(() => verify(signature, 'shared', headers, Buffer.concat([BODY, BODY]))).toThrow(/not validly/);
    expect(() => verify(signature, 'shared', {})).toThrow(/not validly/);
    for (const name of Object.keys(headers)) {
      const without = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
      expect(() => verify(signature, 'shared', without), name).toThrow(/not validly/);
    }
    if (signature.timestampHeader === undefined) return;
    for (const seconds of [-301, 301])
      expect(() => verify(signature, 'shared', headers, BODY, NOW + seconds * 1000)).toThrow(/five minutes/);
  });

  test.each<[keyof HmacSignature, Partial<HmacSignature>]>([
    ['header', { header: 'Cookie' }],
    ['idHeader', { idHeader: 'X-Forwarded-For' }],
    ['content', { content: '{timestamp}', timestampHeader: 'at' }],
    ['content', { content: '{body}{body}' }],
    ['content', { content: '{body}{query}' }],
    ['content', { content: '{body}}' }],
    ['content', { timestampHeader: 'at' }],
    ['timestampHeader', { content: '{timestamp}{body}' }],
    ['timestampHeader', { timestampPrefix: 't=' }],
    ['idHeader', { content: '{id}.{body}' }],
  ])('a declared signature with a fault in %s is refused: %j', (path, change) => {
    expect(findSignatureFault({ header: 'sig', ...change })?.path).toBe(path);
  });
});
