/**
 * What a conversation consists of before its readers: what the chat page gets and keeps (spec
 * 10.2).
 */

export interface Action {
  type: 'link' | 'postback' | 'reply' | 'webview' | 'locationRequest';
  text: string;
  uri?: string;
  payload?: string;
  iconUrl?: string;
  fallback?: string;
  size?: 'compact' | 'tall' | 'full';
}

export interface Item {
  title: string;
  description?: string;
  actions?: Action[];
  size?: 'compact' | 'large';
  mediaUrl?: string;
  mediaType?: string;
}

/** Who wrote something, as far as others are told. */
export interface MessageAuthor {
  name?: string;
  /** The address of a picture. */
  avatar?: string;
}

export interface ChatMessage {
  id: string;
  slug: string;
  text: string;
  type: 'chat' | 'card' | 'postback';
  at: string;
  sequence?: number;
  role?: 'contact' | 'agent' | 'bot' | 'system';
  author?: MessageAuthor;
  contentType?: string;
  items?: Item[];
  actions?: Action[];
  /** The name this message had in the outbox of the page that sent it. */
  key?: string;
}

/** Something said here that the server has not accepted yet. */
export interface Outgoing {
  key: string;
  text: string;
  type: 'chat' | 'postback';
  label?: string;
  at: string;
  /** Why the server will never take it. */
  refused?: string;
}

/** Somebody who is writing: a message that waits for its time, or a person right now. */
export interface Typist {
  message?: string;
  role?: ChatMessage['role'];
  author?: MessageAuthor;
  until?: string;
}

export type ConnectionState = 'connecting' | 'online' | 'offline' | 'gone';

/** All that is shown of a conversation. Every change makes a new one. */
export interface ChatState {
  connection: ConnectionState;
  /** In order of their numbers. */
  messages: readonly ChatMessage[];
  /** Whether there are earlier ones to ask for. */
  more: boolean;
  outgoing: readonly Outgoing[];
  typing: readonly Typist[];
  /**
   * The last number that was read when the reader last looked: what others said after it is marked
   * as new.
   */
  markedAt: number;
  /** Up to this number the other side has read. */
  readByOthers: number;
  loaded: boolean;
  /** Nothing was said in it yet, so that it is kept nowhere. */
  started: boolean;
}
