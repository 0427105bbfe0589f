import type { Scope, UserRole } from '../../domain/scope.ts';
import type { Reach } from '../../store/queries/reach.ts';
import { notWithinReach } from '../../domain/errors.ts';
import { isWithinReach } from '../../store/queries/reach.ts';

/** Who makes a request, with what they may do now (spec 3). */
export interface Principal {
  user: string;
  /**
   * A contact on the chat page: `user` is the contact, who is no user, so that their messages name
   * none (spec 10.2).
   */
  isContact?: true;
  organization: string;
  role: UserRole;
  /** The lower of what the token and the role give. */
  scope: Scope;
  reach: Reach;
  /** What the token belongs to: a family of tokens, an API key, or an ingest address. */
  credential: { family: string } | { apiKey: string } | { ingest: string };
  /** The request's traceparent, if it is traced. */
  trace?: string;
}

/**
 * The organization that a create body names, or the caller's own (spec 4.1). Throws DomainError
 * `forbidden` for one that is not within the caller's reach, whether or not there is such a one
 * (spec 2.4).
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
 * The organizations that a body names. Throws DomainError `forbidden` where one is not within the
 * caller's reach.
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
