import { notFound } from '../../domain/errors.ts';
import { findContactByIdentifiers } from '../../application/posting/contacts.ts';
import {
  findBySlug,
  findConversationRef,
  findConversationOrTombstone,
} from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import type { Api, OpenRequest } from '../request.ts';
import type { Principal } from '../../application/auth/principal.ts';
import { getVisibleAuthor, viewerMessage } from '../../domain/messages/chat-page-message.ts';
import type { ViewerMessage } from '../../domain/messages/chat-page-message.ts';
import { presentMessage } from '../../application/presenters/presenters.ts';
import { findPublicAuthor } from '../../store/accounts/authors.ts';
import type { TypingNow } from '../streams/event-writer.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import { createEncryption } from '../../application/posting/encryption.ts';
import { newSeed, createSeededIds } from '../../application/posting/id-generator.ts';
import type { ContactProfile } from '../../store/conversations/contacts.ts';
import { storeNow } from '../../store/cluster/clock.ts';

export type ChatTarget =
  | { kind: 'stored'; ref: ConversationRef; started?: PendingChat }
  | { kind: 'started'; started: PendingChat };

/**
 * Returns null for an invalid key, an expired key without a conversation, or a deleted conversation
 * of an anonymous visitor.
 */
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

export async function resolveChatKey(
  request: Pick<OpenRequest, 'params'>,
  api: Pick<Api, 'config'>,
): Promise<ChatTarget> {
  const target = await findChatTarget(request, api);
  if (!target) throw notFound('The conversation');
  return target;
}

export async function resolveStoredChat(
  request: Pick<OpenRequest, 'params'>,
  api: Pick<Api, 'config'>,
): Promise<ConversationRef> {
  const target = await resolveChatKey(request, api);
  if (target.kind === 'started') throw notFound('The conversation');
  return target.ref;
}

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

/** See spec 10.1. */
export function buildContactPrincipal({
  organization,
  contact,
}: {
  organization: string;
  contact: string;
}): Principal {
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

/** Returns null for messages that are hidden from contacts. */
export async function presentToContact(
  document: MessageDocument,
  publicUrl: string,
): Promise<ViewerMessage | null> {
  const { user, role } = document;
  const author = user === undefined || role === 'contact' ? null : await findPublicAuthor(user);
  return viewerMessage(presentMessage(document, publicUrl), getVisibleAuthor(role, author));
}

/** Returns null if the contact is typing. */
export async function presentTypistToContact({ user, role, until }: TypingNow): Promise<object | null> {
  if (user === undefined || role === 'contact') return null;
  const author = getVisibleAuthor(role, await findPublicAuthor(user));
  return { role, until: until.toISOString(), ...(author ? { author } : {}) };
}

/** A chat without a message, stored in its encrypted key only (spec 13.3). */
export interface PendingChat {
  organization: string;
  /** Epoch milliseconds. */
  startedAt: number;
  seed: string;
  /** Profile of a verified visitor (spec 13.4). */
  known?: Pick<ContactProfile, 'email' | 'telephone' | 'name'>;
}

/**
 * The seed determines the ids of an anonymous chat, so that a repeated first message creates
 * nothing.
 */
export interface ChatIds {
  conversation: string;
  contact: string;
  slug: string;
}

/** A key expires after this time without a message. */
const MAX_AGE_MS = 24 * 3600 * 1000;
const SEED_LENGTH = 40;
/** Keys are longer than slugs. */
const KEY = /^[\w-]{80,2000}$/;

interface PendingChats {
  start: (given: Pick<PendingChat, 'organization' | 'known'>) => string;
  /** Returns null for a text that `start` did not return. Accepts expired keys. */
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

function isExpired({ startedAt }: PendingChat): boolean {
  return storeNow() - startedAt > MAX_AGE_MS;
}

export function deriveChatIds({ seed }: PendingChat): ChatIds {
  const ids = createSeededIds(seed);
  return { conversation: ids.newId(), contact: ids.newId(), slug: ids.newSlug() };
}
