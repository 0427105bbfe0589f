import { notFound, unprocessable } from '../../domain/refusal.ts';
import { findContact, removeLoneContact } from '../../store/contacts.ts';
import type { Answer, ApiRequest } from '../request.ts';

/** DELETE /contacts/{id}. */
export async function removeContact({ principal, params }: ApiRequest): Promise<Answer> {
  const id = params['id'] ?? '';
  if (await removeLoneContact(principal.reach, id)) return { status: 204 };
  if (!(await findContact(principal.reach, id))) throw notFound('The contact');
  throw unprocessable('The contact has a conversation. Delete that: the contact goes with it.');
}
