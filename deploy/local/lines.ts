import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Something that takes one line of text, without its end. */
export type LineSink = (line: string) => void;

/** Gives each line of `stream` to `sink`, the last one too where its end is missing. */
export function eachLine(stream: Readable, sink: LineSink): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', sink);
}
