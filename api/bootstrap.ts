import type { Logger } from 'pino';
import { hashPassword } from './resources/auth/password.ts';
import type { BootstrapAdmin } from '../platform/config/processes.ts';
import { findAnyUser, insertFirstUser } from '../store/accounts/users.ts';
import { newId } from '../store/queries/identifier.ts';
import { isDuplicateKey } from '../store/queries/insert.ts';
import { findOrphans, finishRemovals } from '../store/records/organization-contents.ts';
import { ensureRootOrganization } from '../store/records/organizations.ts';

const MAX_LOGGED = 100;

/**
 * Creates the first admin and the root organization (spec 1.4). Returns whether the admin was
 * created.
 */
export async function bootstrap(admin: BootstrapAdmin): Promise<boolean> {
  const first = await findAnyUser();
  if (first) {
    // A process may have crashed between creating the user and the organization.
    await ensureRootOrganization({ id: first.organization, name: admin.organization });
    return false;
  }
  if (admin.password === undefined) return false;
  const [user, organization, now] = [newId(), newId(), new Date()];
  try {
    await insertFirstUser({
      _id: user,
      organization,
      email: admin.email,
      passwordHash: await hashPassword(admin.password, user),
      role: 'admin',
      status: 'offline',
      meta: {},
      createdBy: user,
      createdAt: now,
      updatedAt: now,
    });
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
  await ensureRootOrganization({ id: organization, name: admin.organization });
  return true;
}

/**
 * Finishes interrupted removals. Logs users without organization and organizations without parent
 * (spec 4.5). Never rejects.
 */
export async function tidyOrganizations(log: Pick<Logger, 'warn'>): Promise<void> {
  try {
    await finishRemovals();
    const { users, organizations } = await findOrphans();
    if (users.length + organizations.length === 0) return;
    log.warn(
      {
        users: users.slice(0, MAX_LOGGED),
        organizations: organizations.slice(0, MAX_LOGGED),
        found: { users: users.length, organizations: organizations.length },
      },
      'users or organizations lack the organization above them: they are invisible, and such users cannot log in',
    );
  } catch (error) {
    log.warn({ err: error }, 'failed to look for records without an organization');
  }
}
