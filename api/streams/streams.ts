import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { DomainError } from '../../domain/errors.ts';
import { hasFairShare, TenantUsage } from '../../domain/limits/fair-share.ts';
import type { TenantPath } from '../../domain/limits/fair-share.ts';
import type { ChangedConversation, ConversationHead } from '../../store/conversations/stream.ts';
import { StreamReader, createEventWriter } from './event-writer.ts';
import type { Audience, Repeat } from './event-writer.ts';
import { createChangePoller, createHeadPoller } from './pollers.ts';
import { OPENING, createBackpressuredSink, formatEvent, formatHeartbeat } from './server-sent.ts';
import type { BackpressuredSink, Cursor } from './server-sent.ts';

const TIMES = { checkMs: 1_000, heartbeatMs: 15_000, stuckMs: 30_000 };
const MAX = 2_000;
const MAX_PER_ADDRESS = 200;
const MAX_PER_USER = 100;
const MAX_OF_CONTACTS = { perAddress: 50, perConversation: 10 };
const RETRY_SECONDS = 5;

export interface Listener {
  address: string;
  /** Of a user, or of a contact: then it ends with the contact's address and conversation. */
  path: TenantPath;
  isContact?: boolean;
  /** Checked every second. False or a DomainError ends the stream. An outage does not. */
  mayListen: () => Promise<boolean>;
}

export interface ConversationTopic {
  conversation: string;
  /** Default: now. */
  after: Cursor | undefined;
  audience: Audience;
  repeat: Repeat;
}

/**
 * Streams of this process (spec 5.12). Opening a stream throws DomainError `rate_limited` if its
 * caller or the caller's IP address has too many streams, `unavailable` if the caller's tenant has
 * its share of the process.
 */
export interface Streams {
  open: (listener: Listener & ConversationTopic) => Readable;
  /** Includes the organizations below. */
  openChanges: (listener: Listener & { organization: string }) => Readable;
  /** Ends all streams and rejects new streams. */
  close: () => void;
}

export function createStreams(log: Pick<Logger, 'warn'>, times = TIMES): Streams {
  const watchHead = createHeadPoller(log);
  const watchChanges = createChangePoller(log);
  const reader = new StreamReader();
  const open = new Map<Feed, Listener>();
  const usage = { tenants: new TenantUsage(), addresses: new TenantUsage() };
  let closed = false;
  const timers = [
    setInterval(() => checkAll(open, times.stuckMs), times.checkMs).unref(),
    setInterval(() => [...open.keys()].forEach(sendHeartbeat), times.heartbeatMs).unref(),
  ];

  function assertCanOpen(listener: Listener): void {
    if (closed || !hasFairShare(listener.path, usage.tenants, MAX)) throw tooManyStreamsError();
    assertStreamQuota(usage, listener);
  }

  function count({ path, address }: Listener, change: 1 | -1): void {
    usage.tenants.add(path, change);
    usage.addresses.add([address], change);
  }

  function registerFeed(feed: Feed, listener: Listener, unwatch: () => void): Readable {
    const { stream, write } = feed.outlet;
    open.set(feed, listener);
    count(listener, 1);
    write(OPENING);
    stream.once('close', () => {
      unwatch();
      open.delete(feed);
      count(listener, -1);
    });
    return stream;
  }

  return {
    open(listener) {
      assertCanOpen(listener);
      const feed = openConversationFeed(reader, listener);
      return registerFeed(feed, listener, watchHead(listener.conversation, feed.notify));
    },
    openChanges(listener) {
      assertCanOpen(listener);
      const feed = openChangeFeed();
      return registerFeed(feed, listener, watchChanges(listener.organization, feed.notify));
    },
    close() {
      closed = true;
      timers.forEach(clearInterval);
      for (const { outlet } of open.keys()) outlet.end();
    },
  };
}

function assertStreamQuota(
  { tenants, addresses }: Record<'tenants' | 'addresses', TenantUsage>,
  { address, path, isContact }: Listener,
): void {
  const { perAddress, perConversation } = MAX_OF_CONTACTS;
  const isWithin = isContact
    ? tenants.atEnd(path) < perConversation && tenants.of(path.at(-2) ?? '') < perAddress
    : tenants.atEnd(path) < MAX_PER_USER;
  if (isWithin && addresses.of(address) < MAX_PER_ADDRESS) return;
  const words = isContact
    ? `${perConversation} streams at a time are served to one conversation, and ${perAddress} to the contacts at one address`
    : `${MAX_PER_USER} streams at a time are served to one user, and ${MAX_PER_ADDRESS} to one address`;
  throw new DomainError('rate_limited', `At most ${words}.`, { retryAfterSeconds: RETRY_SECONDS });
}

function tooManyStreamsError(): DomainError {
  return new DomainError('unavailable', 'No more streams can be served right now. Please try again.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

function checkAll(open: ReadonlyMap<Feed, Listener>, stuckMs: number): void {
  for (const [{ outlet }, listener] of open) {
    const stuckSince = outlet.fullSince();
    // The subscriber of a conversation can resume with its cursor.
    if (stuckSince !== undefined && performance.now() - stuckSince > stuckMs) outlet.stream.destroy();
    else void checkRight(outlet, listener);
  }
}

async function checkRight(outlet: BackpressuredSink, { mayListen }: Listener): Promise<void> {
  const may = await mayListen().catch((error: unknown) => !(error instanceof DomainError));
  if (!may) outlet.end();
}

interface Feed {
  outlet: BackpressuredSink;
  /** Change streams have no cursor. */
  mark?: () => Cursor | undefined;
}

function sendHeartbeat({ outlet, mark }: Feed): void {
  if (outlet.hasRoom()) outlet.write(formatHeartbeat(mark?.()));
}

function openConversationFeed(reader: StreamReader, topic: ConversationTopic) {
  const outlet = createBackpressuredSink(() => void advance());
  const writer = createEventWriter({ ...topic, reader, outlet });
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

  function notify(seen: ConversationHead | null): void {
    if (!seen) outlet.end();
    else head = seen;
    void advance();
  }

  return { outlet, mark: writer.mark, notify };
}

/** Keeps only the last change of each conversation while the subscriber has no room. */
function openChangeFeed() {
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

  function notify(changed: readonly ChangedConversation[]): void {
    for (const one of changed) waiting.set(one.id, one);
    flush();
  }

  return { outlet, notify };
}
