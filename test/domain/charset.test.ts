import { expect, test } from 'vitest';
import { findCharset, decodeLossy, decodeText } from '../../domain/charset.ts';

// Bytes that are invalid in UTF-8, each of which is a character in windows-1252.
const BYTES = Buffer.from([0x80, 0x93, 0x99, 0x9f, 0xe9]);

test.each([
  'windows-1252',
  'CP1252',
  'x-cp1252',
  'latin1',
  'l1',
  'ISO-8859-1',
  'iso_8859-1',
  'ascii',
  'US-ASCII',
])('a text declared as %s is decoded as windows-1252 unless its bytes are valid UTF-8', (label) => {
  expect(findCharset(label)).toBe('windows-1252');
  expect(decodeText(BYTES, label)).toBe('€“™Ÿé');
  expect(decodeLossy(BYTES, label)).toBe('€“™Ÿé');
  expect(decodeText(Buffer.from('€“é'), label)).toBe('€“é');
});

test.each([
  ['iso-8859-15', [0xa4, 0xe9], '€é'],
  ['windows-1251', [0xcf, 0xf0], 'Пр'],
  ['shift_jis', [0x93, 0xfa], '日'],
  ['utf-16', [0x41, 0x00, 0x93, 0x00], 'A\u0093'],
  ['utf-8', [0xc2, 0x93], '\u0093'],
])('a text in %s is decoded as the Encoding Standard defines', (label, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes), label)).toBe(text);
});

test('an unknown charset and bytes that are invalid in UTF-8 are refused, and decodeLossy replaces such bytes', () => {
  expect(findCharset('klingon')).toBeNull();
  expect(decodeText(BYTES, 'utf-8')).toBeNull();
  expect(decodeLossy(BYTES.subarray(0, 1), 'utf-8')).toBe('\ufffd');
});

const LABELS = [
  ...['ibm866', 'koi8-r', 'koi8-u', 'macintosh', 'windows-874', 'x-mac-cyrillic', 'gbk', 'gb18030', 'big5'],
  ...['euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr', 'utf-16be', 'utf-16le'],
  ...[2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15].map((part) => `iso-8859-${part}`),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((page) => `windows-125${page}`),
];
const EVERY_BYTE = Array.from({ length: 256 }, (_, byte) => Buffer.alloc(16_384, byte));

/** Returns the CPU time of the fastest of three runs. */
function cpuMs(run: () => void): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

test.each(LABELS)(
  'a body in %s costs at most three times as much as UTF-8, whatever its bytes are',
  (label) => {
    const utf8 = EVERY_BYTE.map(() => Buffer.from('é'.repeat(8_192)));
    const inUtf8 = cpuMs(() => utf8.forEach((bytes) => decodeText(bytes, 'utf-8')));
    const inLabel = cpuMs(() => EVERY_BYTE.forEach((bytes) => decodeText(bytes, label)));
    expect(inLabel).toBeLessThan(3 * inUtf8);
  },
);
