import { isBlank } from '../../domain/blank.ts';
import type { ContactProfile } from '../../store/conversations/contacts.ts';

/**
 * Returns the fields without texts that show nothing: a web form sends an empty text for each field
 * that was not filled in, which counts as absent (spec 5.7).
 */
export function withoutBlanks<T extends object>(fields: T): T {
  const given = Object.entries(fields).filter(([, value]) => typeof value !== 'string' || !isBlank(value));
  return Object.fromEntries(given) as T;
}

/** Returns a profile without texts that show nothing, also within its address. */
export function profileWithoutBlanks({ address, ...fields }: ContactProfile): ContactProfile {
  const parts = withoutBlanks(address ?? {});
  return { ...withoutBlanks(fields), ...(Object.keys(parts).length > 0 ? { address: parts } : {}) };
}
