import { findUser, findUsers, listUsers, presentUser, userRecord } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { recordSource } from '../../records/resource.ts';
import type { RecordSource } from '../../records/resource.ts';

export const users: RecordSource<UserDocument, 'users'> = {
  ...recordSource(userRecord, { find: findUser, findMany: findUsers, list: listUsers }),
  present: presentUser,
};
