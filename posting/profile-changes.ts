import { profileEffects } from '../domain/effects/contact-effects.ts';
import type { ContactProfile } from '../store/conversations/contacts.ts';

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
