import { describe, expect, test } from 'vitest';
import { isUsableSecret, parseSigningSecret } from '../../domain/delivery/signing-secret.ts';

const KEY = Buffer.from('0123456789abcdef').toString('base64');
const ODD = Buffer.from('?>?>?>?>?>?>?>?>~~~').toString('base64');

function refusal(secret: string, origin?: 'ours' | 'foreign'): string | null {
  try {
    parseSigningSecret(secret, 'params.secret', origin);
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request', details: [{ path: 'params.secret' }] });
    return (error as Error).message;
  }
}

describe('a signing secret', () => {
  test.each([
    [`whsec_${KEY}\n`, `whsec_${KEY}`],
    [`\r\n\t whsec_${KEY} \u200b`, `whsec_${KEY}`],
    [`\ufeffwhsec_${ODD}\u00a0`, `whsec_${ODD}`],
    ['  a secret of sixteen\n', 'a secret of sixteen'],
    ['übermäßig süß ✓', 'übermäßig süß ✓'],
  ])('a signing secret is stored without surrounding whitespace: %j', (given, stored) => {
    expect(parseSigningSecret(given, 'secret')).toBe(stored);
  });

  test.each([
    ['', 'blank'],
    [' \n', 'blank'],
    ['\u200b\u2060\u3164\u2800', 'blank'],
    ['whsec_', 'key behind'],
    ['whsec_\n', 'key behind'],
    ['whsec_!!!!', 'base64'],
    ['whsec_=', 'base64'],
    ['whsec_====', 'base64'],
    [`whsec_=${KEY}`, 'base64'],
    [`whsec_${KEY.replace('==', '')}`, 'base64'],
    [`whsec_${KEY.slice(0, 10)}\n${KEY.slice(10)}`, 'line breaks'],
    [`whsec_${KEY.slice(0, 10)} ${KEY.slice(10)}`, 'base64'],
    [`whsec_${ODD.replace(/\+/g, '-').replace(/\//g, '_')}`, 'base64'],
    ['whsec_AA', 'base64'],
    ['whsec_AA==', 'at least 16 bytes'],
    ['whsec_MDEyMzQ1Njc4OWFiY2Rl', 'at least 16 bytes'],
    [`WHSEC_${KEY}`, 'small letters'],
    [`"whsec_${KEY}"`, 'nothing around it'],
    [`WEBHOOK_SECRET=whsec_${KEY}`, 'nothing around it'],
    [`whsk_${KEY}`, 'asymmetric'],
    ['undefined', 'missing value'],
    ['[object Object]', 'missing value'],
    ['${WEBHOOK_SECRET}', 'missing value'],
    ['a secret of fif', 'at least 16 bytes'],
    ['a secret\0with a zero', 'control characters'],
    ['two lines of a secret\nand another', 'line breaks'],
  ])('a signing secret is rejected if it is implausible: %j', (secret, words) => {
    expect(refusal(secret)).toContain(words);
  });

  test.each(['eightcha', 'shpss_7c41f2', 'whsec_not/base64', 'WHSEC_12'])(
    'a short or unusual signing secret of another product is accepted without surrounding whitespace: %s',
    (secret) => {
      expect(parseSigningSecret(` ${secret}\n`, 'secret', 'foreign')).toBe(secret);
    },
  );

  test.each(['', ' ', '\u200b', 'whsec_', 'a\nbcdefgh', 'short', 'undefined', 'null', '[object Object]'])(
    'an invalid signing secret of another product is rejected: %j',
    (secret) => {
      expect(refusal(secret, 'foreign')).not.toBeNull();
    },
  );

  test('a signing secret is usable unless its key is empty', () => {
    const empty = ['', ' ', 'whsec_', 'whsec_!!!!', 'whsec_=', 'whsec_A', 'whsec_ \n', `whsec_=${KEY}`];
    for (const secret of empty) expect(isUsableSecret(secret), secret).toBe(false);
    for (const secret of ['old', 'whsec_AA', `whsec_${KEY}\n`]) expect(isUsableSecret(secret)).toBe(true);
    for (const secret of ['', '\n', 'whsec_']) expect(isUsableSecret(secret, 'foreign')).toBe(false);
    expect(isUsableSecret('whsec_!!!!', 'foreign')).toBe(true);
  });
});
