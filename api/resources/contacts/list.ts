import { listContacts as findContacts } from '../../../store/conversations/contacts.ts';
import { listAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { contacts } from './present.ts';
import { contactPaths } from './schema.ts';

/** GET /contacts. */
export function listContacts(request: ApiRequest, api: Api): Promise<Answer> {
  const find = (query: Parameters<typeof findContacts>[1]) => findContacts(request.principal.reach, query);
  return listAnswer(contacts, request, { api, paths: contactPaths, find });
}
