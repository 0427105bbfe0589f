import { storeDate, storeNow } from '../cluster/clock.ts';
import { organizationModel } from './organizations.ts';
import type { OrganizationDocument } from './organizations.ts';

/**
 * Marks of organizations whose timers (`retimeAt`) or categories (`reindexAt`) changed. Stored with
 * the change, until a worker has adapted the stored conversations.
 */
export type ListMark = 'retimeAt' | 'reindexAt';

/** Longer than the caches of other processes, in which the former list may be. */
const ADAPT_AFTER_MS = 6_000;
const LEASE_MS = 30_000;

export function adaptLater(): Date {
  return new Date(storeNow() + ADAPT_AFTER_MS);
}

export interface ListChange {
  organization: string;
  mark: ListMark;
  /** Until when no other worker handles the change. */
  lease: Date;
}

export async function claimListChange(mark: ListMark): Promise<ListChange | null> {
  const lease = new Date(storeNow() + LEASE_MS);
  const found = await organizationModel
    .findOneAndUpdate({ [mark]: { $lt: storeDate() } }, { $set: { [mark]: lease } })
    .lean<Pick<OrganizationDocument, '_id'>>();
  return found && { organization: found._id, mark, lease };
}

/** Returns a later lease, or null if the list changed again or another worker took over. */
export async function extendListChange({
  organization,
  mark,
  lease,
}: ListChange): Promise<ListChange | null> {
  const later = new Date(storeNow() + LEASE_MS);
  const { matchedCount } = await organizationModel.updateOne(
    { _id: organization, [mark]: lease },
    { $set: { [mark]: later } },
  );
  return matchedCount > 0 ? { organization, mark, lease: later } : null;
}

export async function endListChange({ organization, mark, lease }: ListChange): Promise<void> {
  await organizationModel.updateOne({ _id: organization, [mark]: lease }, { $unset: { [mark]: '' } });
}
