import type { Scope, UserRole } from '../../domain/scope.ts';
import type { Reach } from '../../store/queries/reach.ts';
import { notWithinReach } from '../../domain/errors.ts';
import { isWithinReach } from '../../store/queries/reach.ts';

/** The caller (spec 3). */
export interface Principal {
  user: string;
  /**
   * Set on the chat page: `user` is the contact's id, and the contact's messages have no `user`
   * (spec 10.2).
   */
  isContact?: true;
  organization: string;
  role: UserRole;
  /** The lower of token scope and role scope. */
  scope: Scope;
  reach: Reach;
  credential: { family: string } | { apiKey: string } | { ingest: string };
  trace?: string | undefined;
}

/**
 * Returns the organization for a new record (spec 4.1). Throws DomainError `forbidden` if it is
 * outside the caller's reach or does not exist (spec 2.4).
 */
export async function choosePermittedOrganization(
  { organization, reach }: Principal,
  named: string | undefined,
): Promise<string> {
  if (named === undefined) return organization;
  const [permitted = organization] = await permittedOrganizations({ reach }, [named], 'organization');
  return permitted;
}

export async function permittedOrganizations(
  { reach }: Pick<Principal, 'reach'>,
  named: string[],
  path: string,
): Promise<string[]> {
  for (const organization of named) {
    if (!(await isWithinReach(reach, organization))) throw notWithinReach(path);
  }
  return named;
}
