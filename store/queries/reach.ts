import { organizationContext, organizationModel } from '../records/organizations.ts';

/**
 * An organization and its descendants (spec 4.1). Finders for API requests take a reach, so no
 * request omits it.
 */
export interface Reach {
  organization: string;
  /** For scope guest: only this user's conversations and messages. */
  guest?: string;
}

export async function isWithinReach(reach: Reach, organization: string): Promise<boolean> {
  if (organization === reach.organization) return true;
  const line = await organizationContext(organization);
  return line?.path.includes(reach.organization) ?? false;
}

export async function organizationsWithin(reach: Reach): Promise<string[]> {
  const line = await organizationContext(reach.organization);
  if (!line) return [];
  const found = await organizationModel.find(subtreeFilter(line.path), { _id: 1 }).lean();
  return found.map(({ _id }) => _id);
}

export async function visibleOrNull<T extends { organization: string }>(
  reach: Reach,
  record: T | null,
): Promise<T | null> {
  return record && (await isWithinReach(reach, record.organization)) ? record : null;
}

/** Keeps the order. */
export async function filterVisible<T extends { organization: string }>(
  reach: Reach,
  records: readonly T[],
): Promise<T[]> {
  const seen = await Promise.all(records.map((record) => visibleOrNull(reach, record)));
  return seen.filter((record) => record !== null);
}

/** Returns one index range: ids have one length, and `$` follows `#`. */
export function subtreeFilter(path: string[]): { path: { $gte: string; $lt: string } } {
  const start = path.join('#');
  return { path: { $gte: start, $lt: `${start}$` } };
}
