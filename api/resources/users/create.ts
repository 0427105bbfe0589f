import type { Static } from 'typebox';
import { parseEmail } from '../../../domain/email.ts';
import { assertValidFreeForm } from '../../../domain/free-form.ts';
import { buildPlaceholderEmail, assertUnreservedEmail } from '../../../domain/user.ts';
import { insertUser } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { hashPassword } from '../auth/password.ts';
import { choosePermittedOrganization } from '../../../application/auth/permitted-organization.ts';
import { buildCreatedResult } from '../../records/answers.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { withUniqueEmail } from './unique-email.ts';
import { users } from './resource.ts';
import type { userInput } from './schema.ts';

type CreateUser = ApiRequest<Static<typeof userInput>>;

/** POST /users. */
export async function createUser(request: CreateUser, api: Api): Promise<HandlerResult> {
  const { email } = request.body;
  if (email !== undefined) assertUnreservedEmail(parseEmail(email, 'email'));
  return createAnyUser(request, api);
}

/** Creates a user, who may have an email that is reserved for the product. */
export async function createAnyUser(request: CreateUser, api: Api): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  const { organization: named, password, email, meta = {}, status, ...fields } = body;
  assertValidFreeForm(body);
  const id = ids.newId();
  const now = new Date(receivedAt);
  const user: UserDocument = {
    ...fields,
    _id: id,
    organization: await choosePermittedOrganization(principal, named),
    email:
      email === undefined ? buildPlaceholderEmail({ _id: id, role: body.role }) : parseEmail(email, 'email'),
    ...(password === undefined ? {} : { passwordHash: await hashPassword(password, principal.user) }),
    status: status ?? 'offline',
    ...(status === undefined ? {} : { statusAt: now }),
    meta,
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  };
  await withUniqueEmail(() => insertUser(user));
  return buildCreatedResult(users, user, api);
}
