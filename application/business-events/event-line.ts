import type { TenantPath } from '../../domain/limits/shares.ts';
import { organizationContext } from '../../store/records/organizations.ts';

/**
 * Whose turn it is when an event of this name is run for an organization
 * (docs/decisions/event-admission.md).
 */
export async function loadEventPath(organization: string, name: string): Promise<TenantPath> {
  const context = await organizationContext(organization);
  return [...(context?.path ?? [organization]), `${organization} ${name}`];
}
