import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';
import { MAX_PROFILE_CHARACTERS } from '../../domain/contact-profile.ts';
import { DomainError, invalidRequest, unprocessable } from '../../domain/errors.ts';
import { currentNumber } from './renumbered.ts';
import { isBlank } from '../../domain/characters.ts';
import type { ContactProfile } from '../../store/conversations/contacts.ts';

/** Each range begins at a multiple of 16. */
const OTHER_DIGITS = /[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/g;
const NUMBER = /^\+?[\d(][\d ()./-]*(?<=[\d)])$/;
const EXTENSION =
  /^[+\d(][\d ()./-]*\d[) ]*?[ ,;]*((?:ext|extn|extension|x|ｘ|×|#|~|,|;|доб|int|interno|anexo|ramal|toestel|doorkies(?:nr|nummer)?|durchwahl|dw|poste|apparat)[.:= ]*\d{1,9}#?)$/iu;

/**
 * Normalizes to current E.164 (spec 4.4). Throws DomainError `invalid_request` for a text that is
 * not a number, `unprocessable` for an impossible or ambiguous number or an extension.
 */
export function parseTelephone(given: string, country: string | undefined, path: string): string {
  const text = given.length > MAX_PROFILE_CHARACTERS.telephone ? '' : plainText(given);
  const extension = EXTENSION.exec(text)?.[1];
  if (extension !== undefined) {
    throw unprocessable(
      `has the extension "${extension}", and people behind one number are not told apart by it; write the number alone`,
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

/** Returns all normalized readings, maybe none. A leading blank may be an unencoded `+`. */
export function expandTelephoneQuery(text: string, country: string | undefined): string[] {
  const international = `+${text.trim()}`;
  const readings = /^\s+\d/.test(text) ? [text, international] : [text];
  const numbers = readings.flatMap((reading) => readable(reading, country));
  const found = numbers.length > 0 ? numbers : readable(international, country);
  return [...new Set(found.flatMap((number) => [number, ...listOtherForms(number)]))];
}

/**
 * Returns the other form of a mobile number in Argentina: with or without the 9 that foreign
 * callers dial.
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

/** Removes formatting of address books and web pages. */
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
 * Returns whether the digits are another valid number with `+`, and begin with the country's code
 * or lack its leading 0. Mobile numbers often lack it.
 */
function isAmbiguous(text: string, number: PhoneNumber, country: CountryCode): boolean {
  const digits = toAsciiDigits(text);
  const other = parseNumber(`+${digits}`);
  if (!other?.isValid() || other.number === number.number) return false;
  if (digits.startsWith(getCountryCallingCode(country))) return true;
  return !number.getType()?.includes('MOBILE') && toAsciiDigits(number.formatNational()) === `0${digits}`;
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

/** Removes blank texts: web forms send them for empty fields, which count as absent (spec 5.7). */
export function withoutBlanks<T extends object>(fields: T): T {
  const given = Object.entries(fields).filter(([, value]) => typeof value !== 'string' || !isBlank(value));
  return Object.fromEntries(given) as T;
}

export function profileWithoutBlanks({ address, ...fields }: ContactProfile): ContactProfile {
  const parts = withoutBlanks(address ?? {});
  return { ...withoutBlanks(fields), ...(Object.keys(parts).length > 0 ? { address: parts } : {}) };
}
