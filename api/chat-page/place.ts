import { notFound } from '../../domain/errors.ts';
import { findContactByIdentifiers } from '../../application/posting/find-or-create-contact.ts';
import {
  findBySlug,
  findConversationRef,
  findConversationOrTombstone,
} from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import type { Api, OpenRequest } from '../request.ts';
import type { Principal } from '../../application/auth/principal.ts';
import { viewerMessage } from '../../domain/messages/chat-page-message.ts';
import type { ViewerMessage } from '../../domain/messages/chat-page-message.ts';
import { getVisibleAuthor } from '../../domain/messages/message-author.ts';
import { presentMessage } from '../../application/presenters/presenters.ts';
import { findPublicAuthor } from '../../store/accounts/authors.ts';
import type { TypingNow } from '../streams/feed.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import { createEncryption } from '../../application/posting/encryption.ts';
import { newSeed, createSeededIds } from '../../application/posting/id-generator.ts';
import type { ContactProfile } from '../../store/conversations/contacts.ts';
import { storeNow } from '../../store/cluster/clock.ts';

/**
 * What the key in a path opens: a conversation, or one that waits for its first message (spec
 * 13.3).
 */
export type ChatTarget =
  { kind: 'stored'; ref: ConversationRef; started?: PendingChat } | { kind: 'started'; started: PendingChat };

/** What the key of the path opens; null where that is nothing, or nothing any more. */
export async function findChatTarget(
  { params }: Pick<OpenRequest, 'params'>,
  { config }: Pick<Api, 'config'>,
): Promise<ChatTarget | null> {
  const { slug = '' } = params;
  const started = createPendingChats(config.authSecret).read(slug);
  if (!started) {
    const ref = await findBySlug(slug);
    return ref && { kind: 'stored', ref };
  }
  const ref = await (started.known
    ? findKnownConversation(started)
    : findConversationOrTombstone(deriveChatIds(started).conversation));
  if (ref === 'deleted') return null;
  if (ref) return { kind: 'stored', ref, started };
  return isExpired(started) ? null : { kind: 'started', started };
}

/** The same; throws DomainError `not_found` where the key opens nothing. */
export async function resolveChatKey(
  request: Pick<OpenRequest, 'params'>,
  api: Pick<Api, 'config'>,
): Promise<ChatTarget> {
  const target = await findChatTarget(request, api);
  if (!target) throw notFound('The conversation');
  return target;
}

/**
 * The conversation that the key opens. Throws DomainError `not_found` before its first message too.
 */
export async function resolveStoredChat(
  request: Pick<OpenRequest, 'params'>,
  api: Pick<Api, 'config'>,
): Promise<ConversationRef> {
  const target = await resolveChatKey(request, api);
  if (target.kind === 'started') throw notFound('The conversation');
  return target.ref;
}

/** The organization whose page it is. */
export function getChatOrganization(target: ChatTarget): string {
  return target.kind === 'stored' ? target.ref.organization : target.started.organization;
}

async function findKnownConversation({
  organization,
  known = {},
}: PendingChat): Promise<ConversationRef | null> {
  const contact = await findContactByIdentifiers(organization, known, { isProved: true });
  return contact?.conversation === undefined
    ? null
    : findConversationRef({ organization }, contact.conversation);
}

/**
 * Whoever holds the key speaks as the contact, with the lowest scope (spec 10.1). A conversation
 * without one is spoken in by itself.
 */
export function buildContactPrincipal({ id, organization, contact = id }: ConversationRef): Principal {
  return {
    user: contact,
    isContact: true,
    organization,
    role: 'viewer',
    scope: 'guest',
    reach: { organization },
    credential: { family: 'viewer' },
  };
}

/** A stored message as the contact sees it; null for one that is not meant for them. */
export async function presentToContact(
  document: MessageDocument,
  publicUrl: string,
): Promise<ViewerMessage | null> {
  const { user, role } = document;
  const author = user === undefined || role === 'contact' ? null : await findPublicAuthor(user);
  return viewerMessage(presentMessage(document, publicUrl), getVisibleAuthor(role, author));
}

/** Somebody who is typing right now as the contact sees them; null for the contact themselves. */
export async function presentTypistToContact({ user, role, until }: TypingNow): Promise<object | null> {
  if (user === undefined || role === 'contact') return null;
  const author = getVisibleAuthor(role, await findPublicAuthor(user));
  return { role, until: until.toISOString(), ...(author ? { author } : {}) };
}

/**
 * A conversation that somebody has begun and said nothing in yet (spec 13.3). It is kept nowhere:
 * its key holds all there is to know of it, closed so that nobody can read or make one.
 */
export interface PendingChat {
  organization: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** What the names of its records follow from. */
  seed: string;
  /** Who the visitor is, where a signature has said so. */
  known?: Pick<ContactProfile, 'email' | 'telephone' | 'name'>;
}

/**
 * What the conversation of a visitor whom nobody knows will be called, however often it is begun.
 */
interface ChatIds {
  conversation: string;
  contact: string;
  slug: string;
}

/** How long the first message may take. A conversation that has one keeps its key for ever. */
const MAX_AGE_MS = 24 * 3600 * 1000;
const SEED_LENGTH = 40;
/** Slugs are shorter, and nobody's keys are longer. */
const KEY = /^[\w-]{80,2000}$/;

/** Makes and reads the keys of started conversations. */
interface PendingChats {
  start: (given: Pick<PendingChat, 'organization' | 'known'>) => string;
  /** What a key of `start` holds, however old; null where the text is none. */
  read: (key: string) => PendingChat | null;
}

export function createPendingChats(authSecret: string): PendingChats {
  const encryption = createEncryption(`widget ${authSecret}`);
  return {
    start(given) {
      const seed = newSeed().slice(0, SEED_LENGTH);
      const chat: PendingChat = { ...given, seed, startedAt: storeNow() };
      return Buffer.from(encryption.encrypt(JSON.stringify(chat)), 'base64').toString('base64url');
    },
    read(key) {
      if (!KEY.test(key)) return null;
      const text = encryption.decrypt(Buffer.from(key, 'base64url').toString('base64'));
      return text === null ? null : (JSON.parse(text) as PendingChat);
    },
  };
}

/** Whether the first message comes too late. */
function isExpired({ startedAt }: PendingChat): boolean {
  return storeNow() - startedAt > MAX_AGE_MS;
}

export function deriveChatIds({ seed }: PendingChat): ChatIds {
  const ids = createSeededIds(seed);
  return { conversation: ids.newId(), contact: ids.newId(), slug: ids.newSlug() };
}
