import { describe, expect, test } from 'vitest';
import { getInitials, summarizeNews } from '../../web/components/shown-text.ts';

describe('initials', () => {
  test.each([
    ['Ada Lovelace', 'AL'],
    ['Anna Maria Schmidt', 'AS'],
    ['ada', 'A'],
    ['\u{1F468}\u200D\u{1F469}\u200D\u{1F467} Team', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}T'],
    ['\u{1F1F3}\u{1F1F1} Desk', '\u{1F1F3}\u{1F1F1}D'],
    ['E\u0301mile Zola', '\u00C9Z'],
    ['Dr. Grace Hopper', 'GH'],
    ['Prof. Dr. Lise Meitner', 'LM'],
    ['Dr.', 'D'],
    ['Vincent van Gogh', 'VG'],
    ['ludwig van beethoven', 'LB'],
    ['\u5C71\u7530\u592A\u90CE', '\u5C71'],
    ['\u5C71\u7530 \u592A\u90CE', '\u5C71\u592A'],
    ['(Support) Team', 'ST'],
    ['\u00DFeta', '\u00DF'],
    ['ada@example.com', 'A'],
    ['\u202Efdp Ada', 'A'],
    ['Desk 42', 'D'],
    ['J. R. Tolkien', 'JT'],
    ['\u0928\u093F\u0927\u093F \u0930\u093E\u0935', '\u0928\u093F\u0930\u093E'],
    ['Lovelace, Ada', 'AL'],
    ['ada.lovelace@example.com', 'AL'],
    ['Ada Lovelace <ada@example.com>', 'AL'],
    ['<ada@example.com>', 'A'],
    ['Bakery Smith Ltd', 'BS'],
    ['M\u00FCller & S\u00F6hne GmbH', 'MS'],
    ['Acme, Inc.', 'A'],
    ['Smith, Jones & Partners', 'SP'],
    ['John Smith Jr.', 'JS'],
    ['Shop B.V.', 'S'],
    ["Sin\u00E9ad O'Connor", 'SO'],
    ['Jean-Luc Picard', 'JP'],
    ['\u10D2\u10D8\u10DD\u10E0\u10D2\u10D8', '\u10D2'],
    ['\u05E9\u05E8\u05D4 \u05DB\u05D4\u05DF', '\u05E9\u05DB'],
    ['Visitor from Berlin, 14:05', 'VB'],
    ['Visitor, 02:05 PM', 'V'],
    ['\u{1F642}', '\u{1F642}'],
    ['', ''],
    ['+31 612', ''],
  ])('%s has the initials %s', (name, initials) => expect(getInitials(name)).toBe(initials));
});

describe('a notification', () => {
  const message = (fields: object) =>
    ({ id: 'm', slug: 'm', text: '', type: 'chat', at: '', ...fields }) as Parameters<
      typeof summarizeNews
    >[0];
  const read = (fields: object) => summarizeNews(message(fields), { picture: 'Picture', file: 'File' });
  const media = (name: string, type: string) => ({ name, type, bytes: 1 });

  test.each<[object, string | undefined]>([
    [{ text: 'Good morning' }, 'Good morning'],
    [{ text: 'Good\n\n  morning' }, 'Good morning'],
    [{ text: '<p>Tom &amp; <b>Ada</b></p>', contentType: 'text/html' }, 'Tom & Ada'],
    [{ text: '<img src="https://a.example/b.png">', contentType: 'text/html' }, 'Picture'],
    [{ text: 'https://a.example/b.png', contentType: 'image/png' }, 'Picture'],
    [{ text: 'https://a.example/f/x', media: media('IMG_0417.jpg', 'image/jpeg') }, 'Picture'],
    [{ text: 'https://a.example/f/x', media: media('offer.pdf', 'application/pdf') }, 'offer.pdf'],
    [{ text: 'https://a.example/offer', contentType: 'application/pdf' }, 'File'],
    [{ type: 'card', items: [{ title: 'Small car' }] }, 'Small car'],
    [{ actions: [{ type: 'reply', text: 'Yes', payload: 'y' }] }, 'Yes'],
    [{ text: '\u{1F389}' }, '\u{1F389}'],
    [{ text: '\u05E9\u05DC\u05D5\u05DD' }, '\u05E9\u05DC\u05D5\u05DD'],
    [{ text: 'invoice-\u202Efdp.exe' }, 'invoice-fdp.exe'],
    [{ text: '\u3164' }, undefined],
  ])('the message %j is read out as %j', (fields, line) => expect(read(fields)).toBe(line));

  test('the notification of a long text ends with an ellipsis and a whole character', () => {
    expect(read({ text: '\u{1F389}'.repeat(300) })).toBe(`${'\u{1F389}'.repeat(199)}\u2026`);
  });
});
