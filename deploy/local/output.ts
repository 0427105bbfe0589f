import type { Writable } from 'node:stream';
import { formatLogLine } from '../../platform/config/log-line.ts';
import type { LineSink } from './program.ts';

const COLOURS = [36, 33, 35, 32, 34];
const LABEL_WIDTH = 8;
const CLEAR_LINE = '\r\u001b[K';

export interface OutputOptions {
  /** Whether progress replaces its own line. */
  isTerminal?: boolean;
  isColoured?: boolean;
  /** Whether JSON lines of the processes are shown as text. */
  isText?: () => boolean;
}

export interface Output {
  /** Returns a sink that prefixes each line with an aligned process name, except JSON lines. */
  label: (name: string) => LineSink;
  /** On a terminal, the next line of any process replaces the line of progress. */
  progress: LineSink;
  print: (lines: readonly string[]) => void;
}

/** Creates the output of `npm start`, which all processes share. */
export function createOutput(out: Writable & { columns?: number }, options: OutputOptions = {}): Output {
  const { isTerminal = false, isColoured = false, isText = () => false } = options;
  let used = 0;
  let hasProgress = false;
  const prefixOf = (name: string) => {
    const label = name.padEnd(LABEL_WIDTH);
    const colour = COLOURS[used++ % COLOURS.length];
    return isColoured ? `\u001b[${colour}m${label}\u001b[39m` : label;
  };
  const write = (text: string) => {
    out.write(`${hasProgress ? CLEAR_LINE : ''}${text}`);
    hasProgress = false;
  };
  const own = prefixOf('parlance');
  return {
    label(name) {
      const prefix = name === 'parlance' ? own : prefixOf(name);
      return (line) => {
        const shown = isText() ? formatLogLine(line, { isColoured }) : line;
        if (shown === undefined || shown.trim() === '') return;
        const isJson = !isText() && line.startsWith('{');
        const indented = shown.replaceAll('\n', `\n${' '.repeat(LABEL_WIDTH + 1)}`);
        write(isJson ? `${line}\n` : `${prefix} ${indented}\n`);
      };
    },
    progress(line) {
      if (!isTerminal) {
        write(`${own} ${line}\n`);
        return;
      }
      // A longer line would wrap, and only its last row could be cleared.
      const room = (out.columns || 80) - LABEL_WIDTH - 2;
      write(`${own} ${line.slice(0, Math.max(room, 0))}`);
      hasProgress = true;
    },
    print(lines) {
      write(lines.map((line) => `${line}\n`).join(''));
    },
  };
}
