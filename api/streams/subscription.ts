import type { ConversationHead } from '../../store/conversations/stream.ts';
import type { Cursor } from './cursor.ts';
import type { StreamReader } from './reader.ts';
import { createBackpressuredSink } from './backpressure.ts';
import { openFeed } from './feed.ts';
import type { Feed } from './feed.ts';
import { createEventWriter } from './event-writer.ts';
import type { Repeat } from './event-writer.ts';
import type { Audience } from './audience.ts';

/**
 * One listener's stream of one conversation. It reads from the store only what the listener is
 * ready to take.
 */
export interface Subscription extends Feed {
  /** Tells where the conversation is now; null: it is deleted. */
  notify: (head: ConversationHead | null) => void;
}

/** A stream that begins after a mark or, without one, with what comes next. */
export function openSubscription(options: {
  reader: StreamReader;
  audience: Audience;
  after: Cursor | undefined;
  repeat: Repeat;
}): Subscription {
  const outlet = createBackpressuredSink(() => void advance());
  const writer = createEventWriter({ ...options, outlet });
  let head: ConversationHead | undefined;
  let busy = false;
  let called = false;

  async function advance(): Promise<void> {
    called = true;
    if (busy) return;
    busy = true;
    try {
      // Room that is made while the last look ends would else go unused until the next one.
      while (called) {
        called = false;
        while (head && outlet.hasRoom() && (await writer.writeMore(head)));
      }
    } catch (error) {
      // The listener comes back with their cursor.
      outlet.stream.destroy(error as Error);
    } finally {
      busy = false;
    }
  }

  return {
    ...openFeed(outlet, writer.mark),
    notify(seen) {
      if (!seen) outlet.end();
      else head = seen;
      void advance();
    },
  };
}
