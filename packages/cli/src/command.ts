import type { ParseArgsConfig } from 'node:util';

/**
 * How a command speaks: in words, or with `--json` in lines of JSON. Others may have written the
 * words: control characters in them are shown as escapes, so each text is one line.
 */
export interface Printer {
  /** Something that happened, on standard output. */
  line: (words: string, data: object) => void;
  /** Something about the command itself, on standard error. */
  note: (words: string, data?: object) => void;
  /** Why the command fails, on standard error. Each of `details` is a line of its own. */
  problem: (words: string, data: object, details?: string[]) => void;
}

export interface CommandContext {
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
  say: Printer;
  /** Ends what goes on for ever. */
  signal: AbortSignal;
}

export interface CliCommand {
  summary: string;
  /** What stands behind its name. */
  usage: string;
  help: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** How many words it takes at most. */
  maxWords: number;
  run: (context: CommandContext) => Promise<void>;
}

/** The command was not understood. */
export class UsageError extends Error {}

/** Something is missing on this machine. */
export class SetupError extends Error {}

export function createPrinter(json: boolean): Printer {
  const to = (stream: NodeJS.WriteStream) => (lines: string[], data: object | undefined) => {
    // JSON leaves C1 and bidirectional controls as they are; they occur within its texts only.
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

/** An option that is a text, or undefined. */
export function getTextOption({ values }: Pick<CommandContext, 'values'>, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}
/**
 * Control characters (C0, DEL, C1), line and paragraph separators, and what turns the direction of
 * text. A terminal may execute them, or show another text than the one that was written.
 */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Returns the text in one line, with control characters as JSON's escapes, such as `\u001b`. */
function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeControl);
}

function escapeControl(control: string): string {
  const short = JSON.stringify(control).slice(1, -1);
  return short === control ? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}` : short;
}
