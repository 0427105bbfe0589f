import { invalidRequest } from '../errors.ts';
import { parseCondition } from './condition.ts';
import type { Paths, ResolvedField } from './paths.ts';
import type { ListQuery } from './tree.ts';
import { didYouMean } from '../suggestion.ts';
import { findField } from './paths.ts';

export const DEFAULT_LIMIT = 200;
export const MAX_LIMIT = 1000;
export const MAX_OFFSET = 1000;
const MAX_CONDITIONS = 100;

/** Throws DomainError `invalid_request` (spec 9.1). */
export function parseListQuery(parameters: Iterable<[string, string]>, paths: Paths): ListQuery {
  const query: ListQuery = { conditions: [], sort: [], limit: DEFAULT_LIMIT, offset: 0 };
  for (const [name, value] of parameters) {
    if (name === 'limit') query.limit = wholeNumber(name, value, [1, MAX_LIMIT]);
    else if (name === 'offset')
      query.offset = wholeNumber(name, value, [0, MAX_OFFSET], paths.has('id') ? READ_ON : '');
    else if (name === 'sort') query.sort = parseSort(value, paths);
    else query.conditions.push(parseCondition({ name, text: value, at: 0 }, paths));
  }
  if (query.conditions.length > MAX_CONDITIONS) {
    throw invalidRequest('query', `takes ${MAX_CONDITIONS} conditions at most`);
  }
  return query;
}

/** Advice for callers who read a list to its end. */
const READ_ON = '; to read further, sort by id and follow the header Link, or filter by id=>{last id}';

function wholeNumber(
  name: string,
  value: string,
  [min, max]: readonly [number, number],
  advice = '',
): number {
  const number = /^\d{1,4}$/.test(value) ? Number(value) : -1;
  if (number < min || number > max)
    throw invalidRequest(name, `must be a whole number from ${min} to ${max}${advice}`);
  return number;
}

const MAX_FIELDS = 4;

/** See spec 9.5. */
function parseSort(value: string, paths: Paths): ListQuery['sort'] {
  const fields = value.split(',').map((field) => ({
    path: field.replace(/^-/, ''),
    descending: field.startsWith('-'),
  }));
  if (fields.length > MAX_FIELDS) throw invalidRequest('sort', `takes ${MAX_FIELDS} fields at most`);
  const names = fields.map(({ path }) => path);
  if (new Set(names).size < names.length) throw invalidRequest('sort', 'must not repeat a field');
  const found = names.map((path) => findSortableField(path, paths));
  // MongoDB cannot sort by two lists; a free-form field may hold one.
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
