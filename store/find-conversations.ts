import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import { findPage } from './listing.ts';
import type { ListQuery, Page } from './listing.ts';
import { organizationsWithin, visible } from './reach.ts';
import type { Reach } from './reach.ts';

/** Where messages of a conversation belong: what of it never changes. */
export interface ConversationPlace {
  id: string;
  slug: string;
  organization: string;
  contact?: string;
}

const PLACE = { slug: 1, organization: 1, contact: 1 } as const;

// The commit is large and nobody's business; a tombstone is no conversation.
const HIDDEN = { commit: 0, pending: 0, loops: 0 } as const;
const LIVING = { deletedAt: { $exists: false } };

export async function findConversation(reach: Reach, id: string): Promise<ConversationDocument | null> {
  const found = await conversationModel
    .findOne({ _id: id, ...LIVING, ...takingPart(reach) }, HIDDEN)
    .lean<ConversationDocument>();
  return visible(reach, found);
}

/** The place of a conversation within reach. */
export async function findPlace(reach: Reach, id: string): Promise<ConversationPlace | null> {
  const found = await conversationModel
    .findOne({ _id: id, ...LIVING, ...takingPart(reach) }, PLACE)
    .lean<ConversationDocument>();
  return placeOf(await visible(reach, found));
}

export async function listConversations(reach: Reach, query: ListQuery): Promise<Page<ConversationDocument>> {
  const within = { organization: { $in: await organizationsWithin(reach) }, ...LIVING, ...takingPart(reach) };
  return findPage(conversationModel, within, query);
}

function takingPart({ guest }: Reach): { 'participants.user'?: string } {
  return guest === undefined ? {} : { 'participants.user': guest };
}

function placeOf(found: ConversationDocument | null): ConversationPlace | null {
  if (!found) return null;
  const { _id, slug, organization, contact } = found;
  return { id: _id, slug, organization, ...(contact ? { contact } : {}) };
}
