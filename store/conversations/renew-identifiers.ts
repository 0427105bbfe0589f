import { userName } from '../../domain/user.ts';
import { userModel } from '../accounts/users.ts';
import type { UserDocument } from '../accounts/users.ts';
import { inBatches } from '../queries/batches.ts';
import { isDuplicateKey } from '../queries/duplicate-key.ts';
import { contactModel } from './contacts.ts';
import type { ContactDocument } from './contacts.ts';

/** Functions that return the present form of a stored identifier, or undefined without one. */
export interface CurrentForms {
  email: (stored: string) => string | undefined;
  telephone: (stored: string) => string | undefined;
}

const BEYOND_ASCII = { $regex: '[^ -~]' };
/** Numbers of Gabon before 2019: others that were renumbered never were stored. */
const RENUMBERED = { $regex: '^\\+2410' };

/**
 * Writes emails and telephones of earlier releases in the form in which they are looked up now. An
 * identifier stays where another record has its new form. Repeatable; resolves to false where
 * `goesOn` ended it early.
 */
export async function renewIdentifiers(forms: CurrentForms, goesOn: () => boolean): Promise<boolean> {
  const known = [{ 'profile.email': BEYOND_ASCII }, { 'profile.telephone': RENUMBERED }];
  const contacts = await inBatches<ContactDocument>(contactModel, {
    filter: { $or: known },
    goesOn,
    visit: (contact) => renewContact(contact, forms),
  });
  const users = await inBatches<UserDocument>(userModel, {
    filter: { email: BEYOND_ASCII },
    goesOn,
    visit: (user) => renewUser(user, forms),
  });
  return contacts && users;
}

async function renewContact({ _id, profile }: ContactDocument, forms: CurrentForms): Promise<void> {
  for (const field of ['email', 'telephone'] as const) {
    const stored = profile[field];
    const current = stored === undefined ? undefined : forms[field](stored);
    if (current === undefined || current === stored) continue;
    const path = `profile.${field}`;
    await contactModel.collection
      .updateOne({ _id, [path]: stored }, { $set: { [path]: current } })
      .catch(unlessTaken);
  }
}

async function renewUser(user: UserDocument, forms: CurrentForms): Promise<void> {
  const email = forms.email(user.email);
  if (email === undefined || email === user.email) return;
  await userModel.collection
    .updateOne({ _id: user._id, email: user.email }, { $set: { email, name: userName({ ...user, email }) } })
    .catch(unlessTaken);
}

function unlessTaken(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}
