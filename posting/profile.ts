import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CountryCode } from 'libphonenumber-js/max';
import { checkedEmail } from '../domain/email.ts';
import { refuseUnsafe } from '../domain/free-form.ts';
import { unprocessable } from '../domain/refusal.ts';
import type { ContactProfile } from '../store/contacts.ts';

/**
 * A profile in the form it is stored in: email trimmed and lower-cased, telephone E.164 with `country` (two letters) as default region
 * (contract 4). Throws DomainError: `invalid_request` for a malformed email or key, `unprocessable` for a number that cannot be parsed or cannot exist.
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

/** A telephone number as a profile stores it: E.164. */
export function profileTelephone(text: string, country: string | undefined, path: string): string {
  const number = parsePhoneNumberFromString(text, country as CountryCode | undefined);
  if (!number?.isValid()) throw unprocessable('is not a telephone number that can exist', path);
  return number.number;
}
