import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { blankTokens, holdsToken } from '../../../deliveries/http/blank-tokens.ts';
import { cpuRatio } from '../../support/cpu-time.ts';

const HEAD = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';
const CLAIMS = 'eyJfaWQiOiI2NmY3YTBiMWMyZDNlNGY1YTZiN2M4ZDkiLCJzY29wZSI6ImJvdCBndWVzdCIsImp0aSI6IjEifQ';
const JWT = `${HEAD}.${CLAIMS}.Xv0t5yPq-2JkLw8z_RrNn1Aa3Bb5Cc7Dd9Ee0Ff2Gg4`;
const WORD_SECRET = 'our own secret: 4711, never told';

const TOKENS = [
  ['an API key', `plk_${JWT}`],
  ['an access token', JWT],
  ['a session of the console', `parlance_session_3000=${JWT}~${JWT}`],
  ['the secret of a widget', 'pws_3q2-7wAbCdEfGhIj0123456789_klmnopQRSTUVWXYZ'],
  ['a signing secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['a signing secret without prefix', WORD_SECRET],
] as const;

const codes = (text: string) => Array.from(Buffer.from(text));
const numbers = (text: string, base: number, digits: number) =>
  codes(text).map((code) => code.toString(base).padStart(digits, '0'));
const pieces = (text: string, length: number) => text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? [];
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const dump = (text: string, line: (hex: string[], characters: string, at: number) => string) =>
  pieces(text, 16)
    .map((part, at) => line(numbers(part, 16, 2), part, at * 16))
    .join('\n');

function base32(text: string): string {
  const bits = numbers(text, 2, 8).join('');
  const digits = pieces(bits, 5).map((one) => Number.parseInt(one.padEnd(5, '0'), 2));
  return digits.map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[one]).join('');
}

const SPELLINGS: [string, (token: string) => string][] = [
  ['plain', (token) => token],
  ['in JSON in JSON', (token) => JSON.stringify(JSON.stringify({ a: token }))],
  ['in lines of 60', (token) => pieces(token, 60).join('\n')],
  ['in lines of 76 of a dump of mail', (token) => pieces(token, 76).join('\r\n')],
  ['in lines of 5', (token) => pieces(token, 5).join('\n')],
  [
    'in quoted-printable',
    (token) =>
      pieces(
        token.replace(/[=_]/g, (one) =>
          numbers(one, 16, 2)
            .map((hex) => `=${hex.toUpperCase()}`)
            .join(''),
        ),
        20,
      ).join('=\r\n'),
  ],
  ['joined in a shell', (token) => pieces(token, 7).join('\\\n')],
  ['joined in JavaScript', (token) => `'${pieces(token, 9).join("' +\n  '")}'`],
  ['joined in PHP', (token) => `"${pieces(token, 9).join('" . "')}"`],
  ['joined in Python', (token) => `("${pieces(token, 9).join('"\n    "')}")`],
  ['with <wbr>', (token) => pieces(token, 4).join('<wbr>')],
  ['in cells of a table', (token) => `<td>${pieces(token, 4).join('</td><td class="x">')}</td>`],
  ['as characters in JSON', (token) => JSON.stringify(Array.from(token))],
  [
    'with escapes of JSON',
    (token) =>
      numbers(token, 16, 4)
        .map((hex) => `\\u${hex}`)
        .join(''),
  ],
  [
    'with braced escapes',
    (token) =>
      numbers(token, 16, 2)
        .map((hex) => `\\u{${hex}}`)
        .join(''),
  ],
  [
    'with \\x',
    (token) =>
      numbers(token, 16, 2)
        .map((hex) => `\\x${hex}`)
        .join(''),
  ],
  [
    'with octal escapes',
    (token) =>
      numbers(token, 8, 3)
        .map((octal) => `\\${octal}`)
        .join(''),
  ],
  [
    'percent-encoded',
    (token) =>
      numbers(token, 16, 2)
        .map((hex) => `%${hex}`)
        .join(''),
  ],
  [
    'percent-encoded twice',
    (token) =>
      numbers(token, 16, 2)
        .map((hex) => `%25${hex}`)
        .join(''),
  ],
  [
    'with references of HTML',
    (token) =>
      codes(token)
        .map((code) => `&#${code};`)
        .join(''),
  ],
  [
    'with references without ;',
    (token) =>
      codes(token)
        .map((code) => `&#${code}`)
        .join(' '),
  ],
  [
    'with hexadecimal references',
    (token) =>
      numbers(token, 16, 2)
        .map((hex) => `&#x${hex};`)
        .join(''),
  ],
  ['with a named reference', (token) => token.replaceAll('_', '&lowbar;')],
  [
    'in full width',
    (token) => token.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  ],
  ['with zeros between', (token) => Array.from(token).join('\0')],
  ['with invisible characters', (token) => Array.from(token).join('\u200b')],
  ['in base64', base64],
  ['in base64 with one character before', (token) => base64(`:${token}`)],
  ['in base64 with two characters before', (token) => base64(`u:${token}`)],
  ['in base64 of base64', (token) => base64(base64(token))],
  ['in base64 of UTF-16', (token) => Buffer.from(token, 'utf16le').toString('base64')],
  ['in base64 in lines', (token) => pieces(base64(`${'x'.repeat(20)}${token}`), 32).join('\r\n')],
  ['in base64 joined in JavaScript', (token) => `"${pieces(base64(token), 24).join('" +\n"')}"`],
  ['in percent-encoded base64', (token) => encodeURIComponent(base64(`??>${token}`))],
  ['in base64url', (token) => Buffer.from(`??>${token}`).toString('base64url')],
  ['in base64 of gzip', (token) => base64(gzipSync(token))],
  ['in base64 of gzip of JSON', (token) => base64(gzipSync(JSON.stringify({ env: { A: token } })))],
  ['in base64 of zlib', (token) => base64(deflateSync(token))],
  ['in base64 of deflate', (token) => base64(deflateRawSync(`a=b&c=${token}`))],
  ['in hexadecimal gzip', (token) => gzipSync(token).toString('hex')],
  ['in base32', base32],
  ['in base32 in lower case', (token) => base32(`id=${token}`).toLowerCase()],
  ['in hexadecimal digits', (token) => Buffer.from(token).toString('hex').toUpperCase()],
  ['as bytes of PostgreSQL', (token) => `\\x${Buffer.from(token).toString('hex')}`],
  ['in hexadecimal digits with :', (token) => numbers(token, 16, 2).join(':')],
  [
    'as bytes of Go',
    (token) =>
      `[]byte{${numbers(token, 16, 2)
        .map((hex) => `0x${hex}`)
        .join(', ')}}`,
  ],
  ['as numbers of Go', (token) => `[${codes(token).join(' ')}]`],
  ['as numbers with ;', (token) => codes(token).join(';')],
  ['as numbers with ,', (token) => codes(token).join(',')],
  [
    'as calls of chr',
    (token) =>
      codes(token)
        .map((code) => `chr(${code})`)
        .join('.'),
  ],
  ['as a buffer in JSON', (token) => JSON.stringify(Buffer.from(token))],
  ['as an array of bytes in JSON', (token) => JSON.stringify(Object.assign({}, codes(token)))],
  ['as octal numbers', (token) => numbers(token, 8, 3).join(' ')],
  ['as binary numbers', (token) => numbers(token, 2, 8).join(' ')],
  [
    'as hexdump -C',
    (token) =>
      dump(
        token,
        (hex, text, at) =>
          `${at.toString(16).padStart(8, '0')}  ${hex.slice(0, 8).join(' ')}  ${hex.slice(8).join(' ')}  |${text}|`,
      ),
  ],
  [
    'as hexdump -C after other text',
    (token) =>
      dump(
        `POST /bots HTTP/1.1 ${token}`,
        (hex, text, at) =>
          `${at.toString(16).padStart(8, '0')}  ${hex.slice(0, 8).join(' ')}  ${hex.slice(8).join(' ')}  |${text}|`,
      ),
  ],
  [
    'as xxd',
    (token) =>
      dump(
        token,
        (hex, text, at) =>
          `${at.toString(16).padStart(8, '0')}: ${pieces(hex.join(''), 4).join(' ')}  ${text}`,
      ),
  ],
  [
    'as words of hexdump',
    (token) =>
      dump(
        token,
        (hex, _, at) =>
          `${at.toString(16).padStart(7, '0')} ${pieces(hex.join(''), 4)
            .map((word) => word.slice(2) + word.slice(0, 2))
            .join(' ')}`,
      ),
  ],
  [
    'as od -c',
    (token) =>
      dump(token, (_, text, at) => `${at.toString(8).padStart(7, '0')}   ${Array.from(text).join('   ')}`),
  ],
];

describe('a logged text', () => {
  test.each(SPELLINGS)('a logged text shows nothing of a token %s', (_, spell) => {
    const shown = TOKENS.filter(([, token]) => !holdsToken(`before\n${spell(token)}\nafter`, [WORD_SECRET]));
    expect(shown).toEqual([]);
  });

  test.each([
    ['a header', 'Authorization: Bearer c2lnbmF0dXJlLXg1'],
    ['a cookie', 'parlance_session_443_base=c2lnbmF0dXJlLXg1'],
    ['JSON', JSON.stringify({ token: 'c2lnbmF0dXJlLXg' })],
    ['truncated JSON', '{"refreshToken": "c2lnbmF0dXJlLXg'],
    ['a form', 'a=b&refreshToken=c2lnbmF0dXJlLXg1&c=d'],
    ['base64 of JSON', base64(JSON.stringify({ token: 'c2lnbmF0dXJlLXg' }))],
    ['JSON in JSON', JSON.stringify(JSON.stringify({ token: 'c2lnbmF0dXJlLXg' }))],
  ])('a logged text shows nothing of an unknown token that it names: %s', (_, text) => {
    expect(blankTokens(`before ${text} after`)).toBe('[token]');
  });

  test.each([
    'OK',
    '{"ok":true,"id":"66f7a0b1c2d3e4f5a6b7c8d9","at":"2026-03-14T00:00:00.000Z"}',
    '{"token":null,"messages":[]}',
    'Basic authentication is required. Error in token: expired-long-ago',
    'Basic Authentication. token: InvalidTokenError. Bearer realm="x"',
    'The secret must begin with whsec_. Set PARLANCE_SECRET to whsec_ and base64 of at least 16 bytes.',
    'Unexpected token } in JSON at position 12',
    '<p>100 %, C:\\temp\\new &amp; https://example.com/a/very/long/path/of/words?q=%20</p>',
    `{"picture":"${Buffer.alloc(300, 'picture').toString('base64')}"}`,
    `{"gzip":"${base64(gzipSync('{"answer":"all is well, nothing is secret"}'))}"}`,
    '[1,2,3,100,200,300,400,500,600,700,800,900]',
    'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'Grüße aus 東京 👋 '.repeat(80),
  ])('a logged text keeps a text without a token: %j', (text) => {
    expect(blankTokens(text)).toBe(text);
  });

  test.each([
    ['base64 in base64', Array.from({ length: 5 }).reduce<string>((text) => base64(text), 'a'.repeat(3500))],
    ['digits', '11 '.repeat(5500)],
    ['the word token', 'token'.repeat(3300)],
    ['backslashes', '\\'.repeat(16_384)],
    ['escapes', '\\u0025'.repeat(2700)],
    ['beginnings', 'eyJ'.repeat(5400)],
    ['prefixes', 'pws_'.repeat(4096)],
    ['words that end as no word', `Bearer ${'a-Ab.'.repeat(3000)}1`],
    ['many short values', 'token:aaaaaaa1 '.repeat(1000)],
    ['quotes and spaces', `"${' '.repeat(40)}`.repeat(400)],
    ['tags that stay open', '<a '.repeat(5400)],
    ['lines of a dump', '0000 00 00 00 00\n'.repeat(960)],
    ['base32', 'abcdefgh'.repeat(2048)],
    [
      'compressed parts',
      base64(Buffer.concat(Array.from({ length: 200 }, () => gzipSync(Buffer.alloc(60_000))))),
    ],
    ['ligatures', '\ufdfa'.repeat(5400)],
  ])('a logged text is searched at low cost: %s', async (_, hostile) => {
    const honest = 'The bot could not answer <b>this</b> event, because "it" was busy. '.repeat(250);
    const ratio = await cpuRatio({
      run: () => blankTokens(hostile.slice(0, 16_384)),
      honest: () => void blankTokens(honest.slice(0, 16_384)),
      enough: 10,
    });
    expect(ratio).toBeLessThan(10);
  });
});
