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
 * Synchronizes removals of organizations with inserts into them, without transactions (spec 4.5). A
 * removal marks the organization, checks for records, and decides with a write that matches the
 * mark. An insert stores its record first and then reads the organization. So either the removal
 * finds the record, or the insert cancels the removal, or the insert finds the organization removed
 * and deletes its record. The next insert or removal replaces the mark of a crashed process.
 */

const MARKS = { removal: 1, removedAt: 1 };

/**
 * Runs `takeBack` and throws DomainError `forbidden` with the field if the organization was removed
 * concurrently.
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
 * `stored` fields and throws DomainError `forbidden`. Deletes the record if its former organization
 * is removed too.
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
 * Cancels undecided removals of the organization and those above it. Returns false if one of them
 * is removed: an organization stored below a removed one is about to be deleted. Call after storing
 * a record.
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

/** Returns whether this removal can no longer be decided. */
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

/** Returns false for removed organizations. Reads the store without a cache. */
export async function organizationExists(id: string): Promise<boolean> {
  return (await organizationModel.exists({ _id: id, removedAt: { $exists: false } })) !== null;
}

/** Returns the mark, which replaces the mark of an undecided removal. */
export async function markRemoval(organization: string): Promise<string> {
  const removal = newId();
  await organizationModel.updateOne({ _id: organization }, { $set: { removal } });
  return removal;
}

/**
 * Returns false if the removal was cancelled. Otherwise delete the contents and the document next.
 */
export async function decideRemoval(organization: string, removal: string): Promise<boolean> {
  const { matchedCount } = await organizationModel.updateOne(
    { _id: organization, removal },
    { $set: { removedAt: storeDate() } },
  );
  return matchedCount === 1;
}
