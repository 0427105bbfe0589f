import type { MessageDocument } from '../../store/conversations/messages.ts';
import type { PresenceDocument, TypistRole } from '../../store/conversations/presences.ts';
import type { LiveSnapshot } from './reader.ts';

/** A message as somebody sees it. Who wrote it is only there for those who may know. */
export interface VisibleMessage {
  id: string;
  role?: string;
  user?: string;
  /** What the contact is told of who wrote it, instead. */
  author?: object;
}

/** What one listener may hear, and in which form. */
export interface Audience {
  /** A message as the listener sees it; null: not for them. */
  message: (document: MessageDocument) => Promise<VisibleMessage | null> | VisibleMessage | null;
  conversation: (conversation: LiveSnapshot['conversation']) => Promise<object> | object;
  /** Somebody who is typing right now as the listener sees them; null: not for them. */
  typist: (typist: TypingNow) => Promise<object | null> | object | null;
  /** How far the contact has read, in the listener's form; null: not for them. */
  contactRead: (presence: PresenceDocument) => object | null;
}

/** Somebody who is typing, without `user` the contact. */
export interface TypingNow {
  user?: string;
  role: TypistRole;
  until: Date;
}
