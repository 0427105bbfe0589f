import type { ConversationHead } from '../../store/conversation-stream.ts';
import type { MessageDocument } from '../../store/messages.ts';
import type { News, Now } from './news.ts';
import type { Outlet } from './outlet.ts';
import { eventText } from './server-sent.ts';

/** A message as somebody sees it. Who wrote it is only there for those who may know. */
interface Shown {
  id: string;
  role?: string;
  user?: string;
}

/** What one listener may hear, and in which form. */
export interface Audience {
  /** A message as he sees it; null: not for him. */
  message: (document: MessageDocument) => Shown | null;
  conversation: (conversation: Now['conversation']) => unknown;
}

/** Remembers what a listener was told, and tells him what came after it. */
export interface Teller {
  /** The last message number told or passed over; undefined before the first look. */
  number: () => number | undefined;
  /** Tells something, and answers whether there may be more to tell. */
  tellMore: (head: ConversationHead) => Promise<boolean>;
}

interface TellerOptions {
  news: News;
  audience: Audience;
  /** The last message number that the listener knows; without it he is told what comes after the first look. */
  after: number | undefined;
  outlet: Outlet;
}

export function createTeller({ news, audience, after, outlet }: TellerOptions): Teller {
  let number = after;
  let version = -1;
  let typing = '[]';

  async function tellMessages(head: ConversationHead, from: number): Promise<boolean> {
    const { messages, complete } = await news.stretch(head, from);
    for (const document of messages) {
      if (!outlet.hasRoom()) return false;
      const message = audience.message(document);
      if (message) outlet.say(eventText('message', message, document.sequence));
      number = document.sequence;
    }
    number = complete;
    return complete > from;
  }

  async function tellState(head: ConversationHead): Promise<boolean> {
    const now = await news.now(head);
    if (!now) return false;
    outlet.say(eventText('conversation', audience.conversation(now.conversation)));
    const { typists, known } = typistsIn(now, audience);
    if (known !== typing) outlet.say(eventText('typing', { conversation: head.id, typing: typists }));
    typing = known;
    version = head.version;
    return true;
  }

  return {
    number: () => number,
    async tellMore(head) {
      // A listener from another world, such as a restored backup, may know numbers that were never given here.
      const from = version === -1 ? Math.min(number ?? head.sequence, head.sequence) : (number ?? 0);
      number = from;
      if (from < head.sequence) return tellMessages(head, from);
      return version === head.version ? false : tellState(head);
    },
  };
}

/** Who is typing, as far as the listener may know, and the same as text to compare. */
function typistsIn({ waiting }: Now, audience: Audience): { typists: object[]; known: string } {
  const typists = waiting.filter(isTyping).flatMap((document) => {
    const shown = audience.message(document);
    return shown ? [typist(shown, document)] : [];
  });
  return { typists, known: JSON.stringify(typists) };
}

/** A chat message that comes in a second or later shows that somebody is writing it (spec 2.6). */
function isTyping({ type, delay = 0 }: MessageDocument): boolean {
  return type === 'chat' && delay >= 1000;
}

function typist({ id, user, role }: Shown, { dueAt }: MessageDocument): object {
  return { message: id, user, role, until: dueAt?.toISOString() };
}
