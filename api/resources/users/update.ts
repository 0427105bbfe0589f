import type { Static } from 'typebox';
import { DomainError } from '../../../domain/errors.ts';
import { parseEmail, lookupEmail } from '../../../domain/email.ts';
import { assertValidFreeForm } from '../../../domain/free-form.ts';
import { buildPlaceholderEmail, assertUnreservedEmail } from '../../../domain/user.ts';
import { includesScope } from '../../../domain/scope.ts';
import { followStatus } from '../../../store/records/channels.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import { endFamilies } from '../../../store/accounts/tokens.ts';
import { updateUser as writeUser } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { assertCredentialRights } from '../auth/credentials.ts';
import { hashPassword } from '../auth/password.ts';
import { choosePermittedOrganization } from '../../../application/auth/permitted-organization.ts';
import { buildRecordResult } from '../../records/answers.ts';
import { recordTarget, withIfMatch } from '../../records/unless-changed.ts';
import type { Principal } from '../../../application/auth/principal.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { withUniqueEmail } from './unique-email.ts';
import { withOtherAdmin } from './last-admin.ts';
import { users } from './resource.ts';
import type { userPatch } from './schema.ts';

type UserPatch = Static<typeof userPatch>;

/**
 * PATCH /users/{id}. A new password ends all tokens of the user but those that this request was
 * made with.
 */
export async function updateUser(request: ApiRequest<UserPatch>, api: Api): Promise<HandlerResult> {
  const { principal, body } = request;
  const { id } = request;
  const updated = await withIfMatch(request, recordTarget(users, request), (user, seen) =>
    change(request, { user, seen }),
  );
  if (body.password !== undefined) {
    const own = 'family' in principal.credential ? { except: principal.credential.family } : {};
    await endFamilies(id, own);
  }
  if (body.status !== undefined) await followStatus(id);
  api.authority.forget();
  return buildRecordResult(users, updated);
}

async function change(
  { principal, body }: ApiRequest<UserPatch>,
  { user, seen }: { user: UserDocument; seen: UserDocument | undefined },
): Promise<UserDocument | null> {
  assertNoPrivilegeChange(principal, user, body);
  if (changesCredentials(user, body)) {
    await assertCredentialRights(principal, user, body.currentPassword ?? undefined);
  }
  const patch = await buildUserPatch(principal, user, body);
  const { _id, role, organization } = user;
  const apply = () => withUniqueEmail(() => writeUser(principal.reach, _id, patch, seen));
  const stays = (patch.role ?? role) === role && (patch.organization ?? organization) === organization;
  if (stays) return apply();
  const revert = () => writeUser(principal.reach, _id, { role, organization });
  return withOtherAdmin(user, { apply, revert });
}

async function buildUserPatch(
  principal: Principal,
  user: UserDocument,
  body: UserPatch,
): Promise<Patch<UserDocument>> {
  const { password, currentPassword, email, organization, meta, status, ...fields } = body;
  assertValidFreeForm(body);
  return {
    ...fields,
    ...(meta === undefined ? {} : { meta: meta ?? {} }),
    ...(status === undefined ? {} : { status: status ?? 'offline', statusAt: status && new Date() }),
    ...(email === undefined || email === user.email
      ? {}
      : { email: email === null ? buildPlaceholderEmail(user) : checkNewEmail(user, email) }),
    ...(organization === undefined
      ? {}
      : { organization: await choosePermittedOrganization(principal, organization) }),
    ...(password === undefined
      ? {}
      : { passwordHash: password && (await hashPassword(password, principal.user)) }),
  };
}

function checkNewEmail(user: UserDocument, email: string): string {
  const checked = parseEmail(email, 'email');
  if (checked !== user.email && checked !== buildPlaceholderEmail(user)) assertUnreservedEmail(checked);
  return checked;
}

// An email that stays as it is comes with every record that is sent back whole.
function changesCredentials(user: UserDocument, { email, password }: UserPatch): boolean {
  if (password !== undefined) return true;
  const wanted = email === null ? buildPlaceholderEmail(user) : email;
  return wanted !== undefined && ![wanted, lookupEmail(wanted)].includes(user.email);
}

/** Users may change themselves (spec 4.2), but not what they may do. */
function assertNoPrivilegeChange(principal: Principal, user: UserDocument, body: UserPatch): void {
  if (includesScope(principal.scope, 'admin')) return;
  for (const field of ['role', 'organization'] as const) {
    if (body[field] !== undefined && body[field] !== user[field]) {
      throw new DomainError('forbidden', `Not allowed: changing the ${field} needs scope admin.`);
    }
  }
}
