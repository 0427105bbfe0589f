/** What the page gets from the server and keeps (spec 10.2). */

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

export interface Message {
  id: string;
  slug: string;
  text: string;
  type: 'chat' | 'card' | 'postback';
  at: string;
  sequence?: number;
  role?: 'contact' | 'agent' | 'bot' | 'system';
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

export interface Typist {
  message: string;
  role?: Message['role'];
  until?: string;
}

export type Connection = 'connecting' | 'online' | 'offline' | 'gone';

/** All that the page shows. Every change makes a new one. */
export interface ChatState {
  title: string;
  connection: Connection;
  /** In order of their numbers. */
  messages: readonly Message[];
  /** Whether there are earlier ones to ask for. */
  more: boolean;
  outgoing: readonly Outgoing[];
  typing: readonly Typist[];
  /**
   * The last number that was read when the reader last looked: what others said after it is marked
   * as new.
   */
  markedAt: number;
  loaded: boolean;
}
