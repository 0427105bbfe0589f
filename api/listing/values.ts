import { invalidRequest } from '../../domain/refusal.ts';
import type { Kind } from './paths.ts';

export type Value = string | number | boolean | Date;

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const OFFSET = /T.*(Z|[+-]\d{2}:\d{2})$/;

/**
 * What a value in a query may stand for: one value, or for free-form fields a text as well as the number it looks like (contract 9).
 * Throws DomainError `invalid_request` naming the field when it is of the wrong type or outside the field's enum.
 */
export function valuesOf(text: string, kind: Kind, path: string): Value[] {
  switch (kind) {
    case 'text':
      return [text];
    case 'number':
      return [numberOf(text, path)];
    case 'boolean':
      return [booleanOf(text, path)];
    case 'time':
      return [timeOf(text, path)];
    case 'anything':
      return NUMBER.test(text) ? [text, Number(text)] : [text];
    default:
      if (!kind.includes(text)) throw invalidRequest(path, `must be one of ${kind.join(', ')}`);
      return [text];
  }
}

function numberOf(text: string, path: string): number {
  if (!NUMBER.test(text)) throw invalidRequest(path, 'must be a number');
  return Number(text);
}

function booleanOf(text: string, path: string): boolean {
  if (text !== 'true' && text !== 'false') throw invalidRequest(path, 'must be true or false');
  return text === 'true';
}

/** A time without offset is UTC (spec 2), whatever the zone of this machine. */
function timeOf(text: string, path: string): Date {
  const complete = text.includes('T') && !OFFSET.test(text) ? `${text}Z` : text;
  const time = new Date(complete);
  if (!TIME.test(text) || Number.isNaN(time.getTime())) {
    throw invalidRequest(path, 'must be an ISO 8601 time');
  }
  return time;
}
