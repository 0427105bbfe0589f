import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../application/expressions/process/engine.ts';
import { toFault } from '../../../application/expressions/process/fault.ts';

const BODY = JSON.stringify({ at: '2026-12-04T09:30:00Z', long: '820982911946154508.25' });

/** Writes the spaces of `Intl`, which differ by version, as ordinary spaces. */
async function result(text: string): Promise<unknown> {
  const json = await evaluate(text, { body: BODY }, () => Promise.resolve(undefined));
  return json === undefined ? undefined : JSON.parse(json.replace(/[\u00a0\u202f]/g, ' '));
}

async function refusal(text: string): Promise<string> {
  return result(text).then(
    () => 'no fault',
    (error: unknown) => {
      const { message, place } = toFault(error, text);
      return `${message} (${place})`;
    },
  );
}

/** Spec 8.10. */
describe('dates and money in expressions', () => {
  test.each([
    ['$formatDate(at, "nl", "Europe/Amsterdam")', '4 december 2026'],
    ['$formatDate($toMillis(at), "de", "UTC")', '4. Dezember 2026'],
    ['$formatDate(at, "nl", "Europe/Amsterdam", {"timeStyle": "short"})', '10:30'],
    ['$formatDate("2026-07-04T09:30:00Z", "nl", "Europe/Amsterdam", {"timeStyle": "short"})', '11:30'],
    ['$formatDate("2026-12-31T23:30:00Z", "en", "Asia/Tokyo", {"year": "numeric"})', '2027'],
    [
      '$formatDate(at, "nl-BE", "UTC", {"weekday": "long", "day": "numeric", "month": "long"})',
      'vrijdag 4 december',
    ],
    ['at ~> $formatDate("en", "UTC")', 'December 4, 2026'],
    ['$formatMoney(1234.5, "EUR", "nl")', '€ 1.234,50'],
    ['$formatMoney(1234.5, "eur", "de")', '1.234,50 €'],
    ['$formatMoney(1200, "JPY", "en")', '¥1,200'],
    ['$formatMoney(1, "EUR", "de_AT.UTF-8")', '€ 1,00'],
    ['$formatMoney("12.5", "USD", "en-US")', '$12.50'],
    ['$formatMoney(long, "EUR", "nl")', '€ 820.982.911.946.154.508,25'],
    ['[$formatMoney(missing, "EUR", "nl"), $formatDate(missing, "nl", "UTC")]', []],
  ])('%s is %j', async (text, expected) => {
    expect(await result(text)).toEqual(expected);
  });

  test.each([
    ['$formatDate(at, "xx-nowhere", "UTC")', /no locale "xx-nowhere".*in \$formatDate, line 1, column 1/],
    ['$formatDate(at, "not a locale", "UTC")', /no locale "not a locale"/],
    ['$formatDate(at)', /The locale is missing/],
    ['$formatDate(at, "nl")', /no time zone without a value/],
    ['$formatDate(at, "nl", "Europe/Amsterdm")', /no time zone "Europe\/Amsterdm"/],
    ['$formatDate(at, "nl", "+02:00")', /no time zone "\+02:00"/],
    ['$formatDate("soon", "nl", "UTC")', /^The time "soon" is not ISO 8601, as in 2026-12-04T09:30:00Z/],
    ['$formatDate("2026-02-31", "nl", "UTC")', /The time "2026-02-31" does not exist/],
    ['$formatDate(true, "nl", "UTC")', /The time must be a number of milliseconds/],
    ['$formatDate(9e15, "nl", "UTC")', /The time must be a number of milliseconds/],
    ['$formatDate(at, "nl", "UTC", {"dateStyle": "huge"})', /options do not fit/],
    ['$formatDate(at, "nl", "UTC", {"localeMatcher": "x"})', /no option "localeMatcher"/],
    ['$formatDate(at, "nl", "UTC", "long")', /options must be an object/],
    ['$formatMoney(1, "XXY", "nl")', /no currency "XXY"/],
    ['$formatMoney(1, "€", "nl")', /no currency "€"/],
    ['$formatMoney("a lot", "EUR", "nl")', /amount must be a number/],
    ['$formatMoney(1, "EUR", "zz")', /no locale "zz"/],
    ['$formatMoney(1, $pad("", 100000, "x"), "nl")', /no currency "x{60}…"/],
  ])('%s fails with the reason and the place', async (text, expected) => {
    expect(await refusal(text)).toMatch(expected);
  });

  test('an expression cannot change a date or money function for the next expression', async () => {
    await result('$formatMoney ~> |$|{"a": 1}|').catch(() => undefined);
    expect(await result('$formatMoney(1, "EUR", "nl")')).toBe('€ 1,00');
  });
});
