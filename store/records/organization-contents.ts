import { unavailable } from '../../domain/errors.ts';
import { getReferenceField } from '../../domain/resources.ts';
import type { ReferenceTo } from '../../domain/resources.ts';
import { channelModel } from './channels.ts';
import { contactModel } from '../conversations/contacts.ts';
import { conversationModel } from '../conversations/conversations.ts';
import { eventTypeModel } from './eventtypes.ts';
import { formModel } from './forms.ts';
import { kbItemModel } from './kbitems.ts';
import { orgGroupModel } from './orggroups.ts';
import { decideRemoval, markRemoval } from './organization-removal.ts';
import { organizationModel } from './organizations.ts';
import { removeUsage } from '../files/usage.ts';
import { serviceModel } from '../delivery/services.ts';
import { userModel } from '../accounts/users.ts';
import { anyCollection } from '../connection/model.ts';
import { deleteRemoved } from './find-organizations.ts';

type RecordCollection = ReturnType<typeof anyCollection>;

/** `words` names the records in error messages. */
const RESTRICTING: Record<
  ReferenceTo<'organizations', 'restrict'>,
  { words: string; records: RecordCollection }
> = {
  'organizations.parent': { words: 'organizations below it', records: anyCollection(organizationModel) },
  'users.organization': { words: 'users', records: anyCollection(userModel) },
  'contacts.organization': { words: 'contacts', records: anyCollection(contactModel) },
  'conversations.organization': { words: 'conversations', records: anyCollection(conversationModel) },
};

const CASCADING: Record<ReferenceTo<'organizations', 'cascade'>, RecordCollection> = {
  'forms.organization': anyCollection(formModel),
  'channels.organization': anyCollection(channelModel),
  'kbitems.organization': anyCollection(kbItemModel),
  'orggroups.organization': anyCollection(orgGroupModel),
  'eventtypes.organization': anyCollection(eventTypeModel),
  'services.organization': anyCollection(serviceModel),
};

const PULLING: Record<ReferenceTo<'organizations', 'pull'>, (organization: string) => Promise<unknown>> = {
  'orggroups.organizations': (organizations) =>
    orgGroupModel.collection.updateMany({ organizations }, { $pull: { organizations } }),
};

const ID = { _id: 1 };

/** Each concurrent insert cancels an attempt. */
const MAX_TRIES = 5;

export async function findRemainingRecords(organization: string): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(RESTRICTING).map(async ([reference, { words, records }]) => {
      const one = await records.findOne({ [getReferenceField(reference)]: organization }, { projection: ID });
      return one ? words : null;
    }),
  );
  return found.filter((words) => words !== null);
}

/** Refuses further inserts. If records block the removal, only returns their kinds. */
export async function closeOrganization(organization: string): Promise<string[]> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const before = await findRemainingRecords(organization);
    if (before.length > 0) return before;
    const removal = await markRemoval(organization);
    const remains = await findRemainingRecords(organization);
    if (remains.length > 0) return remains;
    if (await decideRemoval(organization, removal)) return [];
  }
  throw unavailable();
}

export async function removeContents(organization: string): Promise<void> {
  await Promise.all(
    Object.entries(CASCADING).map(([reference, records]) =>
      records.deleteMany({ [getReferenceField(reference)]: organization }),
    ),
  );
  await Promise.all(Object.values(PULLING).map((pull) => pull(organization)));
  await removeUsage(organization);
}

/** Records whose organization or parent is missing. The API never returns them. */
interface Orphans {
  users: string[];
  organizations: string[];
}

export async function findOrphans(): Promise<Orphans> {
  // Reads users first, to find organizations created between the reads.
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

/** Completes removals whose process crashed after the decision. */
export async function finishRemovals(): Promise<void> {
  const removed = await organizationModel.find({ removedAt: { $exists: true } }, { _id: 1 }).lean();
  for (const { _id } of removed) {
    await removeContents(_id);
    await deleteRemoved(_id);
  }
}
