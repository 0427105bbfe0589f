import type { Readable } from 'node:stream';
import type { BackpressuredSink } from './backpressure.ts';
import type { Cursor } from './cursor.ts';
import { OPENING, formatHeartbeat } from './server-sent.ts';

/** One listener's stream, whatever it tells. */
export interface Feed {
  stream: Readable;
  /** Says that it lives, if there is room. */
  sendHeartbeat: () => void;
  /** Since when the listener takes nothing, in milliseconds of the monotonic clock. */
  stuckSince: () => number | undefined;
  end: () => void;
}

/** Opens a stream. `mark` is asked how far its listener was told, where it can be resumed. */
export function openFeed(outlet: BackpressuredSink, mark: () => Cursor | undefined): Feed {
  outlet.write(OPENING);
  return {
    stream: outlet.stream,
    sendHeartbeat: () => (outlet.hasRoom() ? outlet.write(formatHeartbeat(mark())) : undefined),
    stuckSince: outlet.fullSince,
    end: outlet.end,
  };
}
