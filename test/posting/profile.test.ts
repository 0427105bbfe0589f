import { expect, test } from 'vitest';
import { profileTelephone } from '../../posting/profile.ts';

test.each([
  ['+5215512345678', undefined, '+525512345678'],
  ['+52 1 55 1234 5678', undefined, '+525512345678'],
  ['+52 55 1234 5678', undefined, '+525512345678'],
  ['1 55 1234 5678', 'MX', '+525512345678'],
  ['044 55 1234 5678', 'MX', '+525512345678'],
  ['55 1234 5678', 'MX', '+525512345678'],
  ['+553181234567', undefined, '+5531981234567'],
  ['+5531981234567', undefined, '+5531981234567'],
  ['+551141234567', undefined, '+551141234567'],
  ['020 624 1111', 'NL', '+31206241111'],
])('%s is stored as the number that it is today', (text, country, expected) => {
  expect(profileTelephone(text, country, 'telephone')).toBe(expected);
});

test.each(['+521551234567', '+52155123456789', '+5210000000000', '+521', '+550181234567', '+1 000', 'x'])(
  '%s is refused: it never was a number',
  (text) => {
    expect(() => profileTelephone(text, undefined, 'telephone')).toThrow(
      expect.objectContaining({ code: 'unprocessable' }),
    );
  },
);
