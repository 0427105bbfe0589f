import { DomainError } from '../../domain/errors.ts';
import { createSlices } from '../../store/queries/slices.ts';
import type { Audience } from './audience.ts';
import type { ConversationHead } from '../../store/conversations/stream.ts';
import { createChangeWriter } from './change-writer.ts';
import type { Cursor } from './cursor.ts';
import { createPresenceWriter } from './presence-writer.ts';
import type { StreamReader } from './reader.ts';
import type { BackpressuredSink } from './backpressure.ts';
import { formatEvent } from './server-sent.ts';

/** Remembers what a listener was told, and writes what came after it. */
export interface EventWriter {
  /** How far the listener was told; undefined before the first look. */
  mark: () => Cursor | undefined;
  /** Tells something, and answers whether there may be more to tell. */
  writeMore: (head: ConversationHead) => Promise<boolean>;
}

interface EventWriterOptions {
  reader: StreamReader;
  audience: Audience;
  /** How far the listener has heard; without it they are told what comes after the first look. */
  after: Cursor | undefined;
  /**
   * Runs what repeats what was said before the stream began, at the expense of its listener. Throws
   * DomainError `rate_limited` where that has to wait.
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
    // Of what is not written yet, the next look tells.
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

/** What may not be repeated now is tried again at the next look. */
async function falseIfRateLimited(repeated: Promise<boolean>): Promise<boolean> {
  try {
    return await repeated;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'rate_limited') return false;
    throw error;
  }
}

/**
 * A listener from another world, such as a restored backup, may know numbers that were never given
 * here.
 */
function clampCursor({ sequence, version }: ConversationHead, after: Cursor | undefined): Required<Cursor> {
  return {
    number: Math.min(after?.number ?? sequence, sequence),
    version: Math.min(after?.version ?? version, version),
  };
}
