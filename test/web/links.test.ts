import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAddress, splitLinks } from '../../web/components/links.ts';

const linksIn = (text: string) =>
  splitLinks(text).flatMap((part) => (typeof part === 'string' ? [] : part.text));
const targetsIn = (text: string) =>
  splitLinks(text).flatMap((part) => (typeof part === 'string' ? [] : part.href));

describe('links in a text', () => {
  test.each<readonly [string, string]>([
    ['see https://en.wikipedia.org/wiki/Mercury_(planet).', 'https://en.wikipedia.org/wiki/Mercury_(planet)'],
    ['(https://example.com/a)', 'https://example.com/a'],
    ['(see https://example.com/A_(b))', 'https://example.com/A_(b)'],
    ['https://example.com/?q=(1), and', 'https://example.com/?q=(1)'],
    ['https://example.com/a[1] and', 'https://example.com/a[1]'],
    ['https://example.com/{id}', 'https://example.com/{id}'],
    ['https://example.com/a)', 'https://example.com/a'],
    ['HTTPS://EXAMPLE.COM/A', 'HTTPS://EXAMPLE.COM/A'],
    ['**https://example.com/a**', 'https://example.com/a'],
    ['`https://example.com/a`', 'https://example.com/a'],
    ['"https://example.com/a"', 'https://example.com/a'],
    ['<https://example.com/a>', 'https://example.com/a'],
    ...Array.from('。（）、”…！»」，？：；』】’').map(
      (sign) => [`https://example.com/a${sign}b`, 'https://example.com/a'] as const,
    ),
    ['https://example.com/a\u200Bb', 'https://example.com/a'],
    ['https://example.com/a\u3000b', 'https://example.com/a'],
    ['https://ja.wikipedia.org/wiki/東京', 'https://ja.wikipedia.org/wiki/東京'],
    ['https://ja.wikipedia.org/wiki/東京 です', 'https://ja.wikipedia.org/wiki/東京'],
    ['请看https://example.com/a这里', 'https://example.com/a'],
    ['请看https://example.com这里', 'https://example.com'],
    ['انظر https://example.com/aهنا', 'https://example.com/a'],
    ['https://example.com/café', 'https://example.com/café'],
    ['https://müller.de/a', 'https://müller.de/a'],
    ['https://例え.jp/a', 'https://例え.jp/a'],
    ['https://example.com:8080/a?b=c#d-e', 'https://example.com:8080/a?b=c#d-e'],
    ['https://example.com/a-', 'https://example.com/a-'],
    ['at www.example.com/shop, today', 'www.example.com/shop'],
    ['mail ada@example.com.', 'ada@example.com'],
    ['mailto:ada+shop@example.co.uk', 'mailto:ada+shop@example.co.uk'],
    ['call +31 20 123 4567.', '+31 20 123 4567'],
    ['call +31 (0)20-123 45 67 now', '+31 (0)20-123 45 67'],
    ['call 020 123 4567', '020 123 4567'],
  ])('a link is found in the text %j', (text, link) => {
    expect(linksIn(text)).toEqual([link]);
  });

  test.each([
    'no link at all',
    'https://',
    'www.',
    'www.example',
    'a@b',
    '@ada and ada@',
    'order 0012',
    'on 05-11-2026 14:30',
    'NL91 ABNA 0417 1643 00',
    '192.168.0.1 and 1.0.0',
    '+1',
    'https://[broken',
  ])('no link is found in the text %j', (text) => {
    expect(linksIn(text)).toEqual([]);
  });

  test('links in a text lead to websites, email addresses and telephone numbers', () => {
    const text = 'www.example.com ada@example.com +31 (0)20 123 4567 https://example.com/a';
    expect(targetsIn(text)).toEqual([
      'http://www.example.com/',
      'mailto:ada@example.com',
      'tel:+31201234567',
      'https://example.com/a',
    ]);
  });

  test('the search for links leaves random texts unchanged', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        ...['https://', 'www.', 'a.b', '(', ')', '@', '+31', '0', ' ', '。', '看', 'é', '/', '\u202E', '*'],
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const parts = splitLinks(text);
        expect(parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')).toBe(text);
        for (const part of parts)
          if (typeof part !== 'string') expect(part.href).toMatch(/^(https?|mailto|tel):/);
      }),
    );
  });

  test('the search for links ends in time on hostile texts of 32,000 characters', () => {
    const hostile = ['a', 'a@', '0', '(', 'www.', 'https://(', '+1 ', ')', 'https://a.b/*', 'https://[/'];
    for (const one of hostile)
      expect(splitLinks(one.repeat(32_000 / one.length)).length).toBeLessThan(40_000);
  });
});

describe('a displayed address', () => {
  test.each([
    ['https://аррӏе.com/login', 'https://xn--80ak6aa92e.com/login'],
    ['https://paypal.com@evil.example/', 'https://evil.example/'],
    ['https://user:secret@example.com/a@b', 'https://example.com/a@b'],
    ['https://pаypal.com/', 'https://xn--pypal-4ve.com/'],
    ['https://ｇｏｏｇｌｅ.com/', 'https://google.com/'],
    ['https://müller.de/ä', 'https://müller.de/ä'],
    ['https://пример.рф/', 'https://пример.рф/'],
    ['https://日本語.jp/', 'https://日本語.jp/'],
    ['HTTPS://Example.COM/A', 'HTTPS://Example.COM/A'],
    ['www.example.com/a', 'www.example.com/a'],
    ['https://example.com:8080/a', 'https://example.com:8080/a'],
    ['https://example.com/invoice\u202Efdp.exe', 'https://example.com/invoicefdp.exe'],
  ])('the address %j is displayed as %j', (text, shown) => {
    expect(formatAddress(text)).toBe(shown);
  });
});
