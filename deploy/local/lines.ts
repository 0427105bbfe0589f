import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export type LineSink = (line: string) => void;

/** Passes each line of `stream` to `sink`, including an unterminated last line. */
export function eachLine(stream: Readable, sink: LineSink): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', sink);
}

const COLOURS = [36, 33, 35, 32, 34];

const WIDTH = 8;

/**
 * Returns a factory of sinks that prefix each line with an aligned process name, coloured if
 * `isColoured`.
 */
export function createLabelledSinks(out: Writable, isColoured: boolean): (name: string) => LineSink {
  let used = 0;
  return (name) => {
    const label = name.padEnd(WIDTH);
    const colour = COLOURS[used++ % COLOURS.length] ?? 0;
    const prefix = isColoured ? `\u001b[${colour}m${label}\u001b[39m` : label;
    return (line) => {
      if (line.trim() !== '') out.write(`${prefix} ${line}\n`);
    };
  };
}
