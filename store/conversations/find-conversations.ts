import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { ttlCache } from '../queries/ttl-cache.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import { findFirst, NOT_DELETED } from '../queries/find.ts';
import type { BoundedSearch } from '../queries/find.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import { pick } from '../../domain/record-fields.ts';
import { hideRolesAbove, translateDerived } from '../../domain/query/derived.ts';
import type { Condition } from '../../domain/query/tree.ts';
import { organizationContext } from '../records/organizations.ts';
import { messageModel } from './messages.ts';
import { organizationsWithin, visibleOrNull, filterVisible } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/** Cached: of these fields, only a stored conversation's `contact` may change. */
export interface ConversationRef {
  id: string;
  slug: string;
  organization: string;
  contact?: string | undefined;
  /** Set if the current request changed the category. Otherwise the stored category applies. */
  category?: string;
  categoryIndex?: number;
}

const REF_FIELDS = { slug: 1, organization: 1, contact: 1 } as const;

// Fields that no caller may see.
const HIDDEN = { commit: 0, conditional: 0, pending: 0, loops: 0, timing: 0 } as const;

export async function findConversation(reach: Reach, id: string): Promise<ConversationDocument | null> {
  const found = await conversationModel.collection.findOne(
    { _id: id, ...NOT_DELETED, ...participantFilter(reach) },
    { projection: HIDDEN },
  );
  return visibleOrNull(reach, found);
}

export async function findConversations(
  reach: Reach,
  ids: readonly string[],
): Promise<ConversationDocument[]> {
  const found = await conversationModel
    .find({ _id: { $in: [...ids] }, ...NOT_DELETED, ...participantFilter(reach) }, HIDDEN)
    .lean<ConversationDocument[]>();
  return filterVisible(reach, found);
}

const REF_CACHE = { maxAgeMs: 30_000, max: 20_000 };
const conversationRefs = ttlCache({ ...REF_CACHE, load: (id) => loadConversationRef({ _id: id }) });

/** Returns a reference at most half a minute old. The workflow rejects posts after a deletion. */
export async function findConversationRef(reach: Reach, id: string): Promise<ConversationRef | null> {
  if (reach.guest !== undefined)
    return visibleOrNull(reach, await loadConversationRef({ _id: id, ...participantFilter(reach) }));
  const found = await conversationRefs.get(id);
  if (!found) conversationRefs.forget(id);
  return visibleOrNull(reach, found);
}

/** Call after deleting a conversation or giving it a contact. */
export function forgetConversationRef(id: string): void {
  conversationRefs.forget(id);
}

async function loadConversationRef(which: { _id: string }): Promise<ConversationRef | null> {
  const found = await conversationModel.collection.findOne(
    { ...which, ...NOT_DELETED },
    { projection: REF_FIELDS },
  );
  return toConversationRef(found);
}

/**
 * Throws DomainError `invalid_request` for conditions that would reveal the role of a participant
 * from a parent organization.
 */
export async function listConversations(reach: Reach, query: ListQuery): Promise<Page<ConversationDocument>> {
  const asked = hideRolesAbove(await resolveMessageConditions(query), await organizationsAbove(reach));
  return findPage(conversationModel, await buildScope(reach), { ...asked, hidden: HIDDEN });
}

export async function firstConversation(
  reach: Reach,
  search: BoundedSearch,
): Promise<ConversationDocument | null> {
  const { conditions } = hideRolesAbove(
    { conditions: [...search.conditions], sort: [] },
    await organizationsAbove(reach),
  );
  return findFirst(conversationModel, await buildScope(reach), { ...search, conditions });
}

const MESSAGES = 'messages';

/**
 * Replaces conditions on `messages` by conditions on `id`. Ignores delayed messages (spec 5.1).
 * Throws DomainError `invalid_request` for conditions on `messages` other than equality.
 */
async function resolveMessageConditions(query: ListQuery): Promise<ListQuery> {
  const named = query.conditions.flatMap(collectMessageIds);
  const conversations = named.length > 0 ? await findConversationIds(named) : new Map<unknown, string>();
  return translateDerived(query, { path: MESSAGES, stored: 'id', toStored: (id) => conversations.get(id) });
}

function collectMessageIds(condition: Condition): string[] {
  if (condition.is === 'any') return condition.conditions.flatMap(collectMessageIds);
  const isNamed = condition.path === MESSAGES && (condition.is === 'one of' || condition.is === 'none of');
  return isNamed ? condition.values.filter((value) => typeof value === 'string') : [];
}

async function findConversationIds(ids: string[]): Promise<Map<unknown, string>> {
  const found = await messageModel.collection
    .find(
      { _id: { $in: ids }, sequence: { $exists: true }, ...NOT_DELETED },
      { projection: { conversation: 1 } },
    )
    .toArray();
  return new Map(found.map(({ _id, conversation }) => [_id, conversation]));
}

async function organizationsAbove({ organization }: Reach): Promise<string[]> {
  return (await organizationContext(organization))?.path.slice(0, -1) ?? [];
}

async function buildScope(reach: Reach) {
  // Excludes tombstones, which have no organization.
  return { organization: { $in: await organizationsWithin(reach) }, ...participantFilter(reach) };
}

/** Does not check the reach: the slug is the secret (spec 10.2). */
export async function findBySlug(slug: string): Promise<ConversationRef | null> {
  return toConversationRef(
    await conversationModel.findOne({ slug, ...NOT_DELETED }, REF_FIELDS).lean<ConversationDocument>(),
  );
}

const MAX_OF_CONTACT = 100;

/** Does not check the reach. A contact has several conversations only after merges (spec 4.7). */
export async function findConversationsOfContact(contact: string): Promise<string[]> {
  const found = await conversationModel.collection
    .find({ contact, ...NOT_DELETED }, { projection: { _id: 1 } })
    .limit(MAX_OF_CONTACT)
    .toArray();
  return found.map(({ _id }) => _id);
}

const HOLDING = [{ accepted: true }, { active: true }, { inbox: true }];
const MAX_HELD = 2_000;

/** Returns open conversations first. */
export async function findHeldConversations(
  user: string,
  { outside, except }: { outside: readonly string[]; except: readonly string[] },
): Promise<string[]> {
  const held = {
    'participants.user': user,
    participants: { $elemMatch: { user, $or: HOLDING } },
    organization: { $nin: [...outside] },
    _id: { $nin: [...except] },
    ...NOT_DELETED,
  };
  for (const status of [{ $ne: 'closed' as const }, 'closed' as const]) {
    const found = await conversationModel.collection
      .find({ ...held, status }, { projection: { _id: 1 } })
      .limit(MAX_HELD)
      .toArray();
    if (found.length > 0) return found.map(({ _id }) => _id);
  }
  return [];
}

const MAX_LOOKUPS = 500;

/** Calls of the same moment share queries. */
export const isSlugInUse = createBatcher({
  maxItems: MAX_LOOKUPS,
  async write(slugs: string[]) {
    const which = { slug: { $in: [...new Set(slugs)] }, ...NOT_DELETED };
    const found = await conversationModel.find(which, { slug: 1 }).lean<{ slug: string }[]>();
    const known = new Set(found.map(({ slug }) => slug));
    return slugs.map((slug) => known.has(slug));
  },
});

interface Membership {
  conversation: string;
  user: string;
}

export const isParticipant = createBatcher({
  maxItems: MAX_LOOKUPS,
  async write(asked: Membership[]) {
    const ids = [...new Set(asked.map(({ conversation }) => conversation))];
    const found = await conversationModel
      .find({ _id: { $in: ids }, ...NOT_DELETED }, { 'participants.user': 1 })
      .lean<Pick<ConversationDocument, '_id' | 'participants'>[]>();
    const users = new Map(found.map(({ _id, participants }) => [_id, participants.map(({ user }) => user)]));
    return asked.map(({ conversation, user }) => users.get(conversation)?.includes(user) ?? false);
  },
});

/** Uses one query: a conversation that is being created must not look deleted. */
export async function findConversationOrTombstone(id: string): Promise<ConversationRef | 'deleted' | null> {
  const found = await conversationModel
    .findById(id, { ...REF_FIELDS, deletedAt: 1 })
    .lean<ConversationDocument>();
  return found?.deletedAt ? 'deleted' : toConversationRef(found);
}

function participantFilter({ guest }: Reach): { 'participants.user'?: string } {
  return guest === undefined ? {} : { 'participants.user': guest };
}

function toConversationRef(found: ConversationDocument | null): ConversationRef | null {
  if (!found) return null;
  const { _id, slug, organization, contact } = found;
  return { id: _id, slug, organization, contact };
}

export async function findTopics(
  id: string,
): Promise<Pick<ConversationDocument, 'category' | 'categoryIndex' | 'forms'>> {
  const projection = { category: 1, categoryIndex: 1, forms: 1 };
  const found = await conversationModel.collection.findOne({ _id: id, ...NOT_DELETED }, { projection });
  return found ? pick(found, ['category', 'categoryIndex', 'forms']) : { forms: [] };
}
