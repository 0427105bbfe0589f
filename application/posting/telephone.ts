import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';
import { MAX_PROFILE_CHARACTERS } from '../../domain/contact-profile.ts';
import { DomainError, invalidRequest, unprocessable } from '../../domain/errors.ts';

/** Each range begins at a multiple of 16. */
const OTHER_DIGITS = /[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/g;
const NUMBER = /^\+?[\d(][\d ()./-]*(?<=[\d)])$/;
const EXTENSION =
  /^[+\d(][\d ()./-]*\d[) ]*?[ ,;]*((?:ext|extn|extension|x|ｘ|×|#|~|,|;|доб|int|interno|anexo|ramal|toestel|doorkies(?:nr|nummer)?|durchwahl|dw|poste|apparat)[.:= ]*\d{1,9}#?)$/iu;

/**
 * Normalizes to current E.164 (spec 4.4). Throws DomainError `invalid_request` or `unprocessable`.
 */
export function parseTelephone(given: string, country: string | undefined, path: string): string {
  const text = given.length > MAX_PROFILE_CHARACTERS.telephone ? '' : plainText(given);
  const extension = EXTENSION.exec(text)?.[1];
  if (extension !== undefined) {
    throw unprocessable(
      `has the extension "${extension}", which does not identify a person; write the number alone`,
      path,
    );
  }
  if (!NUMBER.test(text)) {
    throw invalidRequest(path, 'must be a telephone number and nothing else, as in +31201234567');
  }
  return text.startsWith('+')
    ? requireCurrentNumber(parseNumber(text), { path })
    : nationalNumber(text, { country, path });
}

/** Returns possible numbers. A leading blank may be an unencoded `+`. */
export function expandTelephoneQuery(text: string, country: string | undefined): string[] {
  const international = `+${text.trim()}`;
  const readings = /^\s+\d/.test(text) ? [text, international] : [text];
  const numbers = readings.flatMap((reading) => readable(reading, country));
  const found = numbers.length > 0 ? numbers : readable(international, country);
  return [...new Set(found.flatMap((number) => [number, ...listOtherForms(number)]))];
}

/**
 * Returns the other form of an Argentine number: with or without the 9 that foreign callers dial.
 */
export function listOtherForms(number: string): string[] {
  const [, nine, rest] = /^\+54(9?)(\d{10})$/.exec(number) ?? [];
  return rest === undefined ? [] : [nine ? `+54${rest}` : `+549${rest}`];
}

function readable(text: string, country: string | undefined): string[] {
  try {
    return [parseTelephone(text, country, 'telephone')];
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

function plainText(given: string): string {
  return given
    .replace(/\p{Cf}/gu, '')
    .replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/[\p{Zs}\t]/gu, ' ')
    .replace(/\p{Pd}/gu, '-')
    .replaceAll('\uff0b', '+')
    .replace(/[·•]/g, '.')
    .trim()
    .replace(/^tel: */i, '')
    .replace(/^\((\+\d+)\)/, '$1 ');
}

interface Reading {
  country?: string | undefined;
  path: string;
}

function nationalNumber(text: string, { country, path }: Reading): string {
  const abroad = /^0 ?0 ?[1-9]/.test(text) ? parseNumber(text.replace(/^0 ?0/, '+')) : undefined;
  if (country === undefined || !isSupportedCountry(country)) {
    if (abroad) return requireCurrentNumber(abroad, { path });
    throw unprocessable(
      'has no country code, and the organization has no country: write it as +31201234567, or give the organization a country',
      path,
    );
  }
  const number = parseNumber(text, country);
  if (!number?.isValid() && abroad?.isValid()) return abroad.number;
  if (number?.isValid() && isAmbiguous(text, number, country)) {
    throw unprocessable(
      `may be ${number.number} or +${toAsciiDigits(text)}: write it with + and its country code`,
      path,
    );
  }
  return requireCurrentNumber(number, { country, path });
}

/**
 * Returns whether the text may be another number without its `+`: the text begins with the
 * country's code, or lacks a leading 0 and is not a mobile number.
 */
function isAmbiguous(text: string, number: PhoneNumber, country: CountryCode): boolean {
  const digits = toAsciiDigits(text);
  const other = parseNumber(`+${digits}`);
  if (!other?.isValid() || other.number === number.number) return false;
  if (digits.startsWith(getCountryCallingCode(country))) return true;
  return !number.getType()?.includes('MOBILE') && number.nationalNumber === digits;
}

function requireCurrentNumber(number: PhoneNumber | undefined, { country, path }: Reading): string {
  const current = number && currentNumber(number.number);
  if (current !== undefined) return current;
  const read = country === undefined ? '' : `; without + it is read as a number of ${country}`;
  throw unprocessable(
    `is not a telephone number that can exist; write it with + and its country code, as in +31201234567${read}`,
    path,
  );
}

function parseNumber(text: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, { extract: false, ...(defaultCountry ? { defaultCountry } : {}) });
}

function toAsciiDigits(text: string): string {
  return text.replace(/\D/g, '');
}

type NumberRule = readonly (readonly [RegExp, string])[];

/** Old numbers are still in chat apps and address books. */
const RENUMBERED: NumberRule = [
  // Mexico 2019: no 1, no dialling prefixes.
  [/^\+52(?:1|01|044|045)(\d{10})$/, '+52$1'],
  // Cameroon 2014: 6 before mobile numbers, 2 before others.
  [/^\+237([5-9]\d{7})$/, '+2376$1'],
  [/^\+237([23]\d{7})$/, '+2372$1'],
  // Vietnam 2018: shorter mobile numbers.
  [/^\+84120(\d{7})$/, '+8470$1'],
  [/^\+84121(\d{7})$/, '+8479$1'],
  [/^\+84122(\d{7})$/, '+8477$1'],
  [/^\+8412([68])(\d{7})$/, '+847$1$2'],
  [/^\+8412([345])(\d{7})$/, '+848$1$2'],
  [/^\+84127(\d{7})$/, '+8481$1'],
  [/^\+84129(\d{7})$/, '+8482$1'],
  [/^\+8416([2-9])(\d{7})$/, '+843$1$2'],
  [/^\+8418([68])(\d{7})$/, '+845$1$2'],
  [/^\+84199(\d{7})$/, '+8459$1'],
  // Ivory Coast 2021: two digits per operator.
  [/^\+225([04-9][0-3]\d{6})$/, '+22501$1'],
  [/^\+225([04-9][4-6]\d{6})$/, '+22505$1'],
  [/^\+225([04-9][7-9]\d{6})$/, '+22507$1'],
  [/^\+225(2\d8\d{5})$/, '+22521$1'],
  [/^\+225([23]\d0\d{5})$/, '+22525$1'],
  [/^\+225([23]\d{7})$/, '+22527$1'],
  // Benin 2024: 01 before all.
  [/^\+229([2-9]\d{7})$/, '+22901$1'],
];

/** The library still accepts these numbers. */
const SUPERSEDED: NumberRule = [
  // Brazil 2012: 9 before mobile numbers.
  [/^\+55(\d{2})([6-9]\d{7})$/, '+55$19$2'],
  // Gabon 2019: two digits per operator.
  [/^\+2410?1(\d{6})$/, '+24111$1'],
  [/^\+2410?2(\d{6})$/, '+24162$1'],
  [/^\+2410?4(\d{6})$/, '+24174$1'],
  [/^\+2410?5(\d{6})$/, '+24165$1'],
  [/^\+2410?6(\d{6})$/, '+24166$1'],
  [/^\+2410?7(\d{6})$/, '+24177$1'],
  [/^\+2410.*$/, ''],
];

/** Returns undefined for a number that was never valid. */
function currentNumber(number: string): string | undefined {
  const settled = applyRenumbering(number, SUPERSEDED);
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
