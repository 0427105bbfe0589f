import type { Readable } from 'node:stream';
import type { BackpressuredSink, Cursor } from './server-sent.ts';
import { OPENING, formatHeartbeat } from './server-sent.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import type { PresenceDocument, TypistRole } from '../../store/conversations/presences.ts';
import type { LiveSnapshot } from './reader.ts';

export interface Feed {
  stream: Readable;
  sendHeartbeat: () => void;
  /** Start of the time in which the subscriber has read nothing, in monotonic milliseconds. */
  stuckSince: () => number | undefined;
  end: () => void;
}

/** Opens a stream. `mark` returns the cursor for resuming. */
export function openFeed(outlet: BackpressuredSink, mark: () => Cursor | undefined): Feed {
  outlet.write(OPENING);
  return {
    stream: outlet.stream,
    sendHeartbeat: () => (outlet.hasRoom() ? outlet.write(formatHeartbeat(mark())) : undefined),
    stuckSince: outlet.fullSince,
    end: outlet.end,
  };
}

/** `user` is set only if the subscriber may know the author. */
export interface VisibleMessage {
  id: string;
  role?: string;
  user?: string;
  /** Public profile, for contacts. */
  author?: object;
}

/** Filters and formats events for one subscriber. */
export interface Audience {
  /** Null if hidden from the subscriber, as below. */
  message: (document: MessageDocument) => Promise<VisibleMessage | null> | VisibleMessage | null;
  conversation: (conversation: LiveSnapshot['conversation']) => Promise<object> | object;
  typist: (typist: TypingNow) => Promise<object | null> | object | null;
  contactRead: (presence: PresenceDocument) => object | null;
}

/** Without `user` the contact is typing. */
export interface TypingNow {
  user?: string;
  role: TypistRole;
  until: Date;
}
