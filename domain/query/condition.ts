import { invalidRequest } from '../refusal.ts';
import { didYouMean } from '../suggestion.ts';
import { anyOf } from './any-of.ts';
import { memberEntries } from './members.ts';
import { FREE_MEMBERS, fieldAt, membersOf } from './paths.ts';
import type { Found, Paths } from './paths.ts';
import type { Bound, Condition, Kind, Relation, Test, Value } from './tree.ts';
import { searchFor } from './pattern.ts';
import { refusedAt } from './refuse.ts';
import { boundOf, valuesOf } from './values.ts';
import type { Piece } from './values.ts';

const MAX_VALUES = 1000;
const RELATIONS: Record<string, Relation> = {
  '>': 'greater',
  '>=': 'greater or equal',
  '<': 'less',
  '<=': 'less or equal',
};

interface Target extends Found {
  paths: Paths;
}

/**
 * Reads one parameter as a condition (spec 9.2): `name` is a field or several (`f1,f2`), `text` the
 * decoded value with its operators. Throws DomainError `invalid_request` that names the parameter,
 * and the character where that helps.
 */
export function conditionOf(piece: Piece, paths: Paths): Condition {
  if (piece.name.includes(',')) return anyOf(piece, paths);
  return fieldCondition(piece, { path: piece.name, paths });
}

function fieldCondition(piece: Piece, { path, paths }: { path: string; paths: Paths }): Condition {
  const found = fieldAt(paths, path);
  if (!found) throw invalidRequest(piece.name, unknownField(piece.name, { path, paths }));
  return { ...found.place, ...testOf(piece, { ...found, paths }) };
}

function unknownField(name: string, { path, paths }: { path: string; paths: Paths }): string {
  const hint = didYouMean(path, paths.keys());
  return name === path
    ? `is not a field of this resource${hint}`
    : `"${path}" is not a field of its members${hint}`;
}

function testOf(piece: Piece, target: Target): Test {
  switch (piece.text[0]) {
    case undefined:
      return { is: 'present' };
    case '!':
      return denial(piece, target.kind);
    case '>':
    case '<':
      return range(piece, target.kind);
    case '[':
      return { is: 'one of', values: listed(piece, target.kind) };
    case '~':
      return { is: 'like', ...searchFor(after(piece, 1), { kind: target.kind, ignoreCase: false }) };
    case '{':
      return member(piece, target);
    case '=':
      throw refusedAt(piece.name, piece.at, `a value that begins with "=" is written as [${piece.text}]`);
    default:
      return { is: 'one of', values: valuesOf(piece, target.kind) };
  }
}

function after(piece: Piece, length: number): Piece {
  return { ...piece, text: piece.text.slice(length), at: piece.at + length };
}

function denial(piece: Piece, kind: Kind): Test {
  if (piece.text === '!') return { is: 'absent' };
  if (piece.text[1] === '=') return { is: 'none of', values: valuesOf(after(piece, 2), kind) };
  if (piece.text[1] === '[') return { is: 'none of', values: listed(after(piece, 1), kind) };
  throw refusedAt(piece.name, piece.at + 1, '"!" must be followed by "=", "[" or nothing');
}

function listed(piece: Piece, kind: Kind): Value[] {
  const { name, text, at } = piece;
  if (!text.endsWith(']')) throw refusedAt(name, at + text.length, 'a list must end with "]"');
  const items = text.slice(1, -1).split(',');
  if (items.length === 1 && items[0] === '') throw refusedAt(name, at + 1, 'a list must hold a value');
  if (items.length > MAX_VALUES) throw refusedAt(name, at, `a list takes ${MAX_VALUES} values at most`);
  const values = items.flatMap((item, n) =>
    valuesOf({ name, text: n === 0 ? item : item.trimStart(), at }, kind),
  );
  return [...new Set(values)];
}

function range(piece: Piece, kind: Kind): Test {
  const bounds: Bound[] = [];
  let { at } = piece;
  for (const text of piece.text.split(/,(?= *[<>])/)) {
    bounds.push(bound({ name: piece.name, text: text.trimStart(), at }, kind));
    at += text.length + 1;
  }
  const lower = bounds.filter(({ relation }) => relation.startsWith('greater'));
  if (lower.length > 1 || bounds.length - lower.length > 1) {
    throw refusedAt(piece.name, piece.at, 'a range takes one lower and one upper bound at most');
  }
  return { is: 'within', bounds };
}

function bound(piece: Piece, kind: Kind): Bound {
  const operator = piece.text[1] === '=' ? piece.text.slice(0, 2) : piece.text.slice(0, 1);
  const value = after(piece, operator.length);
  const relation = RELATIONS[operator];
  if (!relation || value.text === '') {
    throw refusedAt(piece.name, value.at, `"${operator}" must be followed by a value`);
  }
  return { relation, value: boundOf(value, kind) };
}

function member(piece: Piece, { place, kind, paths }: Target): Test {
  const free = kind === 'anything';
  if (!free && !(kind === 'object' && place.list)) {
    throw refusedAt(piece.name, piece.at, 'only a list whose members have fields takes conditions in braces');
  }
  const members = free ? FREE_MEMBERS : membersOf(paths, place.path);
  const conditions = memberEntries(piece).map(({ key, value }) =>
    fieldCondition(value, { path: key, paths: members }),
  );
  return { is: 'member', conditions };
}
