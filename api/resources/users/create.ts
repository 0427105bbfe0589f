import type { Static } from 'typebox';
import { checkedEmail } from '../../../domain/email.ts';
import { refuseFreeForm } from '../../../domain/free-form.ts';
import { emailOfNone } from '../../../domain/user.ts';
import { insertUser } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { hashPassword } from '../auth/password.ts';
import { permittedOrganization } from '../../../auth/permitted-organization.ts';
import { createdAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { withUniqueEmail } from './unique-email.ts';
import { users } from './resource.ts';
import type { userInput } from './schema.ts';

/** POST /users. */
export async function createUser(request: ApiRequest<Static<typeof userInput>>, api: Api): Promise<Answer> {
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
