import { contactModel } from './contacts.ts';
import { isDuplicateKey } from '../queries/duplicate-key.ts';

// Unique within the organization: another contact may have got the value since the message was
// admitted.
const IDENTIFIERS = ['email', 'telephone'];

/**
 * Applies what messages of a conversation changed in its contact's profile, by dotted path below
 * `profile`; null clears. Repeatable: `version` is that of the conversation's commit, and one that
 * was applied is not applied again, so that it never undoes what came later. An email or telephone
 * that belongs to another contact by now stays as it was.
 */
export async function applyContactChanges(
  contact: string,
  changes: Record<string, string | null>,
  version: number,
): Promise<void> {
  try {
    await apply(contact, changes, version);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const others = Object.entries(changes).filter(([field]) => !IDENTIFIERS.includes(field));
    await apply(contact, Object.fromEntries(others), version);
  }
}

async function apply(
  contact: string,
  changes: Record<string, string | null>,
  version: number,
): Promise<void> {
  const paths = Object.entries(changes).map(([field, value]) => [`profile.${field}`, value] as const);
  const set = paths.filter(([, value]) => value !== null);
  const unset = paths.filter(([, value]) => value === null);
  await contactModel.collection.updateOne(
    {
      _id: contact,
      $or: [{ conversationVersion: { $exists: false } }, { conversationVersion: { $lt: version } }],
    },
    {
      $set: { ...Object.fromEntries(set), conversationVersion: version, updatedAt: new Date() },
      ...(unset.length > 0 ? { $unset: Object.fromEntries(unset.map(([path]) => [path, ''])) } : {}),
    },
  );
}
