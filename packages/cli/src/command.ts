/** Prints text, or JSON lines with `--json`. Escapes text, which other people may have written. */
export interface Printer {
  line: (words: string, data: object, details?: string[]) => void;
  /** Prints a remark about the command itself to standard error. */
  note: (words: string, data?: object) => void;
  problem: (words: string, data: object, details?: string[]) => void;
}

export interface CommandContext {
  options: Record<string, string | undefined>;
  positionals: string[];
  say: Printer;
  /** Aborts on SIGINT and SIGTERM. */
  signal: AbortSignal;
}

export interface CliCommand {
  summary: string;
  usage: string;
  help: string;
  options: Record<string, { type: 'string'; short?: string }>;
  maxWords: number;
  run: (context: CommandContext) => Promise<void>;
}

export class UsageError extends Error {}

export class SetupError extends Error {}

/** The command ran, and its result is a failure. */
export class CommandFailure extends Error {
  readonly data: object;

  constructor(message: string, data: object) {
    super(message);
    this.data = data;
  }
}

export function createPrinter(json: boolean): Printer {
  const to = (stream: NodeJS.WriteStream) => (lines: string[], data: object | undefined) => {
    // JSON.stringify does not escape C1 and bidirectional controls.
    const text = json ? escapeControls(JSON.stringify(data)) : lines.map(escapeControls).join('\n');
    if (!json || data) stream.write(`${text}\n`);
  };
  const [out, err] = [to(process.stdout), to(process.stderr)];
  return {
    line: (words, data, details = []) => out([words, ...details], data),
    note: (words, data) => err([words], data ?? { note: words }),
    problem: (words, data, details = []) => err([words, ...details], { error: words, ...data }),
  };
}

/** Characters that a terminal may execute, or that reorder text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Returns the text on one line, with JSON escapes such as `\u001b`. */
function escapeControls(text: string): string {
  return text.replace(CONTROLS, (control) => {
    const short = JSON.stringify(control).slice(1, -1);
    return short === control ? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}` : short;
  });
}
