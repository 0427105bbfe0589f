import { describe, expect, test } from 'vitest';
import {
  parseTelephone,
  listOtherForms,
  expandTelephoneQuery,
} from '../../../application/posting/telephone.ts';

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
  ['+22507010203', undefined, '+2250707010203'],
  ['07 01 02 03', 'CI', '+2250707010203'],
  ['+22541234567', undefined, '+2250141234567'],
  ['+22520212345', undefined, '+2252720212345'],
  ['+22997123456', undefined, '+2290197123456'],
  ['+84 120 123 4567', undefined, '+84701234567'],
  ['+84 162 123 4567', undefined, '+84321234567'],
  ['0129 123 4567', 'VN', '+84821234567'],
  ['+84 122 234 5678', undefined, '+84772345678'],
  ['0122 234 5678', 'VN', '+84772345678'],
  ['0126 234 5678', 'VN', '+84762345678'],
  ['+241 6 03 12 34', undefined, '+24166031234'],
  ['6 03 12 34', 'GA', '+24166031234'],
  ['+241 7 12 34 56', undefined, '+24177123456'],
  ['+55 11 7765 4321', undefined, '+5511977654321'],
  ['(11) 7765-4321', 'BR', '+5511977654321'],
  ['+23777123456', undefined, '+237677123456'],
  ['+23722212345', undefined, '+237222212345'],
  ['+24106031234', undefined, '+24166031234'],
  ['+24166031234', undefined, '+24166031234'],
  ['06 03 12 34', 'GA', '+24166031234'],
  ['066 03 12 34', 'GA', '+24166031234'],
  ['+241 01 44 12 34', undefined, '+24111441234'],
  ['020 624 1111', 'NL', '+31206241111'],
  ['+54 9 11 2345-6789', undefined, '+5491123456789'],
  ['+54 11 2345-6789', undefined, '+541123456789'],
])('the telephone number %s is normalized to its current form', (text, country, expected) => {
  expect(parseTelephone(text, country, 'telephone')).toBe(expected);
  expect(parseTelephone(expected, country, 'telephone')).toBe(expected);
});

test.each([
  ...[
    '+31612345678',
    '+31 (0)6 12345678',
    '(+31) 6 12345678',
    'tel:+31612345678',
    '\u202a+31612345678\u202c',
  ],
  ...[
    '+31\u00a06\u201112345678',
    '\uff0b31612345678',
    '00 31 6 12345678',
    '\u0660\u0666\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668',
  ],
  ...[' 06-12 34 56 78\n', '31612345678', '612345678'],
])('the telephone number %j is normalized to +31612345678', (text) => {
  expect(parseTelephone(text, 'NL', 'telephone')).toBe('+31612345678');
});

test('00 before a telephone number is read as +, both without a country and with the country US', () => {
  expect(parseTelephone('00 31 6 12345678', undefined, 'telephone')).toBe('+31612345678');
  expect(parseTelephone('0031612345678', 'US', 'telephone')).toBe('+31612345678');
});

const refusal = (text: string, country?: string) => {
  try {
    return parseTelephone(text, country, 'telephone');
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  }
};

test.each([
  '+521551234567',
  '+52155123456789',
  '+5210000000000',
  '+521',
  '+550181234567',
  '+1 000',
  '+24103031234',
  '12',
])('the text %s is rejected because it is neither a current nor a former telephone number', (text) => {
  expect(refusal(text)).toMatch(/^unprocessable /);
});

test.each([
  ...[
    'call me at +31612345678 please',
    '0612345678abc',
    '31612345678@c.us',
    '+31612345678 (mobile)',
    'x',
    '',
  ],
  ...[
    '+31612345678, +31687654321',
    '0612345678 / 0687654321 or later',
    '*21*0612345678#',
    '+31612345678.',
    '++31612345678',
  ],
  ...['1-800-FLOWERS', '+31612345678\n+31687654321', '+31 20 123 4567 (after 18:00)'],
])('the text %j is rejected because it is not a single telephone number without other text', (text) => {
  expect(refusal(text, 'NL')).toMatch(/^(invalid_request|unprocessable) /);
});

test.each([
  ...[
    'ext. 12',
    'ext 12',
    ';ext=12',
    'x12',
    ' x 12',
    '#12',
    ',12',
    ';12',
    'extension 12',
    ' доб. 12',
    ' toestel 12',
    '~12',
  ],
])(
  'a telephone number with the extension %j is rejected with a message that names the extension',
  (extension) => {
    const message = refusal(`+31 20 123 4567${extension}`);
    expect(message).toMatch(/^unprocessable .*extension ".*12"/);
  },
);

test.each<[string, string, string]>([
  ['491701234567', 'DE', '+491701234567'],
  ['4915112345678', 'DE', '+4915112345678'],
  ['33612345678', 'DE', '+33612345678'],
  ['447911123456', 'DE', '+447911123456'],
  ...['33612345678', '33 6 12 34 56 78', '34612345678', '351912345678', '355672123456'].map(
    (text): [string, string, string] => [text, 'IT', `+${text.replaceAll(' ', '')}`],
  ),
  ...['380671234567', '358412345678'].map((text): [string, string, string] => [text, 'IT', `+${text}`]),
  ...['33612345678', '32470123456', '33 3 87 12 34 56'].map((text): [string, string, string] => [
    text,
    'LU',
    `+${text.replaceAll(' ', '')}`,
  ]),
])(
  'the telephone number %s without + is rejected for the country %s because it has two readings',
  (text, country, other) => {
    expect(refusal(text, country)).toContain(other);
    expect(refusal(text, country)).toMatch(/^unprocessable .*write it with \+/);
  },
);

test.each([
  ['01701234567', 'DE', '+491701234567'],
  ['1701234567', 'DE', '+491701234567'],
  ['030 1234567', 'DE', '+49301234567'],
  ['2025550123', 'US', '+12025550123'],
  ['12025550123', 'US', '+12025550123'],
  ['13012345678', 'CN', '+8613012345678'],
  ['6588123456', 'IN', '+916588123456'],
  ['3931234567', 'IT', '+393931234567'],
  ['3471234567', 'IT', '+393471234567'],
  ['0612345678', 'IT', '+390612345678'],
  ['912345678', 'ES', '+34912345678'],
  ['221234567', 'PL', '+48221234567'],
  ['27123456', 'LU', '+35227123456'],
  ['390612345678', 'IT', '+390612345678'],
  ['8 916 123 45 67', 'RU', '+79161234567'],
  ['06 20 123 4567', 'HU', '+36201234567'],
  ['5511912345678', 'BR', '+5511912345678'],
])('the telephone number %s is read as a number of the country %s', (text, country, expected) => {
  expect(parseTelephone(text, country, 'telephone')).toBe(expected);
});

test('a text of 20,001 characters is rejected as a telephone number', () => {
  expect(refusal('1'.padEnd(20_000) + '1')).toMatch(/^invalid_request /);
});

describe('a telephone number in a query', () => {
  test.each([
    ['+31612345678', undefined, ['+31612345678']],
    [' 31612345678', undefined, ['+31612345678']],
    ['31612345678', undefined, ['+31612345678']],
    ['06 12 34 56 78', 'NL', ['+31612345678']],
    ['491701234567', 'DE', ['+491701234567']],
    ['+54 11 2345-6789', undefined, ['+541123456789', '+5491123456789']],
    ['nobody', 'NL', []],
  ])(
    'a query for the telephone number %j with the country %j matches the stored numbers %j',
    (text, country, expected) => {
      expect(expandTelephoneQuery(text, country)).toEqual(expected);
    },
  );

  test('a telephone number in Argentina has two forms, with and without 9 after +54, and a Dutch number has one', () => {
    expect(listOtherForms('+5491123456789')).toEqual(['+541123456789']);
    expect(listOtherForms('+541123456789')).toEqual(['+5491123456789']);
    expect(listOtherForms('+31612345678')).toEqual([]);
  });
});
