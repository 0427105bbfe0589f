import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { DomainError } from '../../domain/errors.ts';
import type { Feed, Audience } from './feed.ts';
import { createChangePoller } from './change-poller.ts';
import { createStreamReader } from './reader.ts';
import type { Cursor } from './server-sent.ts';
import type { Repeat } from './event-writer.ts';
import type { ConversationHead, ChangedConversation } from '../../store/conversations/stream.ts';
import type { StreamReader } from './reader.ts';
import { createBackpressuredSink, formatEvent } from './server-sent.ts';
import { openFeed } from './feed.ts';
import { createEventWriter } from './event-writer.ts';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import { findHeadsWithPresence } from '../../store/conversations/stream.ts';

const TIMES = { checkMs: 1_000, heartbeatMs: 15_000, stuckMs: 30_000 };
const MAX = 2_000;
const MAX_EACH = { address: 200, holder: 100 } as const;
const RETRY_SECONDS = 5;

export interface Listener {
  address: string;
  /** User or chat key, for the limit of streams. */
  holder: string;
  /** Checked every second. False or a DomainError ends the stream. An outage does not. */
  mayListen: () => Promise<boolean>;
}

export interface ConversationTopic {
  conversation: string;
  /** Without it the stream begins now. */
  after: Cursor | undefined;
  audience: Audience;
  /** Runs reads of earlier events, and charges the subscriber. */
  repeat: Repeat;
}

/**
 * Live streams of this process (spec 5.12). Opening throws DomainError `rate_limited` per address
 * or holder, `unavailable` per process.
 */
export interface Streams {
  open: (listener: Listener & ConversationTopic) => Readable;
  /** Includes the organizations below. */
  openChanges: (listener: Listener & { organization: string }) => Readable;
  /** Ends all streams and rejects new ones. */
  close: () => void;
}

export function createStreams(log: Pick<Logger, 'warn'>, times = TIMES): Streams {
  const heads = createHeadPoller(log);
  const changes = createChangePoller(log);
  const reader = createStreamReader();
  const open = new Map<Feed, Listener>();
  let closed = false;
  const timers = startTimers(open, times);

  function assertCanOpen(listener: Listener): void {
    assertStreamQuota([...open.values()], listener);
    if (closed) throw tooManyStreamsError();
  }

  function registerFeed(feed: Feed, listener: Listener, unwatch: () => void): Readable {
    open.set(feed, listener);
    feed.stream.once('close', () => {
      unwatch();
      open.delete(feed);
    });
    return feed.stream;
  }

  return {
    open(listener) {
      assertCanOpen(listener);
      const { audience, after, repeat, conversation } = listener;
      const feed = openSubscription({ reader, audience, after, repeat });
      return registerFeed(feed, listener, heads.watch(conversation, feed.notify));
    },
    openChanges(listener) {
      assertCanOpen(listener);
      const feed = openChangeSubscription();
      return registerFeed(feed, listener, changes.watch(listener.organization, feed.notify));
    },
    close() {
      closed = true;
      timers.forEach(clearInterval);
      for (const feed of open.keys()) feed.end();
    },
  };
}

function startTimers(open: ReadonlyMap<Feed, Listener>, times: typeof TIMES): NodeJS.Timeout[] {
  return [
    setInterval(() => checkAll(open, times.stuckMs), times.checkMs).unref(),
    setInterval(() => [...open.keys()].forEach((feed) => feed.sendHeartbeat()), times.heartbeatMs).unref(),
  ];
}

function checkAll(open: ReadonlyMap<Feed, Listener>, stuckMs: number): void {
  for (const [feed, listener] of open) {
    const stuckSince = feed.stuckSince();
    // The subscriber can resume with its cursor.
    if (stuckSince !== undefined && performance.now() - stuckSince > stuckMs) feed.stream.destroy();
    else void checkRight(feed, listener);
  }
}

async function checkRight(feed: Feed, { mayListen }: Listener): Promise<void> {
  const may = await mayListen().catch((error: unknown) => !(error instanceof DomainError));
  if (!may) feed.end();
}

function assertStreamQuota(others: Listener[], { address, holder }: Listener): void {
  if (others.length >= MAX) throw tooManyStreamsError();
  const beside = {
    address: others.filter((other) => other.address === address).length,
    holder: others.filter((other) => other.holder === holder).length,
  };
  if (beside.address >= MAX_EACH.address || beside.holder >= MAX_EACH.holder) {
    const { address: perAddress, holder: perHolder } = MAX_EACH;
    throw new DomainError(
      'rate_limited',
      `At most ${perHolder} streams at a time are served to one user, and ${perAddress} to one address.`,
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }
}

function tooManyStreamsError(): DomainError {
  return new DomainError('unavailable', 'No more streams can be served right now. Please try again.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** Reads only what the subscriber has room for. */
interface Subscription extends Feed {
  /** Null if the conversation is deleted. */
  notify: (head: ConversationHead | null) => void;
}

function openSubscription(options: {
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
      // Room may appear while the last read ends, so check again.
      while (called) {
        called = false;
        while (head && outlet.hasRoom() && (await writer.writeMore(head)));
      }
    } catch (error) {
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

interface ChangeSubscription extends Feed {
  notify: (changed: readonly ChangedConversation[]) => void;
}

/** Keeps only the last change of each conversation while the subscriber has no room. */
function openChangeSubscription(): ChangeSubscription {
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
    // Change streams cannot be resumed.
    ...openFeed(outlet, () => undefined),
    notify(changed) {
      for (const one of changed) waiting.set(one.id, one);
      flush();
    },
  };
}

const POLL_MS = 200;

/** Runs five times a second. Null if the conversation is deleted. */
type Watcher = (head: ConversationHead | null) => void;

/** Polls all streamed conversations with two small queries. */
interface HeadPoller {
  /** Returns a function that unsubscribes. */
  watch: (id: string, watcher: Watcher) => () => void;
}

export function createHeadPoller(log: Pick<Logger, 'warn'>, find = findHeadsWithPresence): HeadPoller {
  const watchers = new Map<string, Set<Watcher>>();

  async function pollHeads(): Promise<void> {
    const ids = [...watchers.keys()];
    const heads = new Map((await find(ids)).map((head) => [head.id, head]));
    for (const id of ids) {
      for (const watcher of watchers.get(id) ?? []) watcher(heads.get(id) ?? null);
    }
  }

  const polling = repeatingTask(pollHeads, {
    everyMs: POLL_MS,
    isWanted: () => watchers.size > 0,
    // Requests report a failing store.
    onError: (error) => log.warn({ err: error }, 'failed to poll conversations for streams'),
  });

  return {
    watch(id, watcher) {
      const others = watchers.get(id) ?? new Set();
      watchers.set(id, others.add(watcher));
      polling.start();
      return () => {
        others.delete(watcher);
        if (others.size === 0 && watchers.get(id) === others) watchers.delete(id);
      };
    },
  };
}
