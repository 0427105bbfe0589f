import { Readable } from 'node:stream';

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
