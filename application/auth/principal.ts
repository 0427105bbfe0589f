import type { Scope, UserRole } from '../../domain/scope.ts';
import type { Reach } from '../../store/queries/reach.ts';
import { notWithinReach } from '../../domain/errors.ts';
import { isWithinReach } from '../../store/queries/reach.ts';

/** The authenticated caller of a request, with their current permissions (spec 3). */
export interface Principal {
  user: string;
  /**
   * Set on the chat page. `user` is then the contact's id and not a user's, so messages have no
   * `user` (spec 10.2).
   */
  isContact?: true;
  organization: string;
  role: UserRole;
  /** The lower of the token's scope and the role's scope. */
  scope: Scope;
  reach: Reach;
  /** The token family, API key or ingest address that authenticated the request. */
  credential: { family: string } | { apiKey: string } | { ingest: string };
  /** The request's traceparent, if it is traced. */
  trace?: string;
}

/**
 * Returns the organization in a create body, by default the caller's (spec 4.1). Throws DomainError
 * `forbidden` for an organization outside the caller's reach, whether or not it exists (spec 2.4).
 */
export async function choosePermittedOrganization(
  { organization, reach }: Principal,
  named: string | undefined,
): Promise<string> {
  if (named === undefined) return organization;
  const [permitted = organization] = await permittedOrganizations({ reach }, [named], 'organization');
  return permitted;
}

/**
 * Returns the named organizations. Throws DomainError `forbidden` if one is outside the caller's
 * reach.
 */
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
