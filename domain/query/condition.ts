import { invalidRequest, DomainError } from '../errors.ts';
import { didYouMean } from '../suggestion.ts';
import { memberEntries } from './members.ts';
import { FREE_MEMBERS, findField, buildMemberPaths } from './paths.ts';
import type { ResolvedField, Paths } from './paths.ts';
import type { Bound, Condition, ValueKind, Relation, Test, Value } from './tree.ts';
import { compilePattern } from './pattern.ts';
import { parameterErrorAt } from './query-string.ts';
import { parseBoundValue, parseValues } from './values.ts';
import type { Piece } from './values.ts';

const MAX_VALUES = 1000;
const RELATIONS: Record<string, Relation> = {
  '>': 'greater',
  '>=': 'greater or equal',
  '<': 'less',
  '<=': 'less or equal',
};

interface ConditionTarget extends ResolvedField {
  paths: Paths;
}

/**
 * Parses a parameter, `field=value` or `f1,f2=value` (spec 9.2). Throws DomainError
 * `invalid_request`.
 */
export function parseCondition(piece: Piece, paths: Paths): Condition {
  return conditionOn(piece, piece.name, paths);
}

/** `fields`: one path, or several with commas. */
function conditionOn(piece: Piece, fields: string, paths: Paths): Condition {
  if (fields.includes(',')) return parseMultiFieldCondition(piece, fields, paths);
  return fieldCondition(piece, fields, paths);
}

function fieldCondition(piece: Piece, path: string, paths: Paths): Condition {
  const found = findField(paths, path);
  if (found) return { ...found.place, ...parseTest(piece, { ...found, paths }) };
  const owner =
    piece.name === path ? 'is not a field of this resource' : `"${path}" is not a field of its members`;
  throw invalidRequest(piece.name, owner + didYouMean(path, paths.keys()));
}

function parseTest(piece: Piece, target: ConditionTarget): Test {
  switch (piece.text[0]) {
    case undefined:
      return { is: 'present' };
    case '!':
      return parseDenial(piece, target.kind);
    case '>':
    case '<':
      return parseRange(piece, target.kind);
    case '[':
      return { is: 'one of', values: parseValueList(piece, target.kind) };
    case '~': {
      const options = { kind: target.kind, ignoreCase: false };
      return { is: 'like', ...compilePattern(skipCharacters(piece, 1), options) };
    }
    case '{':
      return parseMemberTest(piece, target);
    case '=':
      throw parameterErrorAt(
        piece.name,
        piece.at,
        `a value that begins with "=" is written as [${piece.text}]`,
      );
    default:
      return { is: 'one of', values: parseValues(piece, target.kind) };
  }
}

function skipCharacters(piece: Piece, length: number): Piece {
  return { ...piece, text: piece.text.slice(length), at: piece.at + length };
}

function parseDenial(piece: Piece, kind: ValueKind): Test {
  if (piece.text === '!') return { is: 'absent' };
  if (piece.text[1] === '=') return { is: 'none of', values: parseValues(skipCharacters(piece, 2), kind) };
  if (piece.text[1] === '[') return { is: 'none of', values: parseValueList(skipCharacters(piece, 1), kind) };
  throw parameterErrorAt(piece.name, piece.at + 1, '"!" must be followed by "=", "[" or nothing');
}

function parseValueList(piece: Piece, kind: ValueKind): Value[] {
  const { name, text, at } = piece;
  if (!text.endsWith(']')) throw parameterErrorAt(name, at + text.length, 'a list must end with "]"');
  const items = text.slice(1, -1).split(',');
  if (items.length === 1 && items[0] === '') throw parameterErrorAt(name, at + 1, 'a list must hold a value');
  if (items.length > MAX_VALUES)
    throw parameterErrorAt(name, at, `a list takes ${MAX_VALUES} values at most`);
  const values = items.flatMap((item, n) =>
    parseValues({ name, text: n === 0 ? item : item.trimStart(), at }, kind),
  );
  return [...new Set(values)];
}

function parseRange(piece: Piece, kind: ValueKind): Test {
  const bounds: Bound[] = [];
  let { at } = piece;
  for (const text of piece.text.split(/,(?= *[<>])/)) {
    bounds.push(parseBound({ name: piece.name, text: text.trimStart(), at }, kind));
    at += text.length + 1;
  }
  const lower = bounds.filter(({ relation }) => relation.startsWith('greater'));
  if (lower.length > 1 || bounds.length - lower.length > 1) {
    throw parameterErrorAt(piece.name, piece.at, 'a range takes one lower and one upper bound at most');
  }
  return { is: 'within', bounds };
}

function parseBound(piece: Piece, kind: ValueKind): Bound {
  const operator = piece.text[1] === '=' ? piece.text.slice(0, 2) : piece.text.slice(0, 1);
  const value = skipCharacters(piece, operator.length);
  const relation = RELATIONS[operator];
  if (!relation || value.text === '') {
    throw parameterErrorAt(piece.name, value.at, `"${operator}" must be followed by a value`);
  }
  return { relation, value: parseBoundValue(value, kind) };
}

function parseMemberTest(piece: Piece, { place, kind, paths }: ConditionTarget): Test {
  const free = kind === 'anything';
  if (!free && !(kind === 'object' && place.list)) {
    throw parameterErrorAt(
      piece.name,
      piece.at,
      'only a list whose members have fields takes conditions in braces',
    );
  }
  const members = free ? FREE_MEMBERS : buildMemberPaths(paths, place.path);
  const conditions = memberEntries(piece).map(({ key, value }) => conditionOn(value, key, members));
  return { is: 'member', conditions };
}

const MAX_FIELDS = 10;
const EXACT: readonly ValueKind[] = ['number', 'boolean', 'time'];

/**
 * Parses `f1,f2=value`, without operators. Texts match a case-insensitive pattern (spec 9.3), other
 * values match if equal.
 */
function parseMultiFieldCondition(piece: Piece, names: string, paths: Paths): Condition {
  const { name, text } = piece;
  const fields = names.split(',');
  if (fields.length > MAX_FIELDS) throw invalidRequest(name, `takes ${MAX_FIELDS} fields at most`);
  if (text === '') throw invalidRequest(name, 'needs a value');
  if (new Set(fields).size < fields.length) throw invalidRequest(name, 'must not repeat a field');
  const conditions = fields.flatMap((field) => parseEachField(field, piece, paths));
  if (conditions.every((one) => one.is === 'one of' && one.values.length === 0)) {
    throw invalidRequest(name, 'is not a possible value of any of these fields');
  }
  return { path: names, is: 'any', conditions };
}

function parseEachField(field: string, piece: Piece, paths: Paths): Condition[] {
  const found = findField(paths, field);
  if (!found) {
    const hint = didYouMean(field, paths.keys());
    throw invalidRequest(piece.name, `"${field}" is not a field of this resource${hint}`);
  }
  const { place, kind } = found;
  if (kind === 'id') return [{ ...place, is: 'one of', values: [piece.text] }];
  if (EXACT.includes(kind)) return [{ ...place, is: 'one of', values: valuesIfAny(piece, kind) }];
  const like: Condition = { ...place, is: 'like', ...compilePattern(piece, { kind, ignoreCase: true }) };
  if (kind !== 'anything') return [like];
  // Free-form fields hold numbers and booleans too.
  const others = parseValues(piece, kind).filter((value) => typeof value !== 'string');
  return others.length === 0 ? [like] : [like, { ...place, is: 'one of', values: others }];
}

function valuesIfAny(piece: Piece, kind: ValueKind): Value[] {
  try {
    return parseValues(piece, kind);
  } catch (error) {
    // The value may be valid for another field.
    if (error instanceof DomainError) return [];
    throw error;
  }
}
