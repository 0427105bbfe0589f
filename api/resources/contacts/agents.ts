import Type from 'typebox';
import type { Static } from 'typebox';
import { MAX_NOTE_CHARACTERS, addNote, changeLabels } from '../../../domain/contact-notes.ts';
import { MAX_LABELS } from '../../../domain/conversations/labels.ts';
import { DomainError, notFound, unavailable } from '../../../domain/errors.ts';
import { assertNoParameters } from '../../../domain/query/query-string.ts';
import { includesScope } from '../../../domain/scope.ts';
import { mergingError } from '../../../application/posting/merge-contacts.ts';
import { contactProfile } from '../../../schema/conversation-body.ts';
import { about, named, object, patchOf, shownText, text } from '../../../schema/kinds.ts';
import { contactRecord, findContact, updateContact } from '../../../store/conversations/contacts.ts';
import type { ContactDocument, ContactProfile } from '../../../store/conversations/contacts.ts';
import { indexContact } from '../../../store/conversations/search-words.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import { publishEvent } from '../../pipeline/publish.ts';
import { withIfMatch } from '../../records/if-match.ts';
import type { Api, ApiRequest, HandlerResult } from '../../request.ts';
import { announceContact } from './announce.ts';
import { changeContactFields } from './contacts.ts';

const MAX_TRIES = 20;

/** Null clears a field. */
export const profilePatch = named('ContactProfilePatch', patchOf(contactProfile));

export const blockedInput = object('ContactBlocked', 'Whether the contact is blocked.', {
  blocked: about(Type.Boolean(), 'True blocks the contact, false unblocks the contact.', true),
});

/** GET /contacts/{id}/profile (spec 4.12) */
export async function getContactProfile({ principal, id, querystring }: ApiRequest): Promise<HandlerResult> {
  assertNoParameters(querystring);
  const found = await findContact(principal.reach, id);
  if (!found) throw notFound('The contact');
  return { status: 200, body: found.profile };
}

/** PATCH /contacts/{id}/profile (spec 4.12) */
export async function updateContactProfile(
  request: ApiRequest<Static<typeof profilePatch>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, id, body } = request;
  const target = {
    what: 'The contact',
    find: () => findContact(principal.reach, id),
    present: ({ profile }: ContactDocument) => profile,
  };
  // The merged profile is written only if the stored contact has not changed.
  const always = { ifMatch: request.ifMatch || '*' };
  const done = await withIfMatch(always, target, async (found) => {
    if (found.merging) throw mergingError(id);
    const profile = mergeProfile(found.profile, body);
    const changed = await changeContactFields(request, { contact: found, seen: found }, { profile });
    return changed && { found, changed };
  }).catch(namedInProfile);
  if (!done) throw unavailable();
  const { found, changed } = done;
  await indexContact(changed);
  const [record, before] = [contactRecord.present(changed), contactRecord.present(found)];
  await publishEvent('contact.update', { subject: { record, before }, request, api });
  await announceContact(id, request, api);
  return { status: 200, body: changed.profile };
}

/** PUT /contacts/{id}/blocked (spec 4.13) */
export async function putContactBlocked(
  request: ApiRequest<Static<typeof blockedInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { blocked } = request.body;
  let wasBlocked: boolean | undefined;
  const contact = await changeContact(request, api, (found) => {
    wasBlocked = found.blocked ?? false;
    return wasBlocked === blocked ? {} : { blocked: blocked || null };
  });
  if (wasBlocked !== blocked) await announceContact(contact._id, request, api);
  return { status: 200, body: contactRecord.present(contact) };
}

/** The body of the request is the profile itself. */
function namedInProfile(error: unknown): never {
  if (!(error instanceof DomainError) || !error.details) throw error;
  const { code, message, conflict } = error;
  const strip = (path: string) => path.replace(/^profile\./, '');
  const details = error.details.map((one) => ({ ...one, path: strip(one.path) }));
  throw new DomainError(code, strip(message), { details, conflict });
}

function mergeProfile(stored: ContactProfile, change: Static<typeof profilePatch>): ContactProfile {
  const merged = Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged);
}

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

type Change = Pick<Patch<ContactDocument>, 'labels' | 'notes' | 'blocked'>;

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
