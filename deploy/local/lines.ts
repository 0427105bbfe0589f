import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Receives one line of text without its line break. */
export type LineSink = (line: string) => void;

/** Passes each line of `stream` to `sink`, including an unterminated last line. */
export function eachLine(stream: Readable, sink: LineSink): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', sink);
}
