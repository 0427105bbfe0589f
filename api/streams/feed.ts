import type { Readable } from 'node:stream';
import type { BackpressuredSink, Cursor } from './server-sent.ts';
import { OPENING, formatHeartbeat } from './server-sent.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import type { PresenceDocument, TypistRole } from '../../store/conversations/presences.ts';
import type { LiveSnapshot } from './reader.ts';

/** One listener's stream, whatever it tells. */
export interface Feed {
  stream: Readable;
  /** Says that it lives, if there is room. */
  sendHeartbeat: () => void;
  /** Since when the listener takes nothing, in milliseconds of the monotonic clock. */
  stuckSince: () => number | undefined;
  end: () => void;
}

/** Opens a stream. `mark` is asked how far its listener was told, where it can be resumed. */
export function openFeed(outlet: BackpressuredSink, mark: () => Cursor | undefined): Feed {
  outlet.write(OPENING);
  return {
    stream: outlet.stream,
    sendHeartbeat: () => (outlet.hasRoom() ? outlet.write(formatHeartbeat(mark())) : undefined),
    stuckSince: outlet.fullSince,
    end: outlet.end,
  };
}

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
