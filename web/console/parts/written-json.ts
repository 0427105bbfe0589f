import { TEXTS } from '../texts.ts';
import { JsonFault } from './json-fault.ts';

/** JSON text that is sent unchanged, because parsing can lose digits. */
export class WrittenJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function bodyText(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return JSON.stringify(body);
  const members = Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const text = value instanceof WrittenJson ? value.text : (JSON.stringify(value) as string | undefined);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

export function toRequestBody(body: object) {
  // The client sends a string body unchanged.
  return { body: bodyText(body) as never, headers: { 'content-type': 'application/json' } };
}

/** A change that keeps what it does not name, at every level (spec 2.3). */
export function toMergePatch(patch: object) {
  return {
    body: JSON.stringify(patch) as never,
    headers: { 'content-type': 'application/merge-patch+json' },
  };
}

/** Throws JsonFault. */
export function parseWrittenJson(text: string, name: string, path = ''): WrittenJson {
  try {
    JSON.parse(text);
    return new WrittenJson(text);
  } catch (error) {
    const [, at] = /position (\d+)/.exec((error as Error).message) ?? [];
    // Some browsers report line and column, and no position if the text ends too early.
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? [];
    const place = at === undefined && line !== undefined ? { line, column } : findPosition(text, at);
    throw new JsonFault(name, TEXTS.errors.json(place.line, place.column ?? 0), path);
  }
}

function findPosition(text: string, at: string | undefined) {
  const lines = text.slice(0, at === undefined ? text.length : Number(at)).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Formats a list as its length if an element is not a string. */
export function shortText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.every((one) => typeof one === 'string') ? value.join(', ') : String(value.length);
}
