import type { ConversationHead } from '../../store/conversations/stream.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import type { StreamReader } from './reader.ts';
import type { BackpressuredSink } from './backpressure.ts';
import { formatEvent } from './server-sent.ts';
import type { Audience } from './audience.ts';

/** Tells a listener of edits and deletions of messages that they were told before. */
export interface ChangeWriter {
  /** Notes a message that was told as it is now: an edit that it has in it already is no news. */
  note: (document: MessageDocument) => void;
  /**
   * Tells of the messages that were edited or deleted after a version, as far as there is room, and
   * answers the version up to which that is done.
   */
  writeChanges: (head: ConversationHead, after: number) => Promise<number>;
}

export function createChangeWriter({
  reader,
  audience,
  outlet,
}: {
  reader: StreamReader;
  audience: Audience;
  outlet: BackpressuredSink;
}): ChangeWriter {
  const known = new Map<string, number>();
  return {
    note({ _id, editedIn }) {
      if (editedIn !== undefined) known.set(_id, editedIn);
    },
    async writeChanges(head, after) {
      const { records: changed, more } = await reader.readChanges(head, after);
      let version = after;
      for (const document of changed) {
        if (!outlet.hasRoom()) return version;
        version = document.editedIn ?? version;
        if (version <= (known.get(document._id) ?? 0)) continue;
        const shown = await presentChange(document, audience);
        if (shown) outlet.write(formatEvent('message', shown));
      }
      if (more) return version;
      known.clear();
      return head.version;
    },
  };
}

/**
 * The message as it is now; of a deleted one that it is gone; null where the listener knows nothing
 * of it.
 */
async function presentChange(document: MessageDocument, audience: Audience): Promise<object | null> {
  const { _id, sequence, deletedAt } = document;
  if (!deletedAt) return audience.message(document);
  const isKnown = (await audience.message({ ...document, text: '', slug: '' })) !== null;
  return isKnown ? { id: _id, sequence, deletedAt: deletedAt.toISOString() } : null;
}
