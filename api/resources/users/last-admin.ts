import { unprocessable } from '../../../domain/refusal.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { hasOtherAdmin } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';

/**
 * Takes an admin of the root organization out of it, unless nobody were left there who may do
 * everything: then DomainError `unprocessable`. Of two admins who take each other out at the same
 * moment both stay: the one who has taken the last one calls `revert`.
 */
export async function withOtherAdmin<T>(
  { _id, role, organization }: UserDocument,
  { apply, revert }: { apply: () => Promise<T>; revert: () => Promise<unknown> },
): Promise<T> {
  if (role !== 'admin' || !(await isRoot(organization))) return apply();
  if (!(await hasOtherAdmin(organization, _id))) throw lastAdminError();
  const taken = await apply();
  if (await hasOtherAdmin(organization, _id)) return taken;
  await revert();
  throw lastAdminError();
}

async function isRoot(organization: string): Promise<boolean> {
  return (await organizationContext(organization))?.path.length === 1;
}

function lastAdminError() {
  return unprocessable(
    'This is the last admin of the root organization: without one nobody could administer it. Make another one first.',
  );
}
