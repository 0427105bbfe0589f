import type { Audience } from './audience.ts';
import type { ConversationHead } from '../../store/conversations/stream.ts';
import { createChangeWriter } from './change-writer.ts';
import type { Cursor } from './cursor.ts';
import { createPresenceWriter } from './presence-writer.ts';
import type { StreamReader } from './reader.ts';
import type { BackpressuredSink } from './backpressure.ts';
import { eventText } from './server-sent.ts';

/** Remembers what a listener was told, and writes what came after it. */
export interface EventWriter {
  /** How far the listener was told; undefined before the first look. */
  mark: () => Cursor | undefined;
  /** Tells something, and answers whether there may be more to tell. */
  tellMore: (head: ConversationHead) => Promise<boolean>;
}

interface EventWriterOptions {
  reader: StreamReader;
  audience: Audience;
  /** How far the listener has heard; without it they are told what comes after the first look. */
  after: Cursor | undefined;
  outlet: BackpressuredSink;
}

export function createEventWriter({ reader, audience, after, outlet }: EventWriterOptions): EventWriter {
  let mark: Required<Cursor> | undefined;
  let told = -1;
  const presence = createPresenceWriter({ audience, outlet });
  const changes = createChangeWriter({ reader, audience, outlet });

  async function tellMessages(head: ConversationHead, from: Required<Cursor>): Promise<boolean> {
    const { messages, complete } = await reader.stretch(head, from.number);
    for (const document of messages) {
      if (!outlet.hasRoom()) return false;
      const message = await audience.message(document);
      mark = { ...from, number: document.sequence ?? from.number };
      if (message) outlet.say(eventText('message', message, mark));
      changes.note(document);
    }
    mark = { ...from, number: complete };
    return complete > from.number;
  }

  async function tellState(head: ConversationHead, from: Required<Cursor>): Promise<boolean> {
    const now = await reader.now(head);
    // Of what is not written yet, the next look tells.
    if (!now?.settled) return false;
    const version = await changes.tellChanges(head, from.version);
    mark = { ...from, version };
    if (version < head.version) return true;
    outlet.say(eventText('conversation', audience.conversation(now.conversation), mark));
    await presence.noteWaiting(now);
    await presence.tell(head);
    told = head.version;
    return true;
  }

  return {
    mark: () => mark,
    async tellMore(head) {
      mark ??= beginning(head, after);
      if (mark.number < head.sequence) return tellMessages(head, mark);
      if (told !== head.version) return tellState(head, mark);
      if (head.presence && outlet.hasRoom()) await presence.tell(head);
      return false;
    },
  };
}

/**
 * A listener from another world, such as a restored backup, may know numbers that were never given
 * here.
 */
function beginning({ sequence, version }: ConversationHead, after: Cursor | undefined): Required<Cursor> {
  return {
    number: Math.min(after?.number ?? sequence, sequence),
    version: Math.min(after?.version ?? version, version),
  };
}
