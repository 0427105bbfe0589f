import Type from 'typebox';
import type { Static } from 'typebox';
import { mergeContacts } from '../../../application/posting/merge-contacts.ts';
import { notFound, unprocessable } from '../../../domain/errors.ts';
import { about, object, referenceTo } from '../../../schema/kinds.ts';
import { contactRecord, findContact } from '../../../store/conversations/contacts.ts';
import type { Api, ApiRequest, HandlerResult } from '../../request.ts';

export const mergeInput = object('ContactMerge', 'The contact to merge into the contact in the path.', {
  contact: referenceTo('duplicates', 'The other contact of the organization. It is deleted.'),
});

/** Response to a merge (spec 4.7). */
export const mergedSchema = object('MergedContact', 'The surviving contact.', {
  ...contactRecord.answer.properties,
  notKept: about(
    Type.Array(
      object('ValueNotKept', 'A value that the surviving contact does not have.', {
        path: about(Type.String(), 'The field of the deleted contact.', 'profile.email'),
        value: about(Type.Unknown(), 'The value of the field.', 'ada@example.com'),
      }),
    ),
    'The values of the deleted contact that are lost, because the surviving contact has other values.',
  ),
});

/** POST /contacts/{id}/merge: the contact of the path survives (spec 4.7). */
export async function mergeContact(
  { principal, id, body, ids }: ApiRequest<Static<typeof mergeInput>>,
  { posting: { config, conversations } }: Api,
): Promise<HandlerResult> {
  const { reach } = principal;
  const survivor = await findContact(reach, id);
  if (!survivor) throw notFound('The contact');
  if (body.contact === id) throw unprocessable('must be another contact', 'contact');
  const other = await findContact(reach, body.contact);
  if (other?.organization !== survivor.organization)
    throw unprocessable('there is no such contact in the organization', 'contact');
  const { publicUrl, deliveryShards } = config;
  const merge = { survivor, other, principal, id: ids.newId() };
  const { contact, notKept } = await mergeContacts(merge, { publicUrl, deliveryShards, conversations });
  return { status: 200, body: { ...contactRecord.present(contact), notKept } };
}
