import type { Readable } from 'node:stream';
import type { BackpressuredSink } from './backpressure.ts';
import type { Cursor } from './cursor.ts';
import { OPENING, heartbeatText } from './server-sent.ts';

/** One listener's stream, whatever it tells. */
export interface Feed {
  stream: Readable;
  /** Says that it lives, if there is room. */
  beat: () => void;
  /** Since when the listener takes nothing, in milliseconds of the monotonic clock. */
  stuckSince: () => number | undefined;
  end: () => void;
}

/** Opens a stream. `mark` is asked how far its listener was told, where it can be resumed. */
export function openFeed(outlet: BackpressuredSink, mark: () => Cursor | undefined): Feed {
  outlet.say(OPENING);
  return {
    stream: outlet.stream,
    beat: () => (outlet.hasRoom() ? outlet.say(heartbeatText(mark())) : undefined),
    stuckSince: outlet.fullSince,
    end: outlet.end,
  };
}
