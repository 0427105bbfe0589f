import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CountryCode } from 'libphonenumber-js/max';
import { profileEffects } from '../domain/effects/contact-effects.ts';
import { checkedEmail } from '../domain/email.ts';
import { refuseUnsafe } from '../domain/free-form.ts';
import { unprocessable } from '../domain/refusal.ts';
import type { ContactProfile } from '../store/conversations/contacts.ts';

/**
 * A profile in the form it is stored in: email trimmed and lower-cased, telephone E.164 with
 * `country` (two letters) as default region (spec 4.4). Throws DomainError: `invalid_request` for a
 * malformed email or key, `unprocessable` for a number that cannot be parsed or cannot exist.
 */
export function normalProfile(
  profile: ContactProfile,
  { country, path = 'profile' }: { country?: string | undefined; path?: string },
): ContactProfile {
  const { email, telephone, address } = profile;
  if (address) refuseUnsafe(address, `${path}.address`);
  return {
    ...profile,
    ...(email === undefined ? {} : { email: checkedEmail(email, `${path}.email`) }),
    ...(telephone === undefined
      ? {}
      : { telephone: profileTelephone(telephone, country, `${path}.telephone`) }),
  };
}

/**
 * The fields that `given` sets to something else than is `stored`, by dotted path. What it does not
 * name stays. Throws DomainError `unprocessable` where the address would have more fields than it
 * may.
 */
export function changedPaths(stored: ContactProfile, given: ContactProfile): Record<string, string> {
  const { address = {}, ...fields } = given;
  const parts = Object.entries(address).map(([part, value]) => [`address.${part}`, value] as const);
  const effects = profileEffects({ ...stored }, Object.fromEntries([...Object.entries(fields), ...parts]));
  return Object.fromEntries(effects.map(({ field, value }) => [field, value]));
}

/**
 * A telephone number as a profile stores it: E.164, as the numbering plan of its country has it
 * now.
 */
export function profileTelephone(text: string, country: string | undefined, path: string): string {
  const number = parsePhoneNumberFromString(text, country as CountryCode | undefined);
  if (!number && country === undefined && !text.trim().startsWith('+')) {
    throw unprocessable(
      'has no country code, and the organization has no country: write it as +31201234567, or give the organization a country',
      path,
    );
  }
  if (!number) throw unprocessable(cannotExist(country), path);
  if (number.isValid()) return number.number;
  const renumbered = currentNumber(number.number);
  if (!renumbered) throw unprocessable(cannotExist(country), path);
  return renumbered;
}

function cannotExist(country: string | undefined): string {
  const read = country === undefined ? '' : `; without + it is read as a number of ${country}`;
  return `is not a telephone number that can exist; write it with + and its country code, as in +31201234567${read}`;
}

/**
 * Numbers as chat apps still know those who came before their country renumbered its mobile
 * telephones, and the same person's number now: Mexico dropped the 1 (and what was dialled instead
 * of it) in 2019, Brazil put a 9 in front from 2012 on.
 */
const RENUMBERED: readonly (readonly [RegExp, string])[] = [
  [/^\+52(?:1|01|044|045)(\d{10})$/, '+52$1'],
  [/^\+55(\d{2})([6-9]\d{7})$/, '+55$19$2'],
];

/**
 * What an E.164 number that no longer exists has become; undefined where it never can have existed.
 */
function currentNumber(number: string): string | undefined {
  const [pattern, now] = RENUMBERED.find(([before]) => before.test(number)) ?? [];
  if (!pattern || now === undefined) return undefined;
  const current = parsePhoneNumberFromString(number.replace(pattern, now));
  return current?.isValid() ? current.number : undefined;
}
