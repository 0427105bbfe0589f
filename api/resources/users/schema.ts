import { findUser, findUsers, listUsers, presentUser, userRecord } from '../../../store/accounts/users.ts';
import { recordSource } from '../../records/resource.ts';

export const users = {
  ...recordSource(userRecord, { find: findUser, findMany: findUsers, list: listUsers }),
  present: presentUser,
};
