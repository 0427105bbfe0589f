import { ttlCache } from '../queries/ttl-cache.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import { findFirst, NOT_DELETED } from '../queries/find.ts';
import type { BoundedSearch } from '../queries/find.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import { hideRolesAbove } from '../../domain/query/derived.ts';
import { organizationContext } from '../records/organizations.ts';
import { resolveMessageConditions } from './messages-asked.ts';
import { organizationsWithin, visibleOrNull, filterVisible } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/**
 * Where messages of a conversation belong: what of it never changes, but that one without contact
 * may get one.
 */
export interface ConversationRef {
  id: string;
  slug: string;
  organization: string;
  contact?: string;
  /**
   * What it is about once the request at hand has made or changed it; otherwise what is stored
   * counts.
   */
  category?: string;
  categoryIndex?: number;
}

const REF_FIELDS = { slug: 1, organization: 1, contact: 1 } as const;

// The commit is large and nobody's business.
const HIDDEN = { commit: 0, conditional: 0, pending: 0, loops: 0 } as const;

export async function findConversation(reach: Reach, id: string): Promise<ConversationDocument | null> {
  const found = await conversationModel.collection.findOne(
    { _id: id, ...NOT_DELETED, ...participantFilter(reach) },
    { projection: HIDDEN },
  );
  return visibleOrNull(reach, found);
}

/** Those of the conversations that are within reach, in no particular order. */
export async function findConversations(
  reach: Reach,
  ids: readonly string[],
): Promise<ConversationDocument[]> {
  const found = await conversationModel
    .find({ _id: { $in: [...ids] }, ...NOT_DELETED, ...participantFilter(reach) }, HIDDEN)
    .lean<ConversationDocument[]>();
  return filterVisible(reach, found);
}

// Little of a place changes: its conversation is deleted, or gets a contact. Its workflow knows.
const REF_CACHE = { maxAgeMs: 30_000, max: 20_000 };
const conversationRefs = ttlCache({ ...REF_CACHE, load: (id) => loadConversationRef({ _id: id }) });

/**
 * The place of a conversation within reach. For half a minute also of one that another process has
 * deleted: posting there is refused by the conversation itself.
 */
export async function findConversationRef(reach: Reach, id: string): Promise<ConversationRef | null> {
  if (reach.guest !== undefined)
    return visibleOrNull(reach, await loadConversationRef({ _id: id, ...participantFilter(reach) }));
  const place = await conversationRefs.get(id);
  if (!place) conversationRefs.forget(id);
  return visibleOrNull(reach, place);
}

/** Call after this process deleted a conversation, or gave it a contact. */
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
 * `messages` may be asked for, though it is not stored. Throws DomainError `invalid_request` for
 * more than whether it has one, and for what would find out the role of a participant above.
 */
export async function listConversations(reach: Reach, query: ListQuery): Promise<Page<ConversationDocument>> {
  const asked = hideRolesAbove(await resolveMessageConditions(query), await organizationsAbove(reach));
  return findPage(conversationModel, await buildScope(reach), { ...asked, hidden: HIDDEN });
}

/** The first conversation within reach, by id, that a search is for. Throws SearchTooLong. */
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

async function organizationsAbove({ organization }: Reach): Promise<string[]> {
  return (await organizationContext(organization))?.path.slice(0, -1) ?? [];
}

async function buildScope(reach: Reach) {
  // Tombstones have no organization: an index on it alone tells how many there are.
  return { organization: { $in: await organizationsWithin(reach) }, ...participantFilter(reach) };
}

/**
 * A conversation by the path segment of its viewer's address, whoever asks: who knows it may see
 * the conversation (spec 10.2).
 */
export async function findBySlug(slug: string): Promise<ConversationRef | null> {
  return toConversationRef(
    await conversationModel.findOne({ slug, ...NOT_DELETED }, REF_FIELDS).lean<ConversationDocument>(),
  );
}

/**
 * The place of a conversation, whoever asks; `deleted` where only its tombstone is left, null where
 * there never was one. One look, so that one which is just being made is not taken for deleted.
 */
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
  return { id: _id, slug, organization, ...(contact ? { contact } : {}) };
}

/**
 * What a conversation is about: its category and its open forms. Nothing for one that is not stored
 * yet.
 */
export async function findTopics(
  id: string,
): Promise<Pick<ConversationDocument, 'category' | 'categoryIndex' | 'forms'>> {
  const found = (await conversationModel.collection.findOne(
    { _id: id, ...NOT_DELETED },
    {
      projection: { category: 1, categoryIndex: 1, forms: 1 },
    },
  )) as Pick<ConversationDocument, 'category' | 'categoryIndex' | 'forms'> | null;
  if (!found) return { forms: [] };
  const { category, categoryIndex, forms } = found;
  return {
    ...(category === undefined ? {} : { category }),
    ...(categoryIndex === undefined ? {} : { categoryIndex }),
    forms,
  };
}
