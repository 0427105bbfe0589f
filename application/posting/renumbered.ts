import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

type NumberRule = readonly (readonly [RegExp, string])[];

/** Chat apps and address books still have the old numbers. */
const RENUMBERED: NumberRule = [
  // Mexico dropped the 1 and the dialling prefixes in 2019.
  [/^\+52(?:1|01|044|045)(\d{10})$/, '+52$1'],
  // Brazil prefixed mobile numbers with 9 from 2012 on.
  [/^\+55(\d{2})([6-9]\d{7})$/, '+55$19$2'],
  // Cameroon prefixed mobile numbers with 6, others with 2, in 2014.
  [/^\+237([5-9]\d{7})$/, '+2376$1'],
  [/^\+237([23]\d{7})$/, '+2372$1'],
  // Vietnam shortened mobile numbers in 2018.
  [/^\+84120(\d{7})$/, '+8470$1'],
  [/^\+84121(\d{7})$/, '+8479$1'],
  [/^\+8412([268])(\d{7})$/, '+847$1$2'],
  [/^\+8412([345])(\d{7})$/, '+848$1$2'],
  [/^\+84127(\d{7})$/, '+8481$1'],
  [/^\+84129(\d{7})$/, '+8482$1'],
  [/^\+8416([2-9])(\d{7})$/, '+843$1$2'],
  [/^\+8418([68])(\d{7})$/, '+845$1$2'],
  [/^\+84199(\d{7})$/, '+8459$1'],
  // Ivory Coast prefixed two digits per operator in 2021.
  [/^\+225([04-9][0-3]\d{6})$/, '+22501$1'],
  [/^\+225([04-9][4-6]\d{6})$/, '+22505$1'],
  [/^\+225([04-9][7-9]\d{6})$/, '+22507$1'],
  [/^\+225(2\d8\d{5})$/, '+22521$1'],
  [/^\+225([23]\d0\d{5})$/, '+22525$1'],
  [/^\+225([23]\d{7})$/, '+22527$1'],
  // Benin prefixed 01 in 2024.
  [/^\+229([2-9]\d{7})$/, '+22901$1'],
];

/**
 * Gabon renumbered in 2019. The library still accepts old numbers: map them first, so that a
 * telephone has one number.
 */
const GABON: NumberRule = [
  [/^\+24101(\d{6})$/, '+24111$1'],
  [/^\+24102(\d{6})$/, '+24162$1'],
  [/^\+24104(\d{6})$/, '+24174$1'],
  [/^\+24105(\d{6})$/, '+24165$1'],
  [/^\+24106(\d{6})$/, '+24166$1'],
  [/^\+24107(\d{6})$/, '+24177$1'],
  [/^\+2410.*$/, ''],
];

/** Maps an E.164 number to its current number. Undefined if it was never valid. */
export function currentNumber(number: string): string | undefined {
  const settled = applyRenumbering(number, GABON);
  if (settled !== undefined) return validNumber(settled);
  return validNumber(number) ?? validNumber(applyRenumbering(number, RENUMBERED) ?? '');
}

function applyRenumbering(number: string, table: NumberRule): string | undefined {
  const [before, now] = table.find(([pattern]) => pattern.test(number)) ?? [];
  return before && now !== undefined ? number.replace(before, now) : undefined;
}

function validNumber(number: string): string | undefined {
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  return parsed?.isValid() ? parsed.number : undefined;
}
