import type { ParseArgsConfig } from 'node:util';

/**
 * Prints text, or JSON lines with `--json`. Escapes control characters, because the text may come
 * from other people.
 */
export interface Printer {
  /** Prints to standard output. */
  line: (words: string, data: object) => void;
  /** Prints a note about the command itself to standard error. */
  note: (words: string, data?: object) => void;
  /** Prints an error and its details to standard error. */
  problem: (words: string, data: object, details?: string[]) => void;
}

export interface CommandContext {
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
  say: Printer;
  /** Aborts on SIGINT and SIGTERM. */
  signal: AbortSignal;
}

export interface CliCommand {
  summary: string;
  usage: string;
  help: string;
  options: NonNullable<ParseArgsConfig['options']>;
  maxWords: number;
  run: (context: CommandContext) => Promise<void>;
}

export class UsageError extends Error {}

export class SetupError extends Error {}

export function createPrinter(json: boolean): Printer {
  const to = (stream: NodeJS.WriteStream) => (lines: string[], data: object | undefined) => {
    // JSON.stringify does not escape C1 and bidirectional controls.
    const text = json ? escapeControls(JSON.stringify(data)) : lines.map(escapeControls).join('\n');
    if (!json || data) stream.write(`${text}\n`);
  };
  const [out, err] = [to(process.stdout), to(process.stderr)];
  return {
    line: (words, data) => out([words], data),
    note: (words, data) => err([words], data ?? { note: words }),
    problem: (words, data, details = []) => err([words, ...details], { error: words, ...data }),
  };
}

export function getTextOption({ values }: Pick<CommandContext, 'values'>, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Characters that a terminal may execute, or that reorder text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Returns the text on one line, with JSON escapes such as `\u001b`. */
function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeControl);
}

function escapeControl(control: string): string {
  const short = JSON.stringify(control).slice(1, -1);
  return short === control ? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}` : short;
}
