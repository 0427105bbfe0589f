import Type from 'typebox';
import type { Static } from 'typebox';
import { MAX_NOTE_CHARACTERS, addNote, changeLabels } from '../../../domain/contact-notes.ts';
import { MAX_LABELS } from '../../../domain/conversations/labels.ts';
import { DomainError, notFound, unavailable } from '../../../domain/errors.ts';
import { includesScope } from '../../../domain/scope.ts';
import { mergingError } from '../../../application/posting/merge-contacts.ts';
import { about, object, shownText, text } from '../../../schema/kinds.ts';
import { contactRecord, findContact, updateContact } from '../../../store/conversations/contacts.ts';
import type { ContactDocument } from '../../../store/conversations/contacts.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import { publishEvent } from '../../pipeline/publish.ts';
import type { Api, ApiRequest, HandlerResult } from '../../request.ts';

const MAX_TRIES = 20;

const Labels = (description: string, example: string) =>
  Type.Optional(about(Type.Array(text({ max: 500 }), { maxItems: MAX_LABELS }), description, [example]));

export const labelsInput = object('ContactLabels', 'A change of the labels of a contact.', {
  add: Labels('Labels that the contact gets.', 'vip'),
  remove: Labels('Labels that the contact loses.', 'trial'),
});

export const noteInput = object('ContactNoteInput', 'A note about a contact.', {
  text: about(shownText({ max: MAX_NOTE_CHARACTERS }), 'The text of the note.', 'Prefers the telephone.'),
});

/** POST /contacts/{id}/labels (spec 4.9) */
export async function changeContactLabels(
  request: ApiRequest<Static<typeof labelsInput>>,
  api: Api,
): Promise<HandlerResult> {
  const contact = await changeContact(request, api, ({ labels = [] }) => {
    const changed = changeLabels(labels, request.body);
    const isSame = changed.length === labels.length && changed.every((one, at) => one === labels[at]);
    return isSame ? {} : { labels: changed.length === 0 ? null : changed };
  });
  return { status: 200, body: contactRecord.present(contact) };
}

/** POST /contacts/{id}/notes (spec 4.9) */
export async function createContactNote(
  request: ApiRequest<Static<typeof noteInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  const note = { id: ids.newId(), text: body.text, user: principal.user, createdAt: receivedAt };
  await changeContact(request, api, ({ notes = [] }) => ({ notes: addNote(notes, note) }));
  return { status: 201, body: note };
}

/** DELETE /contacts/{id}/notes/{note}: scope admin also deletes notes of others (spec 4.9). */
export async function removeContactNote(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal, params } = request;
  await changeContact(request, api, ({ notes = [] }) => {
    const found = notes.find(({ id }) => id === params['note']);
    if (!found) throw notFound('The note');
    if (found.user !== principal.user && !includesScope(principal.scope, 'admin'))
      throw new DomainError('forbidden', 'Only its author and admins delete a note.');
    const others = notes.filter((note) => note !== found);
    return { notes: others.length === 0 ? null : others };
  });
  return { status: 204 };
}

type Change = Pick<Patch<ContactDocument>, 'labels' | 'notes'>;

/** Publishes `contact.update` unless nothing changes. */
async function changeContact(
  request: ApiRequest,
  api: Api,
  decide: (contact: ContactDocument) => Change,
): Promise<ContactDocument> {
  const { principal, id } = request;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await findContact(principal.reach, id);
    if (!found) throw notFound('The contact');
    // The merge would remove the contact with the change.
    if (found.merging) throw mergingError(id);
    const change = decide(found);
    if (Object.keys(change).length === 0) return found;
    const changed = await updateContact(principal.reach, id, change, found);
    if (!changed) continue;
    const [record, before] = [contactRecord.present(changed), contactRecord.present(found)];
    await publishEvent('contact.update', { subject: { record, before }, request, api });
    return changed;
  }
  throw unavailable();
}
