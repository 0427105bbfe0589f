import { didYouMean } from '../suggestion.ts';
import { invalidRequest } from '../refusal.ts';
import { findField } from './paths.ts';
import type { ResolvedField, Paths } from './paths.ts';
import type { ListQuery } from './tree.ts';

const MAX_FIELDS = 4;

/** Reads `sort`: at most four fields, each with `-` in front if descending (spec 9.5). */
export function parseSort(value: string, paths: Paths): ListQuery['sort'] {
  const fields = value.split(',').map((field) => ({
    path: field.replace(/^-/, ''),
    descending: field.startsWith('-'),
  }));
  if (fields.length > MAX_FIELDS) throw invalidRequest('sort', `takes ${MAX_FIELDS} fields at most`);
  const names = fields.map(({ path }) => path);
  if (new Set(names).size < names.length) throw invalidRequest('sort', 'must not repeat a field');
  const found = names.map((path) => findSortableField(path, paths));
  // MongoDB cannot order by two lists at once, and what is free-form may hold one.
  if (found.filter(mayHoldList).length > 1) {
    throw invalidRequest('sort', 'takes one field at most that is in a list or free-form');
  }
  return fields;
}

function findSortableField(path: string, paths: Paths): ResolvedField {
  const found = findField(paths, path);
  if (!found || found.kind === 'object') {
    const hint = found ? '' : didYouMean(path, paths.keys());
    throw invalidRequest('sort', `"${path}" is not a field to sort by${hint}`);
  }
  return found;
}

function mayHoldList({ kind, place }: ResolvedField): boolean {
  return kind === 'anything' || place.list === true || place.lists !== undefined;
}
