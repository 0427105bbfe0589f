import { definedFields } from '../../domain/record-fields.ts';
import { isDuplicateKey } from '../queries/insert.ts';
import { contactModel } from './contacts.ts';
import type { ContactDocument, Merging } from './contacts.ts';

export type MergingContact = ContactDocument & { merging: Merging };

/**
 * Marks the contact and takes its identifiers from it, so that the survivor can get them. Returns
 * null if the identifiers have changed since the read, or the contact is gone or marked.
 */
export async function beginMerge(
  { _id, externalId, profile, identityKeys }: ContactDocument,
  merging: Merging,
): Promise<MergingContact | null> {
  const { email, telephone } = profile;
  const unchanged = (value: string | string[] | undefined) => value ?? { $exists: false };
  return contactModel.collection.findOneAndUpdate(
    {
      _id,
      merging: { $exists: false },
      externalId: unchanged(externalId),
      'profile.email': unchanged(email),
      'profile.telephone': unchanged(telephone),
      identityKeys: unchanged(identityKeys),
    },
    {
      $set: { merging: { ...merging, ...definedFields({ externalId, telephone, email, identityKeys }) } },
      $unset: { externalId: '', 'profile.email': '', 'profile.telephone': '', identityKeys: '' },
    },
    { returnDocument: 'after' },
  ) as Promise<MergingContact | null>;
}

/** Takes a merge back. Leaves out identifiers that another contact has got since. Repeatable. */
export async function undoMerge({ _id, merging }: MergingContact): Promise<void> {
  const { id, externalId, telephone, email, identityKeys } = merging;
  const identifiers = Object.entries({
    externalId,
    'profile.telephone': telephone,
    'profile.email': email,
    identityKeys,
  }).filter(([, value]) => value !== undefined);
  for (const [path, value] of identifiers) {
    try {
      await contactModel.collection.updateOne({ _id, 'merging.id': id }, { $set: { [path]: value } });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  await contactModel.collection.updateOne({ _id, 'merging.id': id }, { $unset: { merging: '' } });
}

export async function isMergeTarget(contact: string): Promise<boolean> {
  return (
    (await contactModel.collection.findOne({ 'merging.into': contact }, { projection: { _id: 1 } })) !== null
  );
}

export async function removeMerged({ _id, merging }: MergingContact): Promise<void> {
  await contactModel.collection.deleteOne({ _id, 'merging.id': merging.id });
}

/** Returns contacts whose merge began before `before` and has not ended. */
export async function findUnfinishedMerges(before: Date, limit: number): Promise<MergingContact[]> {
  return contactModel.collection
    .find({ 'merging.at': { $lt: before } })
    .limit(limit)
    .toArray() as Promise<MergingContact[]>;
}
