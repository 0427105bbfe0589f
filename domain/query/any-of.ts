import { didYouMean } from '../suggestion.ts';
import { DomainError } from '../errors.ts';
import { invalidRequest } from '../refusal.ts';
import { findField } from './paths.ts';
import type { Paths } from './paths.ts';
import type { Condition, ValueKind, Value } from './tree.ts';
import { compilePattern } from './pattern.ts';
import { parseValues } from './values.ts';
import type { Piece } from './values.ts';

const MAX_FIELDS = 10;
const EXACT: readonly ValueKind[] = ['number', 'boolean', 'time'];

/**
 * `f1,f2=value`: one of the fields matches the value as a pattern, whatever its case (spec 8). A
 * field that holds ids, numbers, times or booleans equals it, and does not where the value is none
 * of these. The value is a pattern whatever it begins with.
 */
export function parseMultiFieldCondition(piece: Piece, paths: Paths): Condition {
  const { name, text } = piece;
  const fields = name.split(',');
  if (fields.length > MAX_FIELDS) throw invalidRequest(name, `takes ${MAX_FIELDS} fields at most`);
  if (text === '') throw invalidRequest(name, 'needs a value');
  if (new Set(fields).size < fields.length) throw invalidRequest(name, 'must not repeat a field');
  const conditions = fields.flatMap((field) => parseEachField(field, piece, paths));
  if (conditions.every((one) => one.is === 'one of' && one.values.length === 0)) {
    throw invalidRequest(name, 'is no value that one of these fields may have');
  }
  return { path: name, is: 'any', conditions };
}

function parseEachField(field: string, piece: Piece, paths: Paths): Condition[] {
  const found = findField(paths, field);
  if (!found)
    throw invalidRequest(
      piece.name,
      `"${field}" is not a field of this resource${didYouMean(field, paths.keys())}`,
    );
  const { place, kind } = found;
  if (kind === 'id') return [{ ...place, is: 'one of', values: [piece.text] }];
  if (EXACT.includes(kind)) return [{ ...place, is: 'one of', values: valuesIfAny(piece, kind) }];
  const like: Condition = { ...place, is: 'like', ...compilePattern(piece, { kind, ignoreCase: true }) };
  if (kind !== 'anything') return [like];
  // What is free-form holds numbers and booleans as well.
  const others = parseValues(piece, kind).filter((value) => typeof value !== 'string');
  return others.length === 0 ? [like] : [like, { ...place, is: 'one of', values: others }];
}

function valuesIfAny(piece: Piece, kind: ValueKind): Value[] {
  try {
    return parseValues(piece, kind);
  } catch (error) {
    // Another of the fields may be meant.
    if (error instanceof DomainError) return [];
    throw error;
  }
}
