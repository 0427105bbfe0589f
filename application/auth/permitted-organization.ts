import { notWithinReach } from '../../domain/refusal.ts';
import { isWithinReach } from '../../store/queries/reach.ts';
import type { Principal } from './principal.ts';

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
