import { lruMap } from '../platform/concurrency/lru-map.ts';
import { organizationContext } from '../store/records/organizations.ts';

const MAX_REMEMBERED = 10_000;

/** A row of which the tenant is known. */
export type WithTenant<R> = R & { tenant: string };

/**
 * Adds to rows the tenant that their organization belongs to: the organization right below the root
 * that it is, or is below of. A tenant with many organizations stays one tenant. An organization
 * that is gone stands for itself. Rejects where the store does not answer.
 */
export type AssignTenants = <R extends { organization: string }>(
  rows: readonly R[],
) => Promise<WithTenant<R>[]>;

/** Reads the place of each organization once. */
export function createTenants(findContext: FindContext = organizationContext): AssignTenants {
  const known = lruMap<string, string>(MAX_REMEMBERED);

  async function findTenant(organization: string): Promise<string> {
    const remembered = known.get(organization);
    if (remembered !== undefined) return remembered;
    const [root, tenant = root] = (await findContext(organization))?.path ?? [];
    if (tenant === undefined) return organization;
    known.set(organization, tenant);
    return tenant;
  }

  return async (rows) => {
    const organizations = [...new Set(rows.map(({ organization }) => organization))];
    const tenants = new Map<string, string>();
    await Promise.all(
      organizations.map(async (organization) => tenants.set(organization, await findTenant(organization))),
    );
    return rows.map((row) => ({ ...row, tenant: tenants.get(row.organization) ?? row.organization }));
  };
}

type FindContext = (organization: string) => Promise<{ path: readonly string[] } | null>;
