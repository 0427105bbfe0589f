import { profileEffects } from '../../domain/effects/contact-effects.ts';
import { parseEmail } from '../../domain/email.ts';
import { assertSafeKeys } from '../../domain/free-form.ts';
import type { ContactProfile } from '../../store/conversations/contacts.ts';
import { parseTelephone } from './telephone.ts';

interface ProfileContext {
  country?: string | undefined;
  path?: string;
  /** The profile that is replaced. An email or telephone that stays is not checked again. */
  stored?: ContactProfile;
}

/**
 * Returns a profile with its email and telephone in the form in which they are stored.
 * `country` (two letters) is the region of a number without country code (spec 4.4). Throws
 * DomainError as `checkedEmail` and `checkedTelephone` do, and `invalid_request` for an unsafe key
 * of the address.
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
