import { organizationContext } from '../store/records/organizations.ts';

const MAX_REMEMBERED = 10_000;

/**
 * Whom an organization belongs to: the one right below the root that it is, or is below of.
 * Somebody who makes many organizations stays one tenant. Answers at once; the first time it may
 * not be known yet, and the organization stands for itself.
 */
export type TenantOf = (organization: string) => string;

export function createTenants(): TenantOf {
  const known = new Map<string, string>();

  async function learn(organization: string): Promise<void> {
    const line = await organizationContext(organization);
    const [root, tenant = root] = line?.path ?? [];
    if (tenant === undefined) return;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(organization, tenant);
  }

  return (organization) => {
    const tenant = known.get(organization);
    if (tenant === undefined) void learn(organization).catch(() => undefined);
    return tenant ?? organization;
  };
}
