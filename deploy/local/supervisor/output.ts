import type { Writable } from 'node:stream';
import type { LineSink } from '../lines.ts';

const COLOURS = [36, 33, 35, 32, 34];
const WIDTH = 8;

/**
 * Makes a sink per process: each line behind the process' name, aligned, and coloured where
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
