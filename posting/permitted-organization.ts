import { DomainError } from '../domain/errors.ts';
import { covers } from '../store/reach.ts';
import type { Principal } from '../auth/principal.ts';

/**
 * The organization that a create body names, or the caller's own (contract 4). Throws DomainError `forbidden` for one that is not within his reach,
 * whether or not there is such a one (contract 2).
 */
export async function permittedOrganization(
  { organization, reach }: Principal,
  named: string | undefined,
): Promise<string> {
  if (named === undefined) return organization;
  if (await covers(reach, named)) return named;
  throw new DomainError('forbidden', 'organization: is not yours to use', {
    details: [{ path: 'organization', message: 'is not yours to use' }],
  });
}
