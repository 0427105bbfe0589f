import { keepsDigits } from '../json.ts';
import { didYouMean } from '../suggestion.ts';
import type { ValueKind, Value } from './tree.ts';
import { parseId } from '../id.ts';
import { readIsoTime } from '../iso-time.ts';
import { invalidRequest } from '../errors.ts';

/** `at`: position in the parameter's value. */
export interface Piece {
  name: string;
  text: string;
  at: number;
}

const NUMBER = /^-?\d{1,309}(?:\.\d{1,350})?$/;
/** Matches codes such as postal codes and telephone numbers: no program writes a number so. */
const LEADING_ZERO = /^-?0\d/;
/** An unencoded plus sign arrives as a blank. */
const UNENCODED_PLUS = /^ (?=\d)/;
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Returns the value, for free-form fields also the number or boolean that the text spells (spec
 * 9.3). Throws DomainError `invalid_request` for a wrong type or enum value.
 */
export function parseValues({ name, text }: Piece, kind: ValueKind): Value[] {
  switch (kind) {
    case 'id':
      return [parseId(text, name)];
    case 'text':
      return [text];
    case 'number':
      return [parseNumber(text, name)];
    case 'boolean':
      return [parseBoolean(text, name)];
    case 'time':
      return [parseTime(text, name)];
    case 'anything':
      return freeForm(text);
    case 'object':
      throw invalidRequest(name, 'is an object; name one of its fields');
    default:
      if (!kind.includes(text))
        throw invalidRequest(name, `must be one of ${kind.join(', ')}${didYouMean(text, kind)}`);
      return [text];
  }
}

/**
 * Returns the value of a bound, in a free-form field a number if possible. Bounds on ids may be any
 * text, because they are only compared.
 */
export function parseBoundValue(piece: Piece, kind: ValueKind): Value {
  if (kind === 'boolean') throw invalidRequest(piece.name, 'is true or false, which have no order');
  const values = parseValues(piece, kind === 'id' ? 'text' : kind);
  return values.find((value) => typeof value === 'number') ?? values[0] ?? piece.text;
}

function freeForm(text: string): Value[] {
  if (UNENCODED_PLUS.test(text)) return [text, text.replace(UNENCODED_PLUS, '+')];
  if (NUMBER.test(text) && !LEADING_ZERO.test(text) && keepsDigits(text)) return [text, Number(text)];
  return text === 'true' || text === 'false' ? [text, text === 'true'] : [text];
}

function parseNumber(text: string, name: string): number {
  if (!NUMBER.test(text)) throw invalidRequest(name, 'must be a number');
  if (!keepsDigits(text)) throw invalidRequest(name, 'must be a number of at most 9007199254740991');
  return Number(text);
}

function parseBoolean(text: string, name: string): boolean {
  if (text !== 'true' && text !== 'false') throw invalidRequest(name, 'must be true or false');
  return text === 'true';
}

/** See spec 2.1. Throws DomainError `invalid_request`. */
export function parseTime(given: string, name: string): Date {
  // An unencoded plus sign arrives as a blank.
  const text = given.replace(/ (?=\d{2}:\d{2}$)/, '+');
  const time = new Date((TIME.test(text) ? readIsoTime(text) : undefined) ?? Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw invalidRequest(name, 'must be an ISO 8601 time, as in 2026-03-14T09:00:00Z');
  return time;
}
