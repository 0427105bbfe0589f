import type { Principal } from '../../application/auth/principal.ts';
import type { TenantPath } from '../../domain/limits/fair-share.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { organizationContext } from '../../store/records/organizations.ts';

/** Returns the tenant path that is charged for a user's lists (spec 9.9). */
export async function loadCallerPath({ user, organization }: Principal): Promise<TenantPath> {
  return [...(await loadTenantPath(organization)), user];
}

export async function loadContactPath(
  { id, organization }: ConversationRef,
  address: string,
): Promise<TenantPath> {
  return [...(await loadTenantPath(organization)), `address ${address}`, id];
}

async function loadTenantPath(organization: string): Promise<readonly string[]> {
  return (await organizationContext(organization))?.path ?? [organization];
}
