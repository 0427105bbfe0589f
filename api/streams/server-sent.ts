import { Readable } from 'node:stream';

/** The events of a conversation's stream (spec 5.12). */
export type StreamEvent = 'message' | 'typing' | 'conversation' | 'read';

/**
 * One server-sent event. With a mark as its id, a client that comes back names it in
 * `Last-Event-ID`.
 */
export function formatEvent(event: StreamEvent, data: unknown, mark?: Cursor): string {
  // JSON has no raw line breaks, so the data is always one line.
  return `event: ${event}\n${formatIdLine(mark)}data: ${JSON.stringify(data)}\n\n`;
}

/** The first words of a stream: how long a client waits before it comes back. */
export const OPENING = 'retry: 1000\n\n';

/**
 * Shows proxies and clients that the stream lives. The comment with the id is no event, but its id
 * counts as seen. The event is for a browser's EventSource, which shows no comments to its page.
 */
export function formatHeartbeat(mark: Cursor | undefined): string {
  return `: alive\n${formatIdLine(mark)}\nevent: heartbeat\ndata: {}\n\n`;
}

function formatIdLine(mark: Cursor | undefined): string {
  return mark ? `id: ${formatCursor(mark)}\n` : '';
}

const BUFFER_BYTES = 64 * 1024;

/**
 * The way out to one listener. What they do not take is not kept: ask first whether there is room.
 */
export interface BackpressuredSink {
  stream: Readable;
  hasRoom: () => boolean;
  /** Since when there is none, in milliseconds of the monotonic clock. */
  fullSince: () => number | undefined;
  write: (text: string) => void;
  /** What was said still goes out, then the stream is over. */
  end: () => void;
}

/** `onRoom` is called when there is room again. */
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
 * How far a listener has heard a conversation: the number of its last message and, where they know
 * it, the version up to which they were told what became of earlier ones. The id of every event is
 * one, so `Last-Event-ID` says all there is to know about a listener.
 */
export interface Cursor {
  number: number;
  version?: number;
}

const MARK = /^(0|[1-9]\d{0,14})(?:-(0|[1-9]\d{0,14}))?$/;

/** Reads a mark; undefined where the text is none. */
export function parseCursor(text: string): Cursor | undefined {
  const [, number, version] = MARK.exec(text) ?? [];
  if (number === undefined) return undefined;
  return { number: Number(number), ...(version === undefined ? {} : { version: Number(version) }) };
}

export function formatCursor({ number, version }: Cursor): string {
  return version === undefined ? String(number) : `${number}-${version}`;
}
