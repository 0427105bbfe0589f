import { invalidRequest } from '../refusal.ts';
import { parseCondition } from './condition.ts';
import { parseSort } from './order.ts';
import type { Paths } from './paths.ts';
import type { ListQuery } from './tree.ts';

/** Records on a page where a list does not say, and the most (spec 9.1). */
export const DEFAULT_LIMIT = 200;
export const MAX_LIMIT = 1000;
/** The most records before a page. */
export const MAX_OFFSET = 1000;
const MAX_CONDITIONS = 100;

/**
 * Reads the decoded parameters of a list request: `limit`, `offset`, `sort`, and conditions on
 * fields with all operators of spec 9.1. Throws DomainError `invalid_request` that names the
 * parameter for everything else (spec 9.1).
 */
export function parseListQuery(parameters: Iterable<[string, string]>, paths: Paths): ListQuery {
  const query: ListQuery = { conditions: [], sort: [], limit: DEFAULT_LIMIT, offset: 0 };
  for (const [name, value] of parameters) {
    if (name === 'limit') query.limit = wholeNumber(name, value, [1, MAX_LIMIT]);
    else if (name === 'offset') query.offset = wholeNumber(name, value, [0, MAX_OFFSET]);
    else if (name === 'sort') query.sort = parseSort(value, paths);
    else query.conditions.push(parseCondition({ name, text: value, at: 0 }, paths));
  }
  if (query.conditions.length > MAX_CONDITIONS) {
    throw invalidRequest('query', `takes ${MAX_CONDITIONS} conditions at most`);
  }
  return query;
}

function wholeNumber(name: string, value: string, [min, max]: readonly [number, number]): number {
  const number = /^\d{1,4}$/.test(value) ? Number(value) : -1;
  if (number < min || number > max)
    throw invalidRequest(name, `must be a whole number from ${min} to ${max}`);
  return number;
}
