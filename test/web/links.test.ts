import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAddress, namesOtherHost, splitLinks } from '../../web/components/links.ts';

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
    ["mail o'brien@example.com", "o'brien@example.com"],
    ["'ada@example.com'", 'ada@example.com'],
    ['a/b@example.com', 'a/b@example.com'],
    ['ada@mail.straße.de', 'ada@mail.straße.de'],
    ['sales@sub.exämple.com now', 'sales@sub.exämple.com'],
    ['ada@mail.example.рф', 'ada@mail.example.рф'],
    ['https://a.example/x—and', 'https://a.example/x'],
    ['https://a.example/a,b', 'https://a.example/a,b'],
    ['call (415) 555-2671 or', '(415) 555-2671'],
    ['call 555-123-4567', '555-123-4567'],
    ['01 23 45 67 89', '01 23 45 67 89'],
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
    'günter@example.com',
    'o’brien@example.com',
    'o´brien@example.com',
    'éric.martin@example.com',
    'иван.petrov@example.com',
    'ada@example.com@evil.example',
    'ada@example.comです',
    'a\u200Bda@example.com',
    `${'x'.repeat(70)}@example.com`,
    '0.123456789',
    '0 10 20 30 40 50',
    '05/11/26 0900',
    'order 0123456789012',
    'id 123-456-789-0123',
    'order #0123456789',
  ])('no link is found in the text %j', (text) => {
    expect(linksIn(text)).toEqual([]);
  });

  test('two URLs with a comma between are two links', () => {
    expect(linksIn('https://a.example,https://b.example/x,www.c.example')).toEqual([
      'https://a.example',
      'https://b.example/x',
      'www.c.example',
    ]);
  });

  test('a mail link is a whole address of the text, whatever the letters', () => {
    const letter = fc.constantFrom(...Array.from("abéßиあ9.'’/+-_´`@\u200B"));
    const part = fc.array(letter, { maxLength: 8 }).map((letters) => `a${letters.join('')}z`);
    const gap = fc.constantFrom(' ', '\n', ' (', ') ', '<', '>', ', ', '; ', '"', '“', '”', '。');
    const address = fc
      .tuple(part, part, fc.constantFrom('.com', '.рф', '.de.', ''))
      .map(([a, b, c]) => `${a}@${b}${c}`);
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, address)), (pairs) => {
        const text = pairs.map((pair) => pair.join('')).join('');
        const whole = new Set(pairs.map(([, one]) => one.replace(/[.,;]+$/, '')));
        for (const part of splitLinks(text)) {
          if (typeof part === 'string' || !part.href.startsWith('mailto:')) continue;
          expect(part.href).toBe(`mailto:${part.text}`);
          const rest = [...whole]
            .filter((one) => one.startsWith(part.text))
            .map((one) => one.slice(part.text.length));
          expect(
            rest.some((end) => !/^[\p{L}\p{N}\p{M}@_\u200B]/u.test(end)),
            part.text,
          ).toBe(true);
        }
      }),
    );
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

describe('the text of a link', () => {
  const evil = 'https://evil.example/login';

  test.each([
    ['paypal.com', evil],
    ['Go to https://paypal.com now', evil],
    ['https://paypal.com', evil],
    ['evil.example.com', evil],
    ['notevil.example', evil],
    ['PayPal.com/login', evil],
    ['b\u00FCcher.example', evil],
  ])('the text %j names another host than %s', (text, href) => expect(namesOtherHost(text, href)).toBe(true));

  test.each([
    ['To the shop', 'https://shop.example/'],
    ['shop.example', 'https://www.shop.example/'],
    ['www.shop.example', 'https://shop.example/'],
    ['https://shop.example/a', 'https://shop.example:8443/b'],
    ['Version 2.10', 'https://shop.example/'],
    ['b\u00FCcher.example', 'https://xn--bcher-kva.example/'],
    ['ada@example.com', 'mailto:ada@example.com'],
  ])('the text %j names no other host than %s', (text, href) =>
    expect(namesOtherHost(text, href)).toBe(false),
  );
});
