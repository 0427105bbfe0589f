import { createEncryption } from '../../application/posting/encryption.ts';
import { newSeed, createSeededIds } from '../../application/posting/id-generator.ts';
import type { ContactProfile } from '../../store/conversations/contacts.ts';
import { storeNow } from '../../store/cluster/clock.ts';

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
export interface ChatIds {
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
export interface PendingChats {
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
export function isExpired({ startedAt }: PendingChat): boolean {
  return storeNow() - startedAt > MAX_AGE_MS;
}

export function deriveChatIds({ seed }: PendingChat): ChatIds {
  const ids = createSeededIds(seed);
  return { conversation: ids.newId(), contact: ids.newId(), slug: ids.newSlug() };
}
