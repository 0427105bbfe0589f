import { findContact } from '../../../store/conversations/contacts.ts';
import { foundAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { contacts } from './present.ts';

/** GET /contacts/{id}. */
export function getContact(request: ApiRequest, api: Api): Promise<Answer> {
  const { principal, id } = request;
  return foundAnswer(contacts, request, () => findContact(principal.reach, id), api);
}
