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
 * Keeps removals of organizations and insertions into them apart, without transactions (spec 4.5).
 * A removal marks the organization, looks for records, and decides with a write that matches the
 * mark. An insertion stores its record first and reads the organization afterwards. So the removal
 * finds the record, or the insertion finds the mark and calls the removal off, or the insertion
 * finds the organization removed and takes its record back. A mark that a dead process left does
 * nothing: the next insertion or removal replaces it.
 */

const MARKS = { removal: 1, removedAt: 1 };

/**
 * Runs an insertion of a record into an organization. Where the organization was removed in the
 * meantime, runs `takeBack` and throws DomainError `forbidden` that names the field.
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
 * Runs a change of a record that may move it into another organization. Where that organization was
 * removed in the meantime, restores the `stored` fields, or removes the record where its former
 * organization is gone as well, and throws DomainError `forbidden`.
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
 * Returns whether an organization keeps a record that has just been stored in it. Calls off a
 * removal that is not decided yet, of the organization or of one above it; false where one of them
 * is removed: an organization that was stored below a removed one is about to be taken back.
 */
export async function keepsRecord(organization: string): Promise<boolean> {
  // Organizations keep their places, so a path from the cache is never wrong.
  const path = (await organizationContext(organization))?.path ?? [organization];
  for (;;) {
    const found = await organizationModel.find({ _id: { $in: path } }, MARKS).lean();
    if (found.length < path.length || found.some(({ removedAt }) => removedAt)) return false;
    const calledOff = await Promise.all(found.map(cancelRemoval));
    if (calledOff.every((done) => done)) return true;
  }
}

/** Returns whether no removal with the mark that was read can be decided any more. */
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

/** Returns whether there is such an organization that is not removed, as stored now. */
export async function organizationExists(id: string): Promise<boolean> {
  return (await organizationModel.exists({ _id: id, removedAt: { $exists: false } })) !== null;
}

/** Begins a removal, and replaces the mark of an undecided one; returns the mark. */
export async function markRemoval(organization: string): Promise<string> {
  const removal = newId();
  await organizationModel.updateOne({ _id: organization }, { $set: { removal } });
  return removal;
}

/**
 * Closes an organization for good: its contents and its document are to be deleted next. Returns
 * false where the removal was called off.
 */
export async function decideRemoval(organization: string, removal: string): Promise<boolean> {
  const { matchedCount } = await organizationModel.updateOne(
    { _id: organization, removal },
    { $set: { removedAt: storeDate() } },
  );
  return matchedCount === 1;
}
