/** A text that is no JSON, in words that name the place. */
export class JsonFault extends Error {
  /** The words without the name of the text. */
  readonly fault: string;
  /** The field of the form that has the text; empty for none. */
  readonly path: string;

  constructor(name: string, fault: string, path: string) {
    super(`${name}: ${fault}`);
    this.fault = fault;
    this.path = path;
  }
}

/**
 * Parses JSON. Throws JsonFault with `name`, the line and column of the first fault, and the field
 * of a form at `path`.
 */
export function parseJson(text: string, name: string, path = ''): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, at] = /position (\d+)/.exec((error as Error).message) ?? [];
    // Some browsers name line and column instead, or no place where the text ends too early.
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? [];
    const place = at === undefined && line !== undefined ? { line, column } : placeAt(text, at);
    throw new JsonFault(name, `not valid JSON at line ${place.line}, column ${place.column}.`, path);
  }
}

function placeAt(text: string, at: string | undefined) {
  const lines = text.slice(0, at === undefined ? text.length : Number(at)).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
