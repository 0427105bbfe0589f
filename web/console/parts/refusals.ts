import { ParlanceError } from '@parlance/client';
import { getTranslation } from '../language.ts';
import { TEXTS } from '../texts.ts';
import { JsonFault } from './json-fault.ts';

/**
 * Returns a refusal of the API in the language of the page. A refusal without a translation stays
 * English. `{}` is a value.
 */
export function translateRefusal(message: string): string {
  const texts = Object.entries(getTranslation('refusals') ?? {}) as [string, string][];
  for (const [english, text] of texts) {
    const pattern = english.split('{}').map(escapePattern).join('(.+)');
    const values = new RegExp(`^${pattern}$`, 's').exec(message)?.slice(1);
    if (values) return text.replaceAll('{}', () => values.shift() ?? '');
  }
  return message;
}

/**
 * Returns a refusal in the language of the page: the translation of its words, else of its code. A
 * refusal without both stays English.
 */
export function translateError({ message, code }: Pick<ParlanceError, 'message' | 'code'>): string {
  const text = translateRefusal(message);
  if (text !== message || !getTranslation('codes')) return text;
  const { failures } = (getTranslation('inbox') ?? {}) as { failures?: object };
  return findText('codes', code) ?? findIn(failures, code) ?? message;
}

export function findText(group: 'codes' | 'reasons', code: string): string | undefined {
  return findIn(getTranslation(group), code);
}

function findIn(texts: object | undefined, code: string): string | undefined {
  const known = (texts ?? {}) as Readonly<Record<string, string>>;
  return Object.hasOwn(known, code) ? known[code] : undefined;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\/]/g, '\\$&');
}

/** `path` is a path in the request body, such as `params.url`. */
export interface Detail {
  path: string;
  message: string;
}

export function getDetails(error: Error | undefined): readonly Detail[] {
  if (error instanceof ParlanceError)
    return error.details.map(({ path, message }) => ({ path, message: translateRefusal(message) }));
  return error instanceof JsonFault && error.path !== '' ? [{ path: error.path, message: error.fault }] : [];
}

const ABOUT_VALUES = [400, 409, 422];

export function withField(field: string | undefined, error: Error | undefined): Error | undefined {
  if (field === undefined || !(error instanceof ParlanceError) || error.details.length > 0) return error;
  const { status, code, message } = error;
  if (!ABOUT_VALUES.includes(status)) return error;
  return new ParlanceError(message, { status, code, details: [{ path: field, message }] });
}

/** Returns the refusal of a value that the server is not asked about. */
export function refuseField(path: string, message: string): ParlanceError {
  return new ParlanceError(message, { status: 422, code: 'unprocessable', details: [{ path, message }] });
}

/** Returns the field that is the path, or the longest field that contains it. */
export function findField(path: string, fields: Iterable<string>): string | undefined {
  const found = [...fields].filter((field) => path === field || path.startsWith(`${field}.`));
  return found.sort((a, b) => b.length - a.length)[0];
}

export function describeProblem(field: string, fields: Iterable<string>, details: readonly Detail[]): string {
  const own = details.filter(({ path }) => findField(path, fields) === field);
  return own
    .map(({ path, message }) => sentence(`${describePart(path.slice(field.length + 1))}${message}`))
    .join(' ');
}

/** Formats `0.name` as `entry 1, name: `. */
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
