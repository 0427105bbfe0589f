/** The email of a user who has none of their own (spec 4.3). */
export function emailOfNone({ _id, role }: { _id: string; role: string }): string {
  return `${role}+${_id}@parlance.local`;
}

/** What a user's name is derived from. */
export interface UserNames {
  givenName?: string | null | undefined;
  familyName?: string | null | undefined;
  email: string;
}

/** A user's name: the given and the family name, or the email of one who has neither (spec 4.3). */
export function userName({ givenName, familyName, email }: UserNames): string {
  const name = [givenName, familyName].filter(Boolean).join(' ');
  return name === '' ? email : name;
}
