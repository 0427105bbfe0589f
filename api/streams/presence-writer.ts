import { storeNow } from '../../store/cluster/clock.ts';
import type { ConversationHead } from '../../store/conversations/stream.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import type { Audience, VisibleMessage } from './audience.ts';
import type { BackpressuredSink } from './backpressure.ts';
import type { LiveSnapshot } from './reader.ts';
import { formatEvent } from './server-sent.ts';

/**
 * Tells a listener who is typing, and how far the contact has read, when it changes (spec 5.14).
 */
export interface PresenceWriter {
  /** Notes the messages that wait for their time: their authors are typing too. */
  setWaiting: (now: LiveSnapshot) => Promise<void>;
  write: (head: ConversationHead) => Promise<void>;
}

export function createPresenceWriter({
  audience,
  outlet,
}: {
  audience: Audience;
  outlet: BackpressuredSink;
}): PresenceWriter {
  let waiting: object[] = [];
  let typing = '[]';
  let read = 'null';

  async function writeTyping(head: ConversationHead): Promise<void> {
    const typists = [...waiting, ...(await findTypists(head, audience))];
    const text = JSON.stringify(typists);
    if (text !== typing) outlet.write(formatEvent('typing', { conversation: head.id, typing: typists }));
    typing = text;
  }

  function writeRead({ id, presence }: ConversationHead): void {
    const shown = presence?.contactRead === undefined ? null : audience.contactRead(presence);
    const text = JSON.stringify(shown);
    if (shown && text !== read) outlet.write(formatEvent('read', { conversation: id, ...shown }));
    read = text;
  }

  return {
    async setWaiting(now) {
      const shown = await Promise.all(
        now.waiting.filter(isTyping).map((one) => presentWaitingTypist(one, audience)),
      );
      waiting = shown.filter((one) => one !== null);
    },
    async write(head) {
      await writeTyping(head);
      writeRead(head);
    },
  };
}

async function findTypists({ presence }: ConversationHead, audience: Audience): Promise<object[]> {
  const now = storeNow();
  const people = Object.entries(presence?.typing ?? {})
    .filter(([, { until }]) => until.getTime() > now)
    .map(([who, { role, until }]) => ({ role, until, ...(role === 'contact' ? {} : { user: who }) }));
  const shown = await Promise.all(people.map(async (one) => audience.typist(one)));
  return shown.filter((one) => one !== null);
}

/** A chat message that comes in a second or later shows that somebody is writing it (spec 6.1). */
function isTyping({ type, delay = 0 }: MessageDocument): boolean {
  return type === 'chat' && delay >= 1000;
}

async function presentWaitingTypist(document: MessageDocument, audience: Audience): Promise<object | null> {
  const shown = await audience.message(document);
  return shown && typist(shown, document);
}

function typist({ id, user, role, author }: VisibleMessage, { dueAt }: MessageDocument): object {
  return { message: id, user, role, author, until: dueAt?.toISOString() };
}
