import type { MessageDocument } from '../../store/conversations/messages.ts';
import type { Now } from './reader.ts';

/** A message as somebody sees it. Who wrote it is only there for those who may know. */
export interface Shown {
  id: string;
  role?: string;
  user?: string;
}

/** What one listener may hear, and in which form. */
export interface Audience {
  /** A message as the listener sees it; null: not for them. */
  message: (document: MessageDocument) => Shown | null;
  conversation: (conversation: Now['conversation']) => unknown;
}
