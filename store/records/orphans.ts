import { userModel } from '../accounts/users.ts';
import { removeContents } from './organization-contents.ts';
import { deleteRemoved } from './find-organizations.ts';
import { organizationModel } from './organizations.ts';

/** Ids of records whose organization, or organization above, does not exist: no API shows them. */
export interface Orphans {
  users: string[];
  organizations: string[];
}

/** Returns all orphans. The store groups the users, so that a process does not read all of them. */
export async function findOrphans(): Promise<Orphans> {
  // Users first: an organization that is created between the two reads then counts as present.
  const named = await userModel.aggregate<{ _id: string }>([{ $group: { _id: '$organization' } }]);
  const organizations = await organizationModel.find({}, { parent: 1 }).lean();
  const known = new Set(organizations.map(({ _id }) => _id));
  const unknown = named.map(({ _id }) => _id).filter((id) => !known.has(id));
  const users = await userModel.find({ organization: { $in: unknown } }, { _id: 1 }).lean();
  return {
    users: users.map(({ _id }) => _id),
    organizations: organizations
      .filter(({ parent }) => parent !== undefined && !known.has(parent))
      .map(({ _id }) => _id),
  };
}

/** Finishes removals of organizations whose process died after the decision. */
export async function finishRemovals(): Promise<void> {
  const removed = await organizationModel.find({ removedAt: { $exists: true } }, { _id: 1 }).lean();
  for (const { _id } of removed) {
    await removeContents(_id);
    await deleteRemoved(_id);
  }
}
