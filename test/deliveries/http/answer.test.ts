import { gzipSync, deflateRawSync, deflateSync, brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAnswer } from '../../../deliveries/http/answer.ts';
import type { RawAnswer } from '../../../deliveries/http/answer.ts';
import { DomainError } from '../../../domain/errors.ts';
import { cpuRatio } from '../../support/cpu-time.ts';
import { HONEST_MESSAGES, HOSTILE_BODIES } from '../../support/hostile-bodies.ts';

const MAX_RATIO = 10;

const read = (text: string) => readAnswer({ bytes: Buffer.from(text) });

describe("a receiver's response", () => {
  test("a receiver's response is a reply if it has a token and messages", async () => {
    const { text, reply } = await read('{"token":"t","messages":[{"text":"hi"}],"more":1}');
    expect(reply).toEqual({ token: 't', messages: [{ text: 'hi' }] });
    expect(text).toBe('{"token":"[token]","messages":[{"text":"hi"}],"more":1}');
  });

  test.each([
    '',
    'ok',
    '{}',
    '{"token":"t"}',
    '{"message":"Received"}',
    '{"messages":[]}',
    '"token"',
    'null',
    '["token"]',
    '[{"id":1}]',
    '<p>The token is no longer valid. You have 3 new messages.</p>',
  ])("a receiver's response is not a reply: %j", async (text) => {
    expect((await read(text)).reply).toBeNull();
  });

  const said = '{"token":"t","messages":[{"text":"hi"}]}';
  test.each([
    [
      'a notice of PHP before it',
      `<br />\n<b>Notice</b>: Undefined index in bot.php\n${said}`,
      'not valid JSON',
    ],
    ['a deprecation before it', `Deprecated: strpos()\n${said}`, 'not valid JSON'],
    ['a page around it', `<html><body><pre>${said}</pre></body></html>`, 'not valid JSON'],
    ['a guard before it', `)]}',\n${said}`, 'not valid JSON'],
    ['a callback around it', `callback(${said});`, 'not valid JSON'],
    ['another reply after it', `${said}${said}`, 'not valid JSON'],
    ['single quotes', said.replaceAll('"', "'"), 'not valid JSON'],
    ['no quotes around keys', said.replace(/"(\w+)":/g, '$1:'), 'not valid JSON'],
    ['the form of a web form', 'token=t&messages=[{"text":"hi"}]', 'not valid JSON'],
    ['a list around it', `[${said}]`, 'at its top level'],
    ['JSON in a text', JSON.stringify(said), 'at its top level'],
    ['an object around it', `{"data":${said}}`, 'at its top level'],
    ['the response of a function', JSON.stringify({ statusCode: 200, body: said }), 'at its top level'],
    ['capitals', said.replace('token', 'Token').replace('messages', 'Messages'), 'at its top level'],
    ['the key message', said.replace('messages', 'message'), 'at its top level'],
    ['a token that is a number', '{"token":5,"messages":[]}', 'at its top level'],
    ['no token', '{"messages":[{"text":"hi"}]}', 'no token'],
    ['one message without a token', '{"message":{"text":"hi"}}', 'no token'],
    ['a list of messages', '[{"text":"hi"}]', 'a list of messages'],
  ])(
    "a receiver's response that looks like a reply is refused with the reason: %s",
    async (_, text, words) => {
      const { reply } = await read(text);
      expect((reply as DomainError).message).toContain(words);
    },
  );

  test("a receiver's response in which a token is found is logged as its type and length", async () => {
    const lines = `plk_eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIiOiIxIn0'.repeat(20)}`.replace(/.{76}/g, '$&\n');
    const bytes = Buffer.from(`<h1>Error</h1>\n${lines}`);
    const html = { bytes, contentType: 'text/html; charset=utf-8' };
    expect((await readAnswer(html)).text).toBe(
      `[${bytes.length} bytes of text/html, not shown: they have a token]`,
    );
    const env = { bytes: Buffer.from('WEBHOOK_SECRET=our own secret: 4711') };
    expect((await readAnswer(env)).text).toContain('4711');
    expect((await readAnswer(env, ['our own secret: 4711'])).text).toBe(
      '[35 bytes of no known type, not shown: they have a token]',
    );
  });

  test("a receiver's response never puts a token into the log, even if the response is not a valid reply", async () => {
    for (const text of [
      '{"token":"secret"',
      '[{ "token" : "secret" }]',
      '{"\\u0074oken":"secret","token":"secret"}',
      JSON.stringify({ token: 'secret', messages: Array(20_000).fill({}) }),
    ]) {
      expect((await read(text)).text).not.toContain('"secret');
    }
  });

  test('a reply that is too large is rejected with the reason', async () => {
    const { reply } = await read(JSON.stringify({ token: 't', messages: Array(20_000).fill({}) }));
    expect(reply).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('10,000 values'),
    });
  });

  test.each(['', 'a', 'token'])(
    "a receiver's response after %j that is cut within a character stays text",
    async (begin) => {
      const bytes = Buffer.from(begin + '€'.repeat(5_461)).subarray(0, 16_381);
      const { text, reply } = await readAnswer({ bytes, isCut: true });
      expect([text.includes('\ufffd'), reply]).toEqual([false, null]);
    },
  );

  test("a receiver's response is logged up to 16 KiB, cut at a character boundary", async () => {
    const { text } = await read('€'.repeat(10_000));
    expect(text).toBe('€'.repeat(5461));
  });
});

describe('a response that is not plain UTF-8', () => {
  const JSON_TYPE = 'application/json';
  const said = '{"token":"t","messages":[{"text":"Grüße"}]}';
  const utf8 = Buffer.from(said);
  const utf16 = Buffer.from(said, 'utf16le');
  const utf16be = Buffer.from(utf16).swap16();
  const latin1 = Buffer.from(said, 'latin1');
  const marked = (...parts: (number[] | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
  const reply = { token: 't', messages: [{ text: 'Grüße' }] };

  test.each<[string, RawAnswer]>([
    ['begins with a byte order mark', { bytes: marked([0xef, 0xbb, 0xbf], utf8) }],
    ['begins with two byte order marks', { bytes: marked([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], utf8) }],
    ['is UTF-16 with a mark', { bytes: marked([0xff, 0xfe], utf16), contentType: JSON_TYPE }],
    ['is big-endian UTF-16 with a mark', { bytes: marked([0xfe, 0xff], utf16be) }],
    ['is UTF-16 as declared', { bytes: utf16, contentType: 'application/json; charset="UTF-16LE"' }],
    ['is UTF-16 without a declaration', { bytes: utf16 }],
    ['is big-endian UTF-16 without a declaration', { bytes: utf16be, contentType: JSON_TYPE }],
    ['is Latin-1 as declared', { bytes: latin1, contentType: 'application/json;charset=ISO-8859-1' }],
    ['is UTF-8 and declared as Latin-1', { bytes: utf8, contentType: 'text/html; charset=iso-8859-1' }],
    [
      'is marked UTF-8 and declared as UTF-16',
      { bytes: marked([0xef, 0xbb, 0xbf], utf8), contentType: 'a/b;charset=utf-16' },
    ],
    ['is UTF-8 and declared as UTF-16', { bytes: utf8, contentType: 'a/b; charset=utf-16le' }],
    ['is gzip', { bytes: gzipSync(utf8), contentEncoding: 'gzip' }],
    ['is deflate', { bytes: deflateSync(utf8), contentEncoding: 'Deflate' }],
    ['is deflate without its header', { bytes: deflateRawSync(utf8), contentEncoding: 'deflate' }],
    ['is brotli', { bytes: brotliCompressSync(utf8), contentEncoding: 'br' }],
    [
      'is brotli in gzip',
      { bytes: gzipSync(brotliCompressSync(utf8)), contentEncoding: 'br, identity, gzip' },
    ],
    ['is gzip of marked UTF-16', { bytes: gzipSync(marked([0xff, 0xfe], utf16)), contentEncoding: 'x-gzip' }],
  ])('a response that is not plain UTF-8 is decoded correctly when it %s', async (_, answer) => {
    expect(await readAnswer(answer)).toMatchObject({ text: said.replace('"t"', '"[token]"'), reply });
  });

  test.each(['windows-1252', 'iso-8859-1', 'us-ascii'])(
    'a response that is declared as %s is decoded as windows-1252, with its euro sign and quotes',
    async (charset) => {
      const bytes = Buffer.from('{"token":"t","messages":[{"text":"\x80 5 \x93off\x94"}]}', 'latin1');
      const { reply } = await readAnswer({ bytes, contentType: `application/json; charset=${charset}` });
      expect(reply).toEqual({ token: 't', messages: [{ text: '€ 5 “off”' }] });
    },
  );

  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));

  test.each<[string, RawAnswer, string]>([
    ['Latin-1 without a declaration', { bytes: latin1 }, 'is not valid UTF-8'],
    ['Latin-1 declared as UTF-8', { bytes: latin1, contentType: 'a/json; charset=utf-8' }, 'not valid UTF-8'],
    ['cut within a character', { bytes: utf8.subarray(0, utf8.indexOf('ü') + 1) }, 'not valid UTF-8'],
    [
      'declared with an unknown charset',
      { bytes: utf8, contentType: 'a/b; charset=klingon<b>' },
      'unknown charset klingonb',
    ],
    ['UTF-32', { bytes: Buffer.from([...utf8].flatMap((byte) => [byte, 0, 0, 0])) }, 'not valid UTF-8'],
    [
      'gzip that ends early',
      { bytes: gzipSync(utf8).subarray(0, 30), contentEncoding: 'gzip' },
      'not valid gzip',
    ],
    ['gzip that is not declared', { bytes: gzipSync(utf8), contentType: 'text/html' }, 'no Content-Encoding'],
    ['plain text declared as gzip', { bytes: utf8, contentEncoding: 'gzip' }, 'not valid gzip'],
    ['zstd', { bytes: utf8, contentEncoding: 'zstd' }, 'encoded as zstd, which is not supported'],
    ['gzip in gzip in gzip', { bytes: utf8, contentEncoding: 'gzip, gzip, gzip' }, 'which is not supported'],
    [
      'a decompression bomb',
      { bytes: bomb, contentEncoding: 'gzip' },
      'longer than 1 MiB when it is decompressed',
    ],
    ['JSON with an extra comma', { bytes: Buffer.from(said.replace(']}', '],}')) }, 'not valid JSON'],
  ])('a reply is rejected with the reason when the response is %s', async (_, answer, words) => {
    const read = await readAnswer(answer);
    expect(read.reply).toBeInstanceOf(DomainError);
    expect((read.reply as DomainError).message).toContain(words);
  });

  test('a response that is not plain UTF-8 is not a reply if nothing in the response indicates a reply', async () => {
    expect(await readAnswer({ bytes: Buffer.from('na\u00efve', 'latin1') })).toMatchObject({
      text: 'na\ufffdve',
      reply: null,
    });
    const picture = await readAnswer({ bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff]) });
    expect(picture).toMatchObject({ text: '[8 bytes that are not text]', reply: null });
  });

  test('a response that is not plain UTF-8 never puts a token into the log', async () => {
    const token = 'plk_eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    const text = `ignored: ${token}`;
    const zeros = Buffer.from([...Buffer.from(text)].flatMap((byte) => [0, 0, 0, byte]));
    const answers: RawAnswer[] = [
      { bytes: Buffer.from(text, 'utf16le'), contentType: 'text/plain' },
      { bytes: marked([0xfe, 0xff], Buffer.from(text, 'utf16le').swap16()) },
      { bytes: zeros },
      { bytes: gzipSync(text), contentEncoding: 'gzip' },
      { bytes: gzipSync(text, { level: 0 }) },
      { bytes: marked(Buffer.from(text), [0xff]) },
      { bytes: Buffer.from(JSON.stringify({ token, messages: [], again: { token }, said: text })) },
      { bytes: Buffer.from(JSON.stringify({ token: 'opaque-one', messages: [], again: 'is opaque-one' })) },
    ];
    for (const answer of answers) {
      const logged = (await readAnswer(answer)).text.replaceAll('\0', '');
      expect(logged).not.toMatch(/plk_|eyJ|c2ln|opaque/);
    }
  });
});

/** A worker reads the responses of all receivers in one thread. */
describe('reading a response of 1 MiB', () => {
  const honest = { bytes: Buffer.from(JSON.stringify({ token: 't', messages: HONEST_MESSAGES })) };

  beforeAll(async () => {
    for (let warm = 0; warm < 3; warm += 1) await readAnswer(honest);
  });

  test.each([...HOSTILE_BODIES])(
    'reading a hostile response of 1 MiB costs less than ten times an honest reply: %s',
    async (_, messages) => {
      const hostile = { bytes: Buffer.from(`{"token":"t","messages":${messages.trim()}}`) };
      const ratio = await cpuRatio({
        run: () => readAnswer(hostile),
        honest: () => readAnswer(honest),
        enough: MAX_RATIO,
      });
      expect(ratio).toBeLessThan(MAX_RATIO);
    },
  );
});
