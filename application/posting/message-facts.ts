import { createHash } from 'node:crypto';
import { isCarriable } from '../../domain/channels/carrier.ts';
import type { CarrierFacts } from '../../domain/channels/channel-type.ts';
import { channelFacts } from '../../domain/channels/identity.ts';
import type { ConversationForm } from '../../domain/conversations/conversation.ts';
import { assertAddressFits } from '../../domain/effects/contact-effects.ts';
import { parseEmail } from '../../domain/email.ts';
import { DomainError, unprocessable, withinMessage } from '../../domain/errors.ts';
import { fingerprintText } from '../../domain/messages/message.ts';
import type { MessageDraft, MessageFacts, UserFacts } from '../../domain/messages/message.ts';
import { findRating } from '../../domain/messages/rating.ts';
import { resolveResults } from '../../domain/messages/results.ts';
import type { CompletableForm, UsableForms } from '../../domain/messages/results.ts';
import { collectLookups } from '../../domain/query/lookups.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { findBotsAlong, findUsers } from '../../store/accounts/users.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import { findContactById } from '../../store/conversations/contacts.ts';
import { findConversation, findTopics } from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { findChannel, findChannels } from '../../store/delivery/channels.ts';
import { findReachable } from '../../store/records/channels.ts';
import { findFormFacts, findFormFor, findRatingForm, findSomeForms } from '../../store/records/forms.ts';
import { RESOURCES, collectNamedRecords } from '../../domain/resources.ts';
import { includesScope } from '../../domain/scope.ts';
import type { FormFacts } from '../../store/records/forms.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { assertNamesVisible } from '../auth/named-records.ts';
import type { Principal } from '../auth/principal.ts';
import { findContactByIdentifiers } from './contacts.ts';
import type { Posting } from './posting-context.ts';
import { parseTelephone } from './telephone.ts';

type FactsContext = Pick<Posting, 'principal' | 'origin' | 'place'>;

export async function loadFacts(draft: MessageDraft, posting: FactsContext): Promise<MessageFacts> {
  const [sender, found] = await Promise.all([
    loadSenderFacts(draft, posting.principal),
    loadReferencedFacts(draft, posting),
  ]);
  return definedFields({ fingerprint: computeFingerprint(draft, posting), sender, ...found });
}

/** Throws as `assertNamesVisible` does. */
export async function assertMessageNames(
  { type, service, meta }: Pick<MessageDraft, 'type' | 'service' | 'meta'>,
  { principal: { reach }, place }: Pick<FactsContext, 'principal' | 'place'>,
  edited?: Pick<MessageDraft, 'meta'>,
): Promise<void> {
  const named = { service, meta: type === 'mention' ? meta : undefined };
  await assertNamesVisible(collectNamedRecords('messages', named), reach, async (unseen) => {
    const [conversation, line] = await Promise.all([
      findConversation({ organization: place.organization }, place.id),
      organizationContext(place.organization),
    ]);
    const ids = unseen.flatMap(({ to, id }) => (to === 'users' ? [id] : []));
    const above = await findBotsAlong(line?.path ?? [], ids);
    return [
      ...collectNamedRecords('conversations', conversation ?? {}),
      ...collectNamedRecords('messages', edited ?? {}),
      ...above,
    ];
  });
}

/**
 * Returns the channel services that may carry a message, with the contact's addresses. For a
 * message from a channel, returns its service. Undefined if the organization has no channels.
 */
export async function loadCarriers(
  draft: MessageDraft,
  { place, person }: Pick<Posting, 'place' | 'person'>,
  named: boolean,
): Promise<CarrierFacts | undefined> {
  if (!isCarriable(draft)) {
    if (draft.role !== 'contact' || draft.service === undefined) return undefined;
    const own = await findChannel(place.organization, draft.service);
    return own && { named, services: [own] };
  }
  const channels = await findChannels(place.organization);
  if (channels.length === 0) return undefined;
  const contact = person ?? (place.contact ? await findContactById(place.contact) : null);
  return { named, services: channels.map((channel) => channelFacts(channel, contact)) };
}

function computeFingerprint(draft: MessageDraft, { principal, origin }: FactsContext): string | undefined {
  if (principal.role !== 'bot' || origin !== 'message' || draft.role === 'contact') return undefined;
  return createHash('sha256').update(fingerprintText(draft)).digest('base64url');
}

async function loadSenderFacts({ user }: MessageDraft, principal: Principal): Promise<UserFacts | undefined> {
  if (user === undefined) return undefined;
  if (user === principal.user) return { user, organization: principal.organization, role: principal.role };
  const [found] = await findUsers(principal.reach, [user]);
  if (!found) throw unprocessable('there is no such user', 'user');
  return toUserFacts(found);
}

async function loadReferencedFacts(
  draft: MessageDraft,
  { principal, place }: FactsContext,
): Promise<MessageFacts> {
  const { categories, form, assignees, contact, channels } = collectLookups(draft);
  return {
    categories: categories ? ((await organizationContext(place.organization))?.categories ?? []) : undefined,
    form: form === undefined ? undefined : await loadFormFacts(form, draft, place),
    assignees: assignees && (await findUsers(principal.reach, assignees)).map(toUserFacts),
    contactValue: contact && (await normalContactValue(contact, { place, principal })),
    channels: channels && (await findReachable(place.organization, channels)),
    rating: await loadRating(draft, { principal, place }),
  };
}

/** Users other than bots do not rate for the contact. */
async function loadRating(
  { type, results = [] }: MessageDraft,
  { principal, place }: Pick<FactsContext, 'principal' | 'place'>,
): Promise<number | undefined> {
  if (type !== 'results' || !(principal.isContact || principal.role === 'bot')) return undefined;
  const form = await findRatingForm(place.organization);
  return form ? findRating(results, form.id) : undefined;
}

function toUserFacts({ _id, organization, role }: UserDocument): UserFacts {
  return { user: _id, organization, role };
}

async function normalContactValue(
  { field, value }: { field: string; value: string },
  { place: { organization, contact }, principal }: Pick<FactsContext, 'place' | 'principal'>,
): Promise<string> {
  if (field.startsWith('address.')) await assertAddressNotLonger(field, contact);
  if (field !== 'email' && field !== 'telephone') return value;
  const stored =
    field === 'email'
      ? parseEmail(value, field)
      : parseTelephone(value, (await organizationContext(organization))?.country, field);
  const holder = await findContactByIdentifiers(organization, { [field]: stored });
  if (holder && holder._id !== contact) {
    const maySee = !principal.isContact && includesScope(principal.scope, RESOURCES.contacts.scopes.list);
    const extras = maySee ? { conflict: { resource: 'contacts', id: holder._id } as const } : {};
    throw new DomainError('conflict', `Another contact of the organization has this ${field}.`, extras);
  }
  return stored;
}

// The conversation's workflow checks the address again.
async function assertAddressNotLonger(field: string, contact: string | undefined): Promise<void> {
  const address = (contact && (await findContactById(contact))?.profile.address) || {};
  const longer = { ...address, [field.slice('address.'.length)]: '' };
  assertAddressFits({ address }, { address: longer });
}

/**
 * If several forms share a name, returns the open form for a field message, and the category's form
 * for a form message.
 */
async function loadFormFacts(
  idOrName: string,
  draft: Pick<MessageDraft, 'type' | 'meta'>,
  place: ConversationRef,
): Promise<MessageFacts['form']> {
  const [line, topics] = await Promise.all([organizationContext(place.organization), findTopics(place.id)]);
  const { category, categoryIndex } = place.category === undefined ? topics : place;
  const categories = line?.categories ?? [];
  const listedUnder = (category: unknown, index: unknown) =>
    categories.flatMap((one, at) =>
      one.name === category || (index != null && at === Number(index)) ? one.forms : [],
    );
  const ofCategory = [
    ...listedUnder(draft.meta?.['category'], draft.meta?.['categoryIndex']),
    // The list may have changed since the conversation got its index.
    ...listedUnder(category, category === undefined ? categoryIndex : undefined),
  ];
  const open = topics.forms.map(({ form }) => form);
  const meant = draft.type === 'field' ? [...open, ...ofCategory] : [...ofCategory, ...open];
  const usable = categories.flatMap(({ forms }) => forms);
  const listed = [...new Set([...meant, ...usable])];
  const found = await findFormFor({ path: line?.path ?? [place.organization], listed, usable }, idOrName);
  if (!found) return undefined;
  const { _id: id, name, type, fields } = found;
  return { id, name, type, keys: fields.map(({ key }) => key) };
}

const MAX_FORMS = 100;
const MAX_OFFERED = 10;

/**
 * Matches results with forms that the conversation can use, in the current version or as opened
 * (spec 6.8).
 */
export async function resolveFormResults(drafts: MessageDraft[], posting: Posting): Promise<MessageDraft[]> {
  const named = drafts.flatMap(({ results = [] }) => results);
  if (named.length === 0) return drafts;
  const forms = await loadUsableForms(named, posting);
  return drafts.map((draft, at) => {
    const { results } = draft;
    if (!results) return draft;
    const resolve = () => resolveResults(results, forms);
    return { ...draft, results: withinMessage(at, drafts.length, resolve) };
  });
}

/** Trusts an open form only if the organizations or categories of the conversation have it. */
export async function loadUsableForms(
  named: readonly { form: string }[],
  { principal, place }: Pick<FactsContext, 'principal' | 'place'>,
): Promise<UsableForms> {
  const ids = [...new Set(named.map(({ form }) => form))];
  if (ids.length > MAX_FORMS)
    throw unprocessable(`A request completes at most ${MAX_FORMS} different forms.`);
  const [context, { forms: open }] = await Promise.all([
    organizationContext(place.organization),
    findTopics(place.id),
  ]);
  const usable = context?.categories.flatMap(({ forms }) => forms) ?? [];
  const found = await findFormFacts({ path: context?.path ?? [place.organization], usable }, ids);
  const forms = mergeCompletableForms(found, open);
  const offered = ids.every((id) => forms.has(id)) ? [] : await listOfferedForms(open, { principal, place });
  return { forms, offered };
}

function mergeCompletableForms(
  found: readonly FormFacts[],
  open: readonly ConversationForm[],
): Map<string, CompletableForm> {
  const forms = new Map<string, CompletableForm>();
  for (const { _id, name, type, fields } of found) {
    forms.set(_id, { names: [name], types: [type], keys: fields.map(({ key }) => key) });
  }
  for (const { form, name, type, values } of open) {
    const now = forms.get(form) ?? { names: [], types: [], keys: [] };
    forms.set(form, {
      names: [...new Set([...now.names, name])],
      types: [...new Set([...now.types, type])],
      keys: now.keys.length === 0 ? [] : [...new Set([...now.keys, ...Object.keys(values)])],
    });
  }
  return forms;
}

/** Returns only the open forms for callers who may not list forms. */
async function listOfferedForms(
  open: readonly ConversationForm[],
  { principal, place }: Pick<FactsContext, 'principal' | 'place'>,
): Promise<string[]> {
  const own = includesScope(principal.scope, 'bot')
    ? await findSomeForms(place.organization, MAX_OFFERED)
    : [];
  const named = [
    ...open.map(({ form, name }) => ({ id: form, name })),
    ...own.map(({ _id, name }) => ({ id: _id, name })),
  ];
  const unique = new Map(named.map(({ id, name }) => [id, `"${name}" (${id})`]));
  return [...unique.values()].slice(0, MAX_OFFERED);
}
