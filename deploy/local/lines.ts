import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type LineSink = (line: string) => void;

/** Passes each line of `stream` to `sink`, including an unterminated last line. */
export function eachLine(stream: Readable, sink: LineSink): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', sink);
}
