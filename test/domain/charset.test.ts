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
