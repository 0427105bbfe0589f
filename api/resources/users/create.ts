import type { Static } from 'typebox';
import { checkedEmail } from '../../../domain/email.ts';
import { refuseFreeForm } from '../../../domain/free-form.ts';
import { emailOfNone, rejectReservedEmail } from '../../../domain/user.ts';
import { insertUser } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { hashPassword } from '../auth/password.ts';
import { permittedOrganization } from '../../../application/auth/permitted-organization.ts';
import { createdAnswer } from '../../records/answers.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { withUniqueEmail } from './unique-email.ts';
import { users } from './resource.ts';
import type { userInput } from './schema.ts';

type CreateUser = ApiRequest<Static<typeof userInput>>;

/** POST /users. */
export async function createUser(request: CreateUser, api: Api): Promise<HandlerResult> {
  const { email } = request.body;
  if (email !== undefined) rejectReservedEmail(checkedEmail(email, 'email'));
  return createAnyUser(request, api);
}

/** Creates a user, who may have an email that is reserved for the product. */
export async function createAnyUser(request: CreateUser, api: Api): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  const { organization: named, password, email, meta = {}, status, ...fields } = body;
  refuseFreeForm(body);
  const id = ids.newId();
  const now = new Date(receivedAt);
  const user: UserDocument = {
    ...fields,
    _id: id,
    organization: await permittedOrganization(principal, named),
    email: email === undefined ? emailOfNone({ _id: id, role: body.role }) : checkedEmail(email, 'email'),
    ...(password === undefined ? {} : { passwordHash: await hashPassword(password, principal.user) }),
    status: status ?? 'offline',
    ...(status === undefined ? {} : { statusAt: now }),
    meta,
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  };
  await withUniqueEmail(() => insertUser(user));
  return createdAnswer(users, user, api);
}
