import type { ContactProfile } from '../store/contacts.ts';

/** The fields that `given` sets to something else than is `stored`, by dotted path. What it does not name stays. */
export function changedPaths(stored: ContactProfile, given: ContactProfile): Record<string, string> {
  const before = paths(stored);
  const changed = [...paths(given)].filter(([path, value]) => before.get(path) !== value);
  return Object.fromEntries(changed);
}

function paths({ address = {}, ...fields }: ContactProfile): Map<string, string> {
  const parts = Object.entries(address).map(([part, value]) => [`address.${part}`, value] as const);
  return new Map([...Object.entries(fields as Record<string, string>), ...parts]);
}
