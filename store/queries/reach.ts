import { organizationContext, organizationModel } from '../records/organizations.ts';

/**
 * How far a caller sees: their organization and everything below it (spec 4.1). Every finder of
 * callers' records takes it first, so that a query without it cannot be written.
 */
export interface Reach {
  organization: string;
  /** Set for scope guest: of conversations and messages, only those this user takes part in. */
  guest?: string;
}

/**
 * Whether records of the organization are within reach. Also true at once for one that another
 * process has just created.
 */
export async function isWithinReach(reach: Reach, organization: string): Promise<boolean> {
  if (organization === reach.organization) return true;
  const line = await organizationContext(organization);
  return line?.path.includes(reach.organization) ?? false;
}

/** Ids of all organizations within reach, as stored now. */
export async function organizationsWithin(reach: Reach): Promise<string[]> {
  const line = await organizationContext(reach.organization);
  if (!line) return [];
  const found = await organizationModel.find(subtreeFilter(line.path), { _id: 1 }).lean();
  return found.map(({ _id }) => _id);
}

/**
 * The record if it is within reach, else null: what a caller may not see does not exist for them.
 */
export async function visibleOrNull<T extends { organization: string }>(
  reach: Reach,
  record: T | null,
): Promise<T | null> {
  return record && (await isWithinReach(reach, record.organization)) ? record : null;
}

/** Those of the records that are within reach, in their order. */
export async function filterVisible<T extends { organization: string }>(
  reach: Reach,
  records: readonly T[],
): Promise<T[]> {
  const seen = await Promise.all(records.map((record) => visibleOrNull(reach, record)));
  return seen.filter((record) => record !== null);
}

/**
 * Filter for an organization, given by its path, and all below. Ids have one length and `$` follows
 * `#`, so it is a range of the index.
 */
export function subtreeFilter(path: string[]): { path: { $gte: string; $lt: string } } {
  const start = path.join('#');
  return { path: { $gte: start, $lt: `${start}$` } };
}
