import type { TenantPath } from '../../domain/limits/shares.ts';
import { organizationContext } from '../../store/records/organizations.ts';

/**
 * Whose turn it is when an event of this name is run for an organization
 * (docs/decisions/event-admission.md).
 */
export async function eventLine(organization: string, name: string): Promise<TenantPath> {
  const line = await organizationContext(organization);
  return [...(line?.path ?? [organization]), `${organization} ${name}`];
}
