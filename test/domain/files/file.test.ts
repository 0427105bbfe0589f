import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  contentTypeOfFile,
  fileUrl,
  findFileKeys,
  isShownInline,
  parseFileUrl,
  safeFileName,
} from '../../../domain/files/file.ts';
import { readMedia } from '../../../domain/files/media.ts';
import { CONTENT_TYPES } from '../../../domain/messages/message.ts';

const KEY = 'k'.repeat(43);
const KEYS = fc.stringMatching(/^[\w-]{43}$/);

describe('names of files', () => {
  test.each([
    ['photo.jpg', 'photo.jpg'],
    ['C:\\fakepath\\photo.jpg', 'photo.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['.htaccess', 'htaccess'],
    ['a\u202egpj.exe', 'agpj.exe'],
    ['line\r\nbreak.txt', 'linebreak.txt'],
    ['a "quoted" <name>?.txt', 'a _quoted_ _name__.txt'],
    ['  spaced   out .txt', 'spaced out.txt'],
    ['résumé.pdf', 'résumé.pdf'],
    ['...', 'file.png'],
    ['', 'file.png'],
    ['\ud800', '\ufffd'],
  ])('the name %j is stored as %j', (given, stored) => {
    expect(safeFileName(given, 'png')).toBe(stored);
  });

  test('any name becomes 1 to 200 bytes without control characters and separators, and stays the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (given) => {
        const name = safeFileName(given, 'bin');
        const bytes = Buffer.byteLength(name);
        expect(bytes).toBeGreaterThan(0);
        expect(bytes).toBeLessThanOrEqual(200);
        expect(name).not.toMatch(/[\p{Cc}/\\"<>\u202a-\u202e]/u);
        expect(name).not.toMatch(/\p{Cs}/u);
        expect(safeFileName(name, 'bin')).toBe(name);
      }),
    );
  });

  test('a long name keeps its ending', () => {
    expect(safeFileName(`${'ü'.repeat(300)}.pdf`, 'bin')).toMatch(/^ü{98}\.pdf$/);
  });
});

describe('types of files', () => {
  test.each(['image/png', 'image/webp', 'audio/mpeg', 'video/mp4', 'application/pdf'])(
    '%s is shown in the browser',
    (type) => expect(isShownInline(type)).toBe(true),
  );

  test.each(['image/svg+xml', 'text/html', 'text/plain', 'application/xml', 'application/octet-stream', ''])(
    '%s is saved by the browser',
    (type) => expect(isShownInline(type)).toBe(false),
  );

  test('a file of another type than pictures and PDF of the specification has contentType text/url', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...CONTENT_TYPES)), (type) => {
        const isOfTheEight = [
          'image/png',
          'image/gif',
          'image/jpg',
          'image/jpeg',
          'application/pdf',
        ].includes(type);
        expect(contentTypeOfFile(type)).toBe(isOfTheEight ? type : 'text/url');
      }),
    );
  });
});

describe('addresses of files', () => {
  test('the address of a file gives its key back', () => {
    fc.assert(
      fc.property(KEYS, (key) => {
        const url = fileUrl('https://chat.example', key);
        expect(parseFileUrl(` ${url}\n`, 'https://chat.example')).toBe(key);
        expect(parseFileUrl(url, 'https://other.example')).toBeUndefined();
        expect(parseFileUrl(`${url}x`, 'https://chat.example')).toBeUndefined();
        expect(parseFileUrl(`see ${url}`, 'https://chat.example')).toBeUndefined();
      }),
    );
  });

  test('addresses are found in all parts of a message, each once', () => {
    const [one, two, three] = ['a', 'b', 'c'].map((letter) => letter.repeat(43));
    const message = {
      text: `<img src="https://chat.example/f/${one}">`,
      items: [{ title: 'x', mediaUrl: `https://chat.example/f/${two}` }],
      actions: [{ type: 'link', text: 'x', uri: `https://chat.example/f/${one}` }],
      meta: { deep: { url: `https://chat.example/f/${three}?x=1` } },
    };
    expect(findFileKeys(message)).toEqual([one, two, three]);
  });

  test('longer and shorter words are not keys', () => {
    expect(findFileKeys({ text: `/f/${KEY}k /f/${KEY.slice(1)} /g/${KEY}` })).toEqual([]);
  });
});

test('media is read only in its exact form', () => {
  const media = { name: 'a.mp3', type: 'audio/mpeg', bytes: 3 };
  expect(readMedia({ media: { ...media, more: 1 } })).toEqual(media);
  for (const other of [undefined, {}, { media: null }, { media: 'x' }, { media: { ...media, bytes: '3' } }]) {
    expect(readMedia(other)).toBeUndefined();
  }
});
