import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifySignature } from '../../api/ingest/signatures.ts';
import { SIGNATURE_KINDS } from '../../domain/events/business-event.ts';
import type { SignatureKind } from '../../domain/events/business-event.ts';
import { SIGNED } from '../support/senders.ts';

const NOW = 1_770_000_000_000;
const SECONDS = NOW / 1000;
const BODY = Buffer.from('{"id":"evt_1","text":"café"}');

function verify(kind: SignatureKind, secret: string, headers: object, bytes: Buffer = BODY, now = NOW): void {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  verifySignature(kind, secret, { header: (name) => given.get(name.toLowerCase()) ?? '', bytes, now });
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
      expect(() => verify('stripe', 's', SIGNED.stripe('s', BODY, '', at))).toThrow(/not validly/);
      const standard = SIGNED['standard-webhooks']('s', BODY, 'id', at);
      expect(() => verify('standard-webhooks', 's', standard)).toThrow(/not validly/);
    }
  });
});
