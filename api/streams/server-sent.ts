import { Readable } from 'node:stream';

/** See spec 5.12. */
export type StreamEvent = 'message' | 'typing' | 'conversation' | 'read' | 'receipt';

/** `mark` becomes the event's id, which a client returns as `Last-Event-ID`. */
export function formatEvent(event: StreamEvent, data: unknown, mark?: Cursor): string {
  // JSON contains no raw line breaks.
  return `event: ${event}\n${formatIdLine(mark)}data: ${JSON.stringify(data)}\n\n`;
}

export const OPENING = 'retry: 1000\n\n';

/** Contains an event, because EventSource hides comments. */
export function formatHeartbeat(mark: Cursor | undefined): string {
  return `: alive\n${formatIdLine(mark)}\nevent: heartbeat\ndata: {}\n\n`;
}

function formatIdLine(mark: Cursor | undefined): string {
  return mark ? `id: ${formatCursor(mark)}\n` : '';
}

const BUFFER_BYTES = 64 * 1024;

/** Check `hasRoom` before `write`: the buffer is bounded. */
export interface BackpressuredSink {
  stream: Readable;
  hasRoom: () => boolean;
  /** Monotonic time in milliseconds. */
  fullSince: () => number | undefined;
  write: (text: string) => void;
  end: () => void;
}

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
 * Id of an event: the sequence of the last message sent, and the version up to which changes were
 * sent.
 */
export interface Cursor {
  number: number;
  version?: number;
}

const MARK = /^(0|[1-9]\d{0,14})(?:-(0|[1-9]\d{0,14}))?$/;

export function parseCursor(text: string): Cursor | undefined {
  const [, number, version] = MARK.exec(text) ?? [];
  if (number === undefined) return undefined;
  return { number: Number(number), ...(version === undefined ? {} : { version: Number(version) }) };
}

export function formatCursor({ number, version }: Cursor): string {
  return version === undefined ? String(number) : `${number}-${version}`;
}
