import type { ChangedConversation } from '../../store/conversations/stream.ts';
import { createBackpressuredSink } from './backpressure.ts';
import { openFeed } from './feed.ts';
import type { Feed } from './feed.ts';
import { formatEvent } from './server-sent.ts';

/** One listener's stream of which conversations change. */
export interface ChangeSubscription extends Feed {
  /** Tells of conversations that changed. */
  notify: (changed: readonly ChangedConversation[]) => void;
}

/** What a listener does not take waits: of each conversation the last change only. */
export function openChangeSubscription(): ChangeSubscription {
  const waiting = new Map<string, ChangedConversation>();
  const outlet = createBackpressuredSink(flush);

  function flush(): void {
    for (const [id, { updatedAt, lastMessageAt }] of waiting) {
      if (!outlet.hasRoom()) return;
      waiting.delete(id);
      const times = { updatedAt: updatedAt.toISOString(), lastMessageAt: lastMessageAt.toISOString() };
      outlet.write(formatEvent('conversation', { id, ...times }));
    }
  }

  return {
    // Nothing to go on from: a stream of changes does not resume.
    ...openFeed(outlet, () => undefined),
    notify(changed) {
      for (const one of changed) waiting.set(one.id, one);
      flush();
    },
  };
}
