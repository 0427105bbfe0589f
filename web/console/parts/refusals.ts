import { TEXTS } from '../texts.ts';
import { JsonFault } from './written-json.ts';

/** One fault, and where it is in the body of the request: `params.url`. */
export interface Detail {
  path: string;
  message: string;
}

/** Returns the faults that an error names by their place. */
export function getDetails(error: Error | undefined): readonly Detail[] {
  if (error instanceof ApiError) return error.details;
  return error instanceof JsonFault && error.path !== '' ? [{ path: error.path, message: error.fault }] : [];
}

const ABOUT_VALUES = [400, 409, 422];

/** Returns the refusal as one of a field, where it names no place itself. */
export function withField(field: string | undefined, error: Error | undefined): Error | undefined {
  if (field === undefined || !(error instanceof ApiError) || error.details.length > 0) return error;
  const { status, code, message } = error;
  if (!ABOUT_VALUES.includes(status)) return error;
  return new ApiError(status, { code, message, details: [{ path: field, message }] });
}

/** Returns the field of a form that a path belongs to: the longest that the path begins with. */
export function findField(path: string, fields: Iterable<string>): string | undefined {
  const found = [...fields].filter((field) => path === field || path.startsWith(`${field}.`));
  return found.sort((a, b) => b.length - a.length)[0];
}

/** Returns the faults of a field as sentences; empty without faults. */
export function describeProblem(field: string, fields: Iterable<string>, details: readonly Detail[]): string {
  const own = details.filter(({ path }) => findField(path, fields) === field);
  return own
    .map(({ path, message }) => sentence(`${describePart(path.slice(field.length + 1))}${message}`))
    .join(' ');
}

/** Where in a field: `0.name` is entry 1, name. */
function describePart(path: string): string {
  if (path === '') return '';
  const words = path
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? TEXTS.errors.entry(Number(part) + 1) : part));
  return `${words.join(', ')}: `;
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** A refusal of the API, in its own words. */
export class ApiError extends Error {
  /** 0 without a response. */
  readonly status: number;
  /** From the API's closed list. */
  readonly code: string;
  readonly details: readonly { path: string; message: string }[];

  constructor(status: number, body: Partial<Pick<ApiError, 'message' | 'code' | 'details'>>) {
    super(body.message ?? TEXTS.errors.unreachable);
    this.status = status;
    this.code = body.code ?? '';
    this.details = body.details ?? [];
  }
}
