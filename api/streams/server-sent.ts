import { Readable } from 'node:stream';

/** Events of a conversation's stream (spec 5.12). */
export type StreamEvent = 'message' | 'typing' | 'conversation' | 'read';

/**
 * Formats a server-sent event. `mark` becomes its id, which a client sends back as `Last-Event-ID`.
 */
export function formatEvent(event: StreamEvent, data: unknown, mark?: Cursor): string {
  // JSON contains no raw line breaks.
  return `event: ${event}\n${formatIdLine(mark)}data: ${JSON.stringify(data)}\n\n`;
}

/** Sets the reconnection time of clients to one second. */
export const OPENING = 'retry: 1000\n\n';

/**
 * Formats a heartbeat that keeps proxies and clients connected. The id after the comment updates
 * the client's cursor. EventSource hides comments from pages, so there is an event, too.
 */
export function formatHeartbeat(mark: Cursor | undefined): string {
  return `: alive\n${formatIdLine(mark)}\nevent: heartbeat\ndata: {}\n\n`;
}

function formatIdLine(mark: Cursor | undefined): string {
  return mark ? `id: ${formatCursor(mark)}\n` : '';
}

const BUFFER_BYTES = 64 * 1024;

/** Output to one subscriber. It does not buffer without bound: check `hasRoom` before `write`. */
export interface BackpressuredSink {
  stream: Readable;
  hasRoom: () => boolean;
  /** Time since which the buffer is full, in milliseconds of the monotonic clock. */
  fullSince: () => number | undefined;
  write: (text: string) => void;
  /** Ends the stream after its buffer is sent. */
  end: () => void;
}

/** `onRoom` runs when there is room again. */
export function createBackpressuredSink(onRoom: () => void): BackpressuredSink {
  let fullSince: number | undefined;
  let ended = false;
  const stream = new Readable({
    highWaterMark: BUFFER_BYTES,
    read() {
      fullSince = undefined;
      onRoom();
    },
  });
  return {
    stream,
    hasRoom: () => fullSince === undefined && !ended && !stream.destroyed,
    fullSince: () => fullSince,
    write(text) {
      if (!ended && !stream.push(text)) fullSince ??= performance.now();
    },
    end() {
      if (!ended) stream.push(null);
      ended = true;
    },
  };
}
/**
 * Position of a subscriber: the last message number, and the version up to which changes of earlier
 * messages were sent. Every event id is a cursor, so `Last-Event-ID` is all that a resume needs.
 */
export interface Cursor {
  number: number;
  version?: number;
}

const MARK = /^(0|[1-9]\d{0,14})(?:-(0|[1-9]\d{0,14}))?$/;

/** Returns undefined if the text is not a cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const [, number, version] = MARK.exec(text) ?? [];
  if (number === undefined) return undefined;
  return { number: Number(number), ...(version === undefined ? {} : { version: Number(version) }) };
}

export function formatCursor({ number, version }: Cursor): string {
  return version === undefined ? String(number) : `${number}-${version}`;
}
