/** JSON text that is sent unchanged, because parsing can lose digits. */
export class WrittenJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Returns JSON with the unchanged text of WrittenJson members. */
export function bodyText(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return JSON.stringify(body);
  const members = Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const text = value instanceof WrittenJson ? value.text : (JSON.stringify(value) as string | undefined);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

export class JsonFault extends Error {
  /** Message without the name of the text. */
  readonly fault: string;
  /** Form field that contains the text, or empty. */
  readonly path: string;

  constructor(name: string, fault: string, path: string) {
    super(`${name}: ${fault}`);
    this.fault = fault;
    this.path = path;
  }
}

/** Returns JSON text unchanged. Throws JsonFault with the line and column of the first error. */
export function parseWrittenJson(text: string, name: string, path = ''): WrittenJson {
  try {
    JSON.parse(text);
    return new WrittenJson(text);
  } catch (error) {
    const [, at] = /position (\d+)/.exec((error as Error).message) ?? [];
    // Some browsers report line and column instead, or no position if the text ends too early.
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? [];
    const place = at === undefined && line !== undefined ? { line, column } : findPosition(text, at);
    throw new JsonFault(name, `not valid JSON at line ${place.line}, column ${place.column}.`, path);
  }
}

function findPosition(text: string, at: string | undefined) {
  const lines = text.slice(0, at === undefined ? text.length : Number(at)).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
