import type { BootstrapAdmin } from '../platform/config/bootstrap.ts';
import { isDuplicateKey } from '../store/queries/duplicate-key.ts';
import { newId } from '../store/queries/identifier.ts';
import { ensureRootOrganization } from '../store/records/organizations.ts';
import { findAnyUser, insertFirstUser } from '../store/accounts/users.ts';
import { hashPassword } from './resources/auth/password.ts';

/**
 * Makes the first admin and the root organization when no user exists (spec 1.4). Answers whether
 * it was this process that did. Of several processes that start at the same time one does.
 */
export async function bootstrap(admin: BootstrapAdmin): Promise<boolean> {
  const first = await findAnyUser();
  if (first) {
    // A process may have died between the two writes below.
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
