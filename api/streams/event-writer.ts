import { DomainError } from '../../domain/errors.ts';
import { createSlices } from '../../store/queries/slices.ts';
import type { Audience, VisibleMessage } from './feed.ts';
import type { ConversationHead } from '../../store/conversations/stream.ts';
import type { Cursor, BackpressuredSink } from './server-sent.ts';
import type { StreamReader, LiveSnapshot } from './reader.ts';
import { formatEvent } from './server-sent.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import { storeNow } from '../../store/cluster/clock.ts';

/** Writes the events after a cursor. */
export interface EventWriter {
  /** Undefined before the first poll. */
  mark: () => Cursor | undefined;
  /** Returns whether there may be more. */
  writeMore: (head: ConversationHead) => Promise<boolean>;
}

interface EventWriterOptions {
  reader: StreamReader;
  audience: Audience;
  /** Without it the stream begins at the first poll. */
  after: Cursor | undefined;
  /**
   * Runs reads of events from before the stream, and charges the subscriber. Throws DomainError
   * `rate_limited`.
   */
  repeat: Repeat;
  outlet: BackpressuredSink;
}

export type Repeat = (work: () => Promise<boolean>) => Promise<boolean>;

export function createEventWriter(options: EventWriterOptions): EventWriter {
  const { reader, audience, after, repeat, outlet } = options;
  let mark: Required<Cursor> | undefined;
  let first: ConversationHead | undefined;
  let writtenVersion = -1;
  const presence = createPresenceWriter({ audience, outlet });
  const changes = createChangeWriter({ reader, audience, outlet });

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
    // Some rows of the last commit are missing. The next poll tries again.
    if (!now?.settled) return false;
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
    mark: () => mark,
    async writeMore(head) {
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
      if (head.presence && outlet.hasRoom()) await presence.write(head);
      return false;
    },
  };
}

/** Returns false for a rate-limited read: the next poll tries again. */
async function falseIfRateLimited(repeated: Promise<boolean>): Promise<boolean> {
  try {
    return await repeated;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'rate_limited') return false;
    throw error;
  }
}

/** Limits the cursor to the head: a restored backup may have lower numbers. */
function clampCursor({ sequence, version }: ConversationHead, after: Cursor | undefined): Required<Cursor> {
  return {
    number: Math.min(after?.number ?? sequence, sequence),
    version: Math.min(after?.version ?? version, version),
  };
}

/** Writes edits and deletions of messages that were sent before. */
interface ChangeWriter {
  /** Prevents repeated edits of a message that was sent in its current state. */
  note: (document: MessageDocument) => void;
  /** Writes while there is room. Returns the version up to which all changes are written. */
  writeChanges: (head: ConversationHead, after: number) => Promise<number>;
}

function createChangeWriter({
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

/** Returns only the id for a deleted message, null for a hidden one. */
async function presentChange(document: MessageDocument, audience: Audience): Promise<object | null> {
  const { _id, sequence, deletedAt } = document;
  if (!deletedAt) return audience.message(document);
  const isKnown = (await audience.message({ ...document, text: '', slug: '' })) !== null;
  return isKnown ? { id: _id, sequence, deletedAt: deletedAt.toISOString() } : null;
}

/** Writes typing users and the contact's read position (spec 5.14). */
interface PresenceWriter {
  /** Authors of delayed messages count as typing. */
  setWaiting: (now: LiveSnapshot) => Promise<void>;
  write: (head: ConversationHead) => Promise<void>;
}

function createPresenceWriter({
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

/** See spec 6.1. */
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
