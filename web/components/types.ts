import type { TimelineMessage } from '@parlance/client';
import type { Media } from '../../domain/files/media.ts';

/** Parts of a conversation as the chat page receives them (spec 10.2). */

export interface Action {
  type: 'link' | 'postback' | 'reply' | 'webview' | 'locationRequest';
  text: string;
  uri?: string;
  payload?: string;
  iconUrl?: string;
  fallback?: string;
  size?: 'compact' | 'tall' | 'full';
}

export type Item = NonNullable<TimelineMessage['items']>[number];

/** Author of a message, as far as readers may know it. */
export type MessageAuthor = Pick<NonNullable<TimelineMessage['author']>, 'name' | 'avatar'>;

export interface ChatMessage {
  id: string;
  slug: string;
  text: string;
  type: 'chat' | 'card' | 'postback';
  at: string;
  sequence?: number;
  role?: TimelineMessage['role'];
  author?: MessageAuthor;
  contentType?: string;
  /** The file of the message. */
  media?: Media;
  items?: Item[];
  actions?: Action[];
  /** The idempotency key with which the page sent the message. */
  key?: string;
}

/** A file that the server has and no message has yet. */
export interface UploadedFile extends Media {
  url: string;
}

/** Message that the server has not accepted yet. */
export interface Outgoing {
  key: string;
  /** Empty if only files are sent. */
  text: string;
  type: 'chat' | 'postback';
  label?: string;
  files?: readonly UploadedFile[];
  at: string;
  /** Reason for a permanent rejection. */
  refused?: string;
}

/** Author shown as typing: a person, or the author of the delayed message `message`. */
export interface Typist {
  message?: string;
  role?: ChatMessage['role'];
  author?: MessageAuthor;
  until?: string;
}

/** State of the conversation as the contact may know it (spec 10.11). */
export interface Standing {
  status?: 'queued' | 'active' | 'closed' | undefined;
  /** The people who have accepted the conversation. */
  people?: readonly MessageAuthor[] | undefined;
  /** Set while the contact can rate the conversation. */
  rating?: { takesComment: boolean } | undefined;
}

export interface ChatState {
  connection: 'connecting' | 'online' | 'offline' | 'gone';
  /** Ordered by sequence. */
  messages: readonly ChatMessage[];
  more: boolean;
  outgoing: readonly Outgoing[];
  typing: readonly Typist[];
  standing: Standing;
  markedAt: number;
  /** The other side has read up to this sequence. */
  readByOthers: number;
  loaded: boolean;
  /** The conversation has no messages yet, so the server does not store it. */
  started: boolean;
}
