/** JSON that is sent unchanged: parsing it may take digits from a number. */
export class WrittenJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Returns a body as JSON, with the unchanged text of members that are WrittenJson. */
export function bodyText(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return JSON.stringify(body);
  const members = Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const text = value instanceof WrittenJson ? value.text : (JSON.stringify(value) as string | undefined);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** The error of a text that is not JSON, with the place of the fault. */
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
 * Returns a text that is JSON, to be sent unchanged. Throws JsonFault with `name`, the line and
 * column of the first fault, and the field of a form at `path`.
 */
export function parseWrittenJson(text: string, name: string, path = ''): WrittenJson {
  try {
    JSON.parse(text);
    return new WrittenJson(text);
  } catch (error) {
    const [, at] = /position (\d+)/.exec((error as Error).message) ?? [];
    // Some browsers name line and column instead, or no place where the text ends too early.
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? [];
    const place = at === undefined && line !== undefined ? { line, column } : findPosition(text, at);
    throw new JsonFault(name, `not valid JSON at line ${place.line}, column ${place.column}.`, path);
  }
}

function findPosition(text: string, at: string | undefined) {
  const lines = text.slice(0, at === undefined ? text.length : Number(at)).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
