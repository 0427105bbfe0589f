import { notWithinReach } from '../../domain/errors.ts';
import { storeDate } from '../cluster/clock.ts';
import { anyCollection } from '../connection/model.ts';
import type { Model } from '../connection/model.ts';
import { newId } from '../queries/identifier.ts';
import { toUpdateOperators } from '../queries/patch.ts';
import type { Patch } from '../queries/patch.ts';
import { organizationContext, organizationModel } from './organizations.ts';
import type { OrganizationDocument } from './organizations.ts';

/**
 * Synchronizes removals of organizations with inserts, without transactions (spec 4.5). A removal
 * marks the organization, looks for records, and decides by a write that matches the mark. An
 * insert stores its record, and then cancels the mark, or deletes the record if the organization is
 * removed. The next insert or removal replaces the mark of a crashed process.
 */

const MARKS = { removal: 1, removedAt: 1 };

/**
 * Writes a record. If the organization was removed concurrently, calls `takeBack` and throws
 * DomainError `forbidden`.
 */
export async function insertInto<R>(
  organization: string,
  write: () => Promise<R>,
  { takeBack, field = 'organization' }: { takeBack: () => Promise<unknown>; field?: string },
): Promise<R> {
  const written = await write();
  if (await keepsRecord(organization)) return written;
  await takeBack();
  throw notWithinReach(field);
}

/**
 * Changes a record that may move. If the new organization was removed concurrently, restores the
 * `stored` fields and throws DomainError `forbidden`.
 */
export async function moveInto<T extends { _id: string; organization: string }, R>(
  model: Model<T>,
  { stored, patch, write }: { stored: T; patch: Patch<T>; write: () => Promise<R | null> },
): Promise<R | null> {
  const written = await write();
  const { organization: target } = patch;
  const { _id, organization } = stored;
  if (!written || !target || target === organization || (await keepsRecord(target))) return written;
  const before = Object.keys(patch).map((field) => [field, stored[field as keyof T] ?? null]);
  const collection = anyCollection(model);
  await collection.findOneAndUpdate(
    { _id, organization: target },
    toUpdateOperators<T>(Object.fromEntries(before) as Patch<T>),
    { returnDocument: 'after' },
  );
  if (!(await keepsRecord(organization))) await collection.deleteMany({ _id, organization });
  throw notWithinReach('organization');
}

/**
 * Cancels undecided removals of the organization and its ancestors. Returns false if the
 * organization or an ancestor is already removed. Call after storing a record.
 */
export async function keepsRecord(organization: string): Promise<boolean> {
  // Organizations never move, so a cached path is always correct.
  const path = (await organizationContext(organization))?.path ?? [organization];
  for (;;) {
    const found = await organizationModel.find({ _id: { $in: path } }, MARKS).lean();
    if (found.length < path.length || found.some(({ removedAt }) => removedAt)) return false;
    const calledOff = await Promise.all(found.map(cancelRemoval));
    if (calledOff.every((done) => done)) return true;
  }
}

async function cancelRemoval({
  _id,
  removal,
}: Pick<OrganizationDocument, '_id' | 'removal'>): Promise<boolean> {
  if (removal === undefined) return true;
  const { matchedCount } = await organizationModel.updateOne(
    { _id, removal, removedAt: { $exists: false } },
    { $unset: { removal: '' } },
  );
  return matchedCount === 1;
}

/** Reads without a cache. */
export async function organizationExists(id: string): Promise<boolean> {
  return (await organizationModel.exists({ _id: id, removedAt: { $exists: false } })) !== null;
}

export async function markRemoval(organization: string): Promise<string> {
  const removal = newId();
  await organizationModel.updateOne({ _id: organization }, { $set: { removal } });
  return removal;
}

/** Returns false if the removal was cancelled. */
export async function decideRemoval(organization: string, removal: string): Promise<boolean> {
  const { matchedCount } = await organizationModel.updateOne(
    { _id: organization, removal },
    { $set: { removedAt: storeDate() } },
  );
  return matchedCount === 1;
}
