import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSignedByTwilio } from '../../deliveries/channels/twilio/receive.ts';
import { FakeTwilio } from '../support/fake-twilio.ts';
import { once, run } from '../support/fetched.ts';

const FOLDER = resolve('build-output/twilio');
const VERSION = '6.2.0';
const URL_SIGNED = 'https://chat.example.com/channels/0123456789abcdef01234567/receipts/1?part=1&of=2';
const TOKEN = 'a'.repeat(32);

interface Sdk {
  (
    accountSid: string,
    authToken: string,
    options: object,
  ): {
    messages: {
      create: (fields: object) => Promise<{ sid: string; status: string }>;
      list: (filter: object) => Promise<{ sid: string; body: string }[]>;
    };
    incomingPhoneNumbers: { list: (filter: object) => Promise<{ phoneNumber: string; smsUrl: string }[]> };
  };
  getExpectedTwilioSignature: (token: string, url: string, params: object) => string;
  getExpectedBodyHash: (body: string) => string;
  validateRequest: (token: string, signature: string, url: string, params: object) => boolean;
}

interface SdkRequest {
  method: string;
  uri: string;
  username: string;
  password: string;
  params?: Record<string, string>;
  data?: Record<string, string | string[]>;
}

let sdk: Sdk;

beforeAll(async () => {
  await once(FOLDER, `twilio ${VERSION}`, async () => {
    const manifest = { private: true, dependencies: { twilio: VERSION } };
    await writeFile(resolve(FOLDER, 'package.json'), JSON.stringify(manifest));
    const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--workspaces=false'];
    await run('npm', ['install', ...quiet], { cwd: FOLDER });
  });
  sdk = createRequire(resolve(FOLDER, 'package.json'))('twilio') as Sdk;
});

/** Section 15.9 of the specification. */
describe('the signature check', () => {
  const check = (body: string, signature: string, { url = URL_SIGNED, type = FORM } = {}) =>
    isSignedByTwilio(
      {
        url,
        bytes: Buffer.from(body),
        header: (name) => ({ 'X-Twilio-Signature': signature, 'Content-Type': type })[name] ?? '',
      },
      ['another token', TOKEN],
    );
  const forms = fc.dictionary(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }),
    ),
    { noNullPrototype: true },
  );

  test("accepts the signatures of Twilio's SDK, and refuses them for a changed form or address", () => {
    fc.assert(
      fc.property(forms, (params) => {
        const signature = sdk.getExpectedTwilioSignature(TOKEN, URL_SIGNED, params);
        const form = new URLSearchParams(
          Object.entries(params).flatMap(([name, value]) =>
            [value].flat().map((one): [string, string] => [name, one]),
          ),
        );
        expect(check(form.toString(), signature)).toBe(true);
        expect(check(`${form.toString()}&More=1`, signature)).toBe(false);
        expect(check(form.toString(), signature, { url: `${URL_SIGNED}0` })).toBe(false);
        const flipped = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`;
        expect(check(form.toString(), flipped)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('accepts a body in JSON by its digest in the address, and refuses another body', () => {
    const body = JSON.stringify({ text: 'Hé 😀' });
    const url = `https://chat.example.com/channels/1/inbound?bodySHA256=${sdk.getExpectedBodyHash(body)}`;
    const signature = sdk.getExpectedTwilioSignature(TOKEN, url, {});
    const type = 'application/json';
    expect(check(body, signature, { url, type })).toBe(true);
    expect(check(`${body} `, signature, { url, type })).toBe(false);
    // The digest of a form does not replace its parameters.
    expect(check(body, signature, { url })).toBe(false);
  });

  test('accepts a signature over the address with or without its usual port', () => {
    const [plain, withPort] = ['https://chat.example.com/in', 'https://chat.example.com:443/in'];
    expect(check('', sdk.getExpectedTwilioSignature(TOKEN, withPort, {}), { url: plain })).toBe(true);
    expect(
      check('', sdk.getExpectedTwilioSignature(TOKEN, plain, {}), {
        url: 'https://chat.example.com:8443/in',
      }),
    ).toBe(true);
  });
});

describe('the fake of Twilio', () => {
  let fake: FakeTwilio;
  let client: ReturnType<Sdk>;

  beforeAll(async () => {
    fake = await new FakeTwilio('+31201110009').start();
    const httpClient = { request: (request: SdkRequest) => forward(request, fake.url) };
    client = sdk(fake.accountSid, fake.authToken, { httpClient });
  });
  afterAll(() => fake.close());

  test("serves Twilio's SDK as Twilio does", async () => {
    const sent = await client.messages.create({
      ...{ to: '+31612345678', from: fake.number, body: 'Hé 😀', mediaUrl: ['https://example.com/a.png'] },
      statusCallback: URL_SIGNED,
    });
    expect(sent).toMatchObject({ sid: expect.stringMatching(/^MM/), status: 'queued' });
    expect(await client.messages.list({ to: '+31612345678', limit: 5 })).toMatchObject([
      { sid: sent.sid, body: 'Hé 😀' },
    ]);
    const numbers = await client.incomingPhoneNumbers.list({ phoneNumber: fake.number, limit: 1 });
    expect(numbers).toMatchObject([{ phoneNumber: fake.number }]);
    expect(fake.violations).toEqual([]);
  });

  test("signs as Twilio's SDK expects", () => {
    const form = { Body: 'Hé 😀', From: '+31612345678', Empty: '', NumMedia: '0' };
    expect(sdk.validateRequest(fake.authToken, fake.sign(URL_SIGNED, form), URL_SIGNED, form)).toBe(true);
  });

  test('reports a request that does not fit the document', async () => {
    const other = await new FakeTwilio('+31201110008').start();
    const strange = sdk(other.accountSid, other.authToken, {
      httpClient: {
        request: (request: SdkRequest) =>
          forward({ ...request, data: { ...request.data, Strange: '1' } }, other.url),
      },
    });
    await strange.messages.create({ to: '+31612345678', from: other.number, body: 'x' });
    expect(other.violations).toEqual([expect.stringContaining('additional properties')]);
    await other.close();
  });
});

const FORM = 'application/x-www-form-urlencoded';

/** Sends a request of the SDK to another host. */
async function forward({ method, uri, username, password, params = {}, data }: SdkRequest, url: string) {
  const target = new URL(new URL(uri).pathname, url);
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value);
  const fields = Object.entries(data ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const response = await fetch(target, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'content-type': FORM,
    },
    ...(data ? { body: new URLSearchParams(fields).toString() } : {}),
  });
  return { statusCode: response.status, body: await response.text(), headers: {} };
}
