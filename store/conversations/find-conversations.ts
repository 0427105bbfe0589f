import { ttlCache } from '../queries/ttl-cache.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import { findFirst } from '../queries/find-first.ts';
import type { Search } from '../queries/find-first.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import { onVisibleRoles } from '../../domain/query/visible-roles.ts';
import { organizationContext } from '../records/organizations.ts';
import { NOT_DELETED } from '../queries/not-deleted.ts';
import { onConversations } from './messages-asked.ts';
import { organizationsWithin, visible, visibleAmong } from '../queries/reach.ts';
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

const PLACE = { slug: 1, organization: 1, contact: 1 } as const;

// The commit is large and nobody's business.
const HIDDEN = { commit: 0, conditional: 0, pending: 0, loops: 0 } as const;

export async function findConversation(reach: Reach, id: string): Promise<ConversationDocument | null> {
  const found = await conversationModel.collection.findOne(
    { _id: id, ...NOT_DELETED, ...takingPart(reach) },
    { projection: HIDDEN },
  );
  return visible(reach, found);
}

/** Those of the conversations that are within reach, in no particular order. */
export async function findConversations(
  reach: Reach,
  ids: readonly string[],
): Promise<ConversationDocument[]> {
  const found = await conversationModel
    .find({ _id: { $in: [...ids] }, ...NOT_DELETED, ...takingPart(reach) }, HIDDEN)
    .lean<ConversationDocument[]>();
  return visibleAmong(reach, found);
}

// Little of a place changes: its conversation is deleted, or gets a contact. Its workflow knows.
const PLACES = { maxAgeMs: 30_000, max: 20_000 };
const places = ttlCache({ ...PLACES, load: (id) => loadPlace({ _id: id }) });

/**
 * The place of a conversation within reach. For half a minute also of one that another process has
 * deleted: posting there is refused by the conversation itself.
 */
export async function findConversationRef(reach: Reach, id: string): Promise<ConversationRef | null> {
  if (reach.guest !== undefined) return visible(reach, await loadPlace({ _id: id, ...takingPart(reach) }));
  const place = await places.get(id);
  if (!place) places.forget(id);
  return visible(reach, place);
}

/** Call after this process deleted a conversation, or gave it a contact. */
export function forgetConversationRef(id: string): void {
  places.forget(id);
}

async function loadPlace(which: { _id: string }): Promise<ConversationRef | null> {
  const found = await conversationModel.collection.findOne(
    { ...which, ...NOT_DELETED },
    { projection: PLACE },
  );
  return placeOf(found);
}

/**
 * `messages` may be asked for, though it is not stored. Throws DomainError `invalid_request` for
 * more than whether it has one, and for what would find out the role of a participant above.
 */
export async function listConversations(reach: Reach, query: ListQuery): Promise<Page<ConversationDocument>> {
  const asked = onVisibleRoles(await onConversations(query), await organizationsAbove(reach));
  return findPage(conversationModel, await scopeOf(reach), { ...asked, hidden: HIDDEN });
}

/** The first conversation within reach, by id, that a search is for. Throws SearchTooLong. */
export async function firstConversation(reach: Reach, search: Search): Promise<ConversationDocument | null> {
  const { conditions } = onVisibleRoles(
    { conditions: [...search.conditions], sort: [] },
    await organizationsAbove(reach),
  );
  return findFirst(conversationModel, await scopeOf(reach), { ...search, conditions });
}

async function organizationsAbove({ organization }: Reach): Promise<string[]> {
  return (await organizationContext(organization))?.path.slice(0, -1) ?? [];
}

async function scopeOf(reach: Reach) {
  // Tombstones have no organization: an index on it alone tells how many there are.
  return { organization: { $in: await organizationsWithin(reach) }, ...takingPart(reach) };
}

/**
 * A conversation by the path segment of its viewer's address, whoever asks: who knows it may see
 * the conversation (spec 10.2).
 */
export async function findBySlug(slug: string): Promise<ConversationRef | null> {
  return placeOf(
    await conversationModel.findOne({ slug, ...NOT_DELETED }, PLACE).lean<ConversationDocument>(),
  );
}

/**
 * The place of a conversation, whoever asks; `deleted` where only its tombstone is left, null where
 * there never was one. One look, so that one which is just being made is not taken for deleted.
 */
export async function findConversationOrTombstone(id: string): Promise<ConversationRef | 'deleted' | null> {
  const found = await conversationModel.findById(id, { ...PLACE, deletedAt: 1 }).lean<ConversationDocument>();
  return found?.deletedAt ? 'deleted' : placeOf(found);
}

function takingPart({ guest }: Reach): { 'participants.user'?: string } {
  return guest === undefined ? {} : { 'participants.user': guest };
}

function placeOf(found: ConversationDocument | null): ConversationRef | null {
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
