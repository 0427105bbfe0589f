import { DomainError } from '../../domain/errors.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { findReceipts } from '../../store/conversations/receipts.ts';
import type { MessageDelivery } from '../../domain/channels/receipt.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import type { PresenceDocument, TypistRole } from '../../store/conversations/presences.ts';
import {
  findChanged,
  findDelayedMessages,
  findMessagesInRange,
  findSnapshot,
} from '../../store/conversations/stream.ts';
import type {
  ConversationHead,
  ConversationSnapshot,
  MessageRange,
} from '../../store/conversations/stream.ts';
import type { Part } from '../../store/queries/listing.ts';
import { createSlices } from '../../store/queries/slices.ts';
import { formatEvent } from './server-sent.ts';
import type { BackpressuredSink, Cursor } from './server-sent.ts';

/** `user` is set only if the subscriber may know the author. */
export interface VisibleMessage {
  id: string;
  role?: string | undefined;
  user?: string | undefined;
  author?: object | undefined;
}

/** Presents events to one subscriber. Null hides an event. */
export interface Audience {
  message: (document: MessageDocument) => Promise<VisibleMessage | null> | VisibleMessage | null;
  conversation: (conversation: LiveSnapshot['conversation']) => Promise<object> | object;
  typist: (typist: TypingNow) => Promise<object | null> | object | null;
  contactRead: (presence: PresenceDocument) => object | null;
  receipt: (delivery: MessageDelivery) => object | null;
}

/** If `user` is absent, the contact is typing. */
export interface TypingNow {
  user?: string;
  role: TypistRole;
  until: Date;
}

/** One read ends after 20 messages, or with the message that reaches 128 Ki characters. */
const BOUNDS = { limit: 20, maxCharacters: 128 * 1024 };
/** Maximum number of delayed messages whose authors are shown as typing. */
const MAX_WAITING = 20;

interface LiveSnapshot {
  conversation: ConversationSnapshot;
  waiting: MessageDocument[];
  /** Whether all rows of the last commit are written. */
  settled: boolean;
}

/** Equal reads at the same time share one query. */
export class StreamReader {
  readonly #running = new Map<string, Promise<unknown>>();

  readRange({ id, sequence }: ConversationHead, after: number): Promise<MessageRange> {
    return this.#share(`range ${id} ${after} ${sequence}`, () =>
      findMessagesInRange(id, { after, last: sequence, ...BOUNDS }),
    );
  }

  readChanges({ id, version }: ConversationHead, after: number): Promise<Part<MessageDocument>> {
    return this.#share(`changes ${id} ${after} ${version}`, () =>
      findChanged(id, { after, last: version, ...BOUNDS }),
    );
  }

  readSnapshot({ id, version }: ConversationHead): Promise<LiveSnapshot | null> {
    return this.#share(`snapshot ${id} ${version}`, async () => {
      const found = await findSnapshot(id);
      if (!found) return null;
      const soonest = found.conversation.pending.slice(0, MAX_WAITING);
      return { ...found, waiting: await findDelayedMessages(soonest.map((one) => one.id)) };
    });
  }

  #share<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#running.get(key) as Promise<T> | undefined;
    if (known) return known;
    const started = read().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }
}

interface EventWriterOptions {
  reader: StreamReader;
  audience: Audience;
  /** Position of the last event that the client received. Default: the state at the first poll. */
  after: Cursor | undefined;
  /** Runs reads of older events, and charges the subscriber. Throws DomainError `rate_limited`. */
  repeat: Repeat;
  outlet: BackpressuredSink;
}

export type Repeat = (work: () => Promise<boolean>) => Promise<boolean>;

export function createEventWriter(options: EventWriterOptions) {
  const { reader, audience, after, repeat, outlet } = options;
  let mark: Required<Cursor> | undefined;
  let first: ConversationHead | undefined;
  let writtenVersion = -1;
  const presence = createPresenceWriter({ audience, outlet });
  const changes = createChangeWriter({ reader, audience, outlet });
  const receipts = createReceiptWriter({ audience, outlet });

  async function writeMessages(head: ConversationHead, from: Required<Cursor>): Promise<boolean> {
    const { messages, complete } = await reader.readRange(head, from.number);
    const slices = createSlices();
    for (const document of messages) {
      await slices.rest();
      if (!outlet.hasRoom()) return false;
      const message = await audience.message(document);
      mark = { ...from, number: document.sequence ?? from.number };
      if (message) outlet.write(formatEvent('message', message, mark));
      changes.note(document);
    }
    mark = { ...from, number: complete };
    return complete > from.number;
  }

  async function writeState(head: ConversationHead, from: Required<Cursor>): Promise<boolean> {
    const now = await reader.readSnapshot(head);
    if (!now?.settled) return false;
    // The snapshot may be newer than the head: its messages precede its state.
    const { sequence } = now.conversation;
    if (sequence > from.number) return writeMessages({ ...head, sequence }, from);
    const version = await changes.writeChanges(head, from.version);
    mark = { ...from, version };
    if (version < head.version) return true;
    outlet.write(formatEvent('conversation', await audience.conversation(now.conversation), mark));
    await presence.setWaiting(now);
    await presence.write(head);
    writtenVersion = head.version;
    return true;
  }

  return {
    mark: (): Cursor | undefined => mark,
    /** Returns whether more may follow. */
    async writeMore(head: ConversationHead): Promise<boolean> {
      const from = (mark ??= clampCursor(head, after));
      first ??= head;
      if (from.number < head.sequence) {
        const write = () => writeMessages(head, from);
        return from.number < first.sequence ? falseIfRateLimited(repeat(write)) : write();
      }
      if (writtenVersion !== head.version) {
        const tell = () => writeState(head, from);
        return from.version < first.version ? falseIfRateLimited(repeat(tell)) : tell();
      }
      if (head.presence && outlet.hasRoom()) {
        await presence.write(head);
        await receipts.write(head);
      }
      return false;
    },
  };
}

async function falseIfRateLimited(repeated: Promise<boolean>): Promise<boolean> {
  try {
    return await repeated;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'rate_limited') return false;
    throw error;
  }
}

/** Lowers a cursor above the head: a restored backup may have lower numbers. */
function clampCursor({ sequence, version }: ConversationHead, after: Cursor | undefined): Required<Cursor> {
  return {
    number: Math.min(after?.number ?? sequence, sequence),
    version: Math.min(after?.version ?? version, version),
  };
}

/**
 * Writes edits and deletions of processed messages since a version, except edits that were sent
 * with the message.
 */
function createChangeWriter({ reader, audience, outlet }: Omit<EventWriterOptions, 'after' | 'repeat'>) {
  const known = new Map<string, number>();
  return {
    /** Notes a message that was sent, so that its edits so far are not sent again. */
    note({ _id, editedIn }: MessageDocument): void {
      if (editedIn !== undefined) known.set(_id, editedIn);
    },
    /** Returns the version up to which all changes are written. */
    async writeChanges(head: ConversationHead, after: number): Promise<number> {
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

/** Returns null for a hidden message, and no text for a deleted message. */
async function presentChange(document: MessageDocument, audience: Audience): Promise<object | null> {
  const { _id, sequence, deletedAt } = document;
  if (!deletedAt) return audience.message(document);
  const isKnown = (await audience.message({ ...document, text: '', slug: '' })) !== null;
  return isKnown ? { id: _id, sequence, deletedAt: deletedAt.toISOString() } : null;
}

/** See spec 5.14. */
function createPresenceWriter({ audience, outlet }: Pick<EventWriterOptions, 'audience' | 'outlet'>) {
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
    /** Shows authors of delayed chats as typing. */
    async setWaiting(now: LiveSnapshot): Promise<void> {
      const shown = await Promise.all(
        now.waiting.filter(isTyping).map((one) => presentWaitingTypist(one, audience)),
      );
      waiting = shown.filter((one) => one !== null);
    },
    async write(head: ConversationHead): Promise<void> {
      await writeTyping(head);
      writeRead(head);
    },
  };
}

/** A store write may become visible later than a write with a later time. */
const SEEN_LATE_MS = 3_000;
/** A new stream repeats the receipts of this time, which a reconnecting client may have missed. */
const REPEATED_MS = 60_000;
const MAX_RECEIPTS = 200;

/** See spec 15.4. */
function createReceiptWriter({ audience, outlet }: Pick<EventWriterOptions, 'audience' | 'outlet'>) {
  let counted: number | undefined;
  let since = storeNow() - REPEATED_MS;
  let sent = new Map<string, string>();
  return {
    async write({ id, presence }: ConversationHead): Promise<void> {
      const { receipts } = presence ?? {};
      if (receipts === undefined || receipts === counted) return;
      const found = await findReceipts(id, { since: new Date(since), limit: MAX_RECEIPTS });
      const latest = new Map<string, string>();
      for (const { _id, delivery, receiptAt } of found) {
        if (receiptAt) since = Math.max(since, receiptAt.getTime() - SEEN_LATE_MS);
        const shown = audience.receipt(delivery);
        const data = JSON.stringify(shown);
        latest.set(_id, data);
        if (!shown || sent.get(_id) === data) continue;
        outlet.write(formatEvent('receipt', { conversation: id, message: _id, ...shown }));
      }
      sent = latest;
      // A full page may have more receipts behind it.
      if (found.length < MAX_RECEIPTS) counted = receipts;
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

/** See spec 6.1. */
function isTyping({ type, delay = 0 }: MessageDocument): boolean {
  return type === 'chat' && delay >= 1000;
}

async function presentWaitingTypist(document: MessageDocument, audience: Audience): Promise<object | null> {
  const shown = await audience.message(document);
  if (!shown) return null;
  const { id, user, role, author } = shown;
  return { message: id, user, role, author, until: document.dueAt?.toISOString() };
}
