import { invalidRequest } from '../refusal.ts';
import { fieldAt } from './paths.ts';
import type { Paths } from './paths.ts';
import { searchFor } from './pattern.ts';
import type { Condition } from './tree.ts';
import type { Piece } from './values.ts';

const MOST_FIELDS = 10;

/**
 * `f1,f2=value`: one of the fields matches the value as a pattern, whatever its case; a field that holds ids equals it (spec 9.2). The
 * value is a pattern whatever it begins with.
 */
export function anyOf(piece: Piece, paths: Paths): Condition {
  const { name, text } = piece;
  const fields = name.split(',');
  if (fields.length > MOST_FIELDS) throw invalidRequest(name, `takes ${MOST_FIELDS} fields at most`);
  if (text === '') throw invalidRequest(name, 'needs a value');
  if (new Set(fields).size < fields.length) throw invalidRequest(name, 'must not repeat a field');
  return { path: name, is: 'any', conditions: fields.map((field) => oneOf(field, piece, paths)) };
}

function oneOf(field: string, piece: Piece, paths: Paths): Condition {
  const found = fieldAt(paths, field);
  if (!found) throw invalidRequest(piece.name, `"${field}" is not a field of this resource`);
  const { place, kind } = found;
  return kind === 'id'
    ? { ...place, is: 'one of', values: [piece.text] }
    : { ...place, is: 'like', ...searchFor(piece, { kind, ignoreCase: true }) };
}
