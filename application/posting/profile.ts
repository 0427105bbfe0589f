import { profileEffects } from '../../domain/effects/contact-effects.ts';
import { parseEmail } from '../../domain/email.ts';
import { assertSafeKeys } from '../../domain/free-form.ts';
import type { ContactProfile } from '../../store/conversations/contacts.ts';
import { parseTelephone } from './telephone.ts';

interface ProfileContext {
  country?: string | undefined;
  path?: string;
  /** The profile to replace: equal values are not validated again. */
  stored?: ContactProfile;
}

/**
 * Normalizes email and telephone. `country` (two letters) applies without a country code (spec
 * 4.4). Throws as `parseEmail` and `parseTelephone`, and DomainError `invalid_request` for an
 * unsafe key.
 */
export function normalProfile(
  profile: ContactProfile,
  { country, path = 'profile', stored = {} }: ProfileContext,
): ContactProfile {
  const { email, telephone, address } = profile;
  if (address) assertSafeKeys(address, `${path}.address`);
  return {
    ...profile,
    ...(email === undefined || email === stored.email ? {} : { email: parseEmail(email, `${path}.email`) }),
    ...(telephone === undefined || telephone === stored.telephone
      ? {}
      : { telephone: parseTelephone(telephone, country, `${path}.telephone`) }),
  };
}

/**
 * Returns changed fields by dotted path. Throws DomainError `unprocessable` for too many address
 * fields.
 */
export function changedPaths(stored: ContactProfile, given: ContactProfile): Record<string, string> {
  const { address = {}, ...fields } = given;
  const parts = Object.entries(address).map(([part, value]) => [`address.${part}`, value] as const);
  const effects = profileEffects({ ...stored }, Object.fromEntries([...Object.entries(fields), ...parts]));
  return Object.fromEntries(effects.map(({ field, value }) => [field, value]));
}
