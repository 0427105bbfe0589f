import type { Static } from 'typebox';
import { parseEmail, lookupEmail } from '../../../domain/email.ts';
import { assertValidFreeForm } from '../../../domain/free-form.ts';
import { buildPlaceholderEmail, assertUnreservedEmail, includesScope } from '../../../domain/scope.ts';
import {
  insertUser,
  updateUser as writeUser,
  findUserByEmail,
  hasOtherAdmin,
  userRecord,
} from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { hashPassword } from '../auth/password.ts';
import { isOfFirstStart } from '../../../application/auth/password-link.ts';
import { choosePermittedOrganization } from '../../../application/auth/principal.ts';
import {
  buildCreatedResult,
  buildRecordResult,
  recordTarget,
  withIfMatch,
  rejectDuplicate,
} from '../../records/if-match.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { users } from './schema.ts';
import { changeFields, fillFields } from '../../../schema/record.ts';
import { DomainError, unprocessable } from '../../../domain/errors.ts';
import { noteDeparture } from '../../../store/accounts/departures.ts';
import { followStatus } from '../../../store/records/channels.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import { endFamilies } from '../../../store/accounts/tokens.ts';
import { assertCredentialRights } from '../auth/credentials.ts';
import type { Principal } from '../../../application/auth/principal.ts';
import { pick } from '../../../domain/record-fields.ts';
import { organizationContext } from '../../../store/records/organizations.ts';

type CreateUser = ApiRequest<Static<typeof userRecord.input>>;

export async function createUser(request: CreateUser, api: Api): Promise<HandlerResult> {
  const { email } = request.body;
  if (email !== undefined) assertUnreservedEmail(parseEmail(email, 'email'));
  return createAnyUser(request, api);
}

/** Allows reserved emails. */
export async function createAnyUser(request: CreateUser, api: Api): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  const { organization: named, password, email, status } = body;
  assertValidFreeForm(body);
  const id = ids.newId();
  const now = new Date(receivedAt);
  const user: UserDocument = {
    ...fillFields(userRecord.fields, body),
    _id: id,
    organization: await choosePermittedOrganization(principal, named),
    email:
      email === undefined ? buildPlaceholderEmail({ _id: id, role: body.role }) : parseEmail(email, 'email'),
    ...(password === undefined ? {} : { passwordHash: await hashPassword(password, principal.user) }),
    status: status ?? 'offline',
    ...(status === undefined ? {} : { statusAt: now }),
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  };
  await withUniqueEmail(user.email, principal, () => insertUser(user));
  return buildCreatedResult(users, user, api);
}

type UserPatch = Static<typeof userRecord.patch>;

/** PATCH /users/{id}: a new password ends all other sessions of the user. */
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
  const isChanged = changesCredentials(user, body);
  const { role = user.role, organization = user.organization } = body;
  if (isChanged || role !== user.role || organization !== user.organization)
    await assertNotOfFirstStart(user);
  if (isChanged) {
    await assertCredentialRights(principal, user, body.currentPassword ?? undefined);
  }
  const patch = await buildUserPatch(principal, user, body);
  const { _id } = user;
  const apply = () =>
    withUniqueEmail(patch.email, principal, () => writeUser(principal.reach, _id, patch, seen));
  if (role === user.role && organization === user.organization) return apply();
  const revert = () => writeUser(principal.reach, _id, pick(user, ['role', 'organization']));
  const departure = { user: _id, by: principal.user };
  await noteDeparture({ ...departure, isOver: false });
  const changed = await withOtherAdmin(user, { apply, revert });
  await noteDeparture({ ...departure, isOver: true });
  return changed;
}

async function buildUserPatch(
  principal: Principal,
  user: UserDocument,
  body: UserPatch,
): Promise<Patch<UserDocument>> {
  const { password, email, organization, status, ...others } = body;
  assertValidFreeForm(body);
  return {
    ...changeFields(userRecord.fields, others),
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

// Clients send back whole records, also unchanged emails.
function changesCredentials(user: UserDocument, { email, password }: UserPatch): boolean {
  if (password !== undefined) return true;
  const wanted = email === null ? buildPlaceholderEmail(user) : email;
  return wanted !== undefined && ![wanted, lookupEmail(wanted)].includes(user.email);
}

export async function assertNotOfFirstStart(user: UserDocument): Promise<void> {
  if (!(await isOfFirstStart(user))) return;
  throw unprocessable(
    'The first start made this user: its role, organization, email and password stay. Create another user instead.',
  );
}

/** See spec 4.2. */
function assertNoPrivilegeChange(principal: Principal, user: UserDocument, body: UserPatch): void {
  if (includesScope(principal.scope, 'admin')) return;
  for (const field of ['role', 'organization'] as const) {
    if (body[field] !== undefined && body[field] !== user[field]) {
      throw new DomainError('forbidden', `Not allowed: changing the ${field} needs scope admin.`);
    }
  }
}

/**
 * Reverts a change that left no other admin. Throws DomainError `unprocessable` for the last admin
 * of the root organization.
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
  return unprocessable('This is the last admin of the root organization: create another admin first.');
}

/** Names the other user only to callers who may see that user: emails are unique everywhere. */
function withUniqueEmail<T>(
  email: string | null | undefined,
  { reach }: Principal,
  write: () => Promise<T>,
): Promise<T> {
  return rejectDuplicate(async () => {
    const holder = email ? await findUserByEmail(reach, email) : null;
    const conflict = holder ? ({ resource: 'users', id: holder._id } as const) : undefined;
    return { path: 'email', message: 'is taken by another user', conflict };
  }, write);
}
