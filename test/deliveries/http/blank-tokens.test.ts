import { describe, expect, test } from 'vitest';
import { blankTokens } from '../../../deliveries/http/blank-tokens.ts';
import { cpuRatio } from '../../support/cpu-time.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI2NmY3In0.c2lnbmF0dXJlLXg';
const KEY = `plk_${JWT}`;

const hex = (text: string, before: string) => {
  const digits = before === '\\u' ? 4 : 2;
  return Array.from(text, (one) => before + one.charCodeAt(0).toString(16).padStart(digits, '0')).join('');
};
const base64 = (text: string) => Buffer.from(text).toString('base64');
const quoted = (text: string) => JSON.stringify(text);

describe('a logged text', () => {
  test.each([
    ['an API key', KEY],
    ['a token of a session', JWT],
    ['the cookie of the console', `parlance_session_3000=${JWT}~${JWT}`],
    ['a cookie of another form', 'parlance_session_443_base=c2lnbmF0dXJlLXg'],
    ['a header', `Authorization: Bearer c2lnbmF0dXJlLXg`],
    ['a secret', 'whsec_c2lnbmF0dXJlLXg pws_c2lnbmF0dXJlLXg'],
    ['JSON', JSON.stringify({ token: 'c2lnbmF0dXJlLXg' })],
    ['truncated JSON', '{"refreshToken": "c2lnbmF0dXJlLXg'],
    ['a form', 'a=b&refreshToken=c2lnbmF0dXJlLXg&c=d'],
    ['JSON in JSON in JSON', quoted(quoted(JSON.stringify({ token: 'c2lnbmF0dXJlLXg' })))],
    ['escapes of JSON', hex(KEY, '\\u')],
    ['escapes of JSON in JSON', quoted(hex(KEY, '\\u'))],
    ['one escape', KEY.replace('p', '\\u0070')],
    ['braced escapes', KEY.replace('p', '\\u{70}').replace('e', '\\x65')],
    ['percent encoding', hex(KEY, '%')],
    ['percent encoding twice', hex(KEY, '%').replaceAll('%', '%25')],
    ['references of HTML', Array.from(KEY, (one) => `&#${one.charCodeAt(0)};`).join('')],
    ['hexadecimal references of HTML', hex(KEY, '&#x').replaceAll('&', ';&')],
    ['base64', base64(KEY)],
    ['base64 of a header', `Basic ${base64(`bot:${KEY}`)}`],
    ['base64 that begins later', `xx${base64(KEY)}`],
    ['base64 in lines', base64(`${'x'.repeat(20)}${KEY}`).replace(/.{32}/g, '$&\r\n')],
    ['base64 twice', base64(base64(JSON.stringify({ a: KEY })))],
    ['base64 of UTF-16', Buffer.from(KEY, 'utf16le').toString('base64')],
    ['percent-encoded base64', encodeURIComponent(base64(`??>${KEY}`))],
    ['hexadecimal digits', Buffer.from(KEY).toString('hex').toUpperCase()],
    ['spaced hexadecimal digits', hex(KEY, ' ')],
    ['a buffer as JSON', JSON.stringify(Buffer.from(KEY))],
    ['zeros between', Array.from(KEY).join('\0')],
    ['invisible characters between', Array.from(KEY).join('\u200b')],
  ])('a logged text contains no token: %s', (_, text) => {
    const kept = blankTokens(`before ${text} after`);
    expect(kept).toContain('[token]');
    expect(kept).toMatch(/^before /);
    for (const part of [
      KEY,
      JWT,
      'c2lnbm',
      base64(KEY).slice(20, 40),
      Buffer.from(KEY).toString('hex').slice(20, 40),
      '101,121,74',
    ])
      expect(kept.toLowerCase()).not.toContain(part.toLowerCase());
  });

  test.each([
    'OK',
    '{"ok":true,"id":"66f7a0b1c2d3e4f5a6b7c8d9","at":"2026-03-14T00:00:00.000Z"}',
    '{"token":null,"messages":[]}',
    'Basic authentication is required. Error in token: expired-long-ago',
    'Unexpected token } in JSON at position 12',
    '<p>100 %, C:\\temp\\new &amp; https://example.com/a/very/long/path/of/words?q=%20</p>',
    `{"picture":"${Buffer.alloc(300, 'picture').toString('base64')}"}`,
    '[1,2,3,100,200,300,400,500,600,700,800,900]',
  ])('a logged text keeps parts that are not a token: %j', (text) => {
    expect(blankTokens(text)).toBe(text);
  });

  test.each([
    ['base64 in base64', Array.from({ length: 5 }).reduce<string>((text) => base64(text), 'a'.repeat(3500))],
    ['digits', '11 '.repeat(5500)],
    ['the word token', 'token'.repeat(3300)],
    ['backslashes', '\\'.repeat(16_384)],
    ['escapes', '\\u0025'.repeat(2700)],
    ['beginnings', 'eyJ'.repeat(5400)],
  ])('a logged text is redacted at low cost: %s', async (_, hostile) => {
    const honest = KEY.repeat(250).slice(0, 16_000);
    const ratio = await cpuRatio({
      run: () => blankTokens(hostile.slice(0, 16_384)),
      honest: () => void blankTokens(honest),
      enough: 10,
    });
    expect(ratio).toBeLessThan(10);
  });
});
