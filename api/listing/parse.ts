import { invalidRequest } from '../../domain/refusal.ts';
import type { Condition, ListQuery } from '../../store/listing.ts';
import { kindAt } from './paths.ts';
import type { Paths } from './paths.ts';
import { valuesOf } from './values.ts';

const DEFAULT_LIMIT = 200;
const MOST = 1000;
const MOST_SORT_FIELDS = 4;

/** Reserved parameters of spec 8 that are refused until they are honoured: never ignored. */
const NOT_YET = ['select', 'populate'];

/** A value that begins like this asks for more than to be equal. */
const OPERATOR = /^[=!<>~[{]/;

/**
 * Reads the query of a list request: `limit`, `offset`, `sort`, and fields to be equal (`field=value`), present (`field=`) or absent (`field=!`).
 * Throws DomainError `invalid_request` that names the parameter for everything else (contract 9).
 */
export function parseListQuery(querystring: string, paths: Paths): ListQuery {
  const query: ListQuery = { conditions: [], sort: [], limit: DEFAULT_LIMIT, offset: 0 };
  for (const [name, value] of parametersOf(querystring)) {
    if (NOT_YET.includes(name)) throw invalidRequest(name, 'is not supported here');
    if (name === 'limit') query.limit = wholeNumber(name, value, 1);
    else if (name === 'offset') query.offset = wholeNumber(name, value, 0);
    else if (name === 'sort') query.sort = sortOf(value, paths);
    else query.conditions.push(conditionOf(name, value, paths));
  }
  return query;
}

/** The parameters in order, decoded. Throws where one is repeated or its encoding is broken. */
export function parametersOf(querystring: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of querystring.split('&').filter((part) => part !== '')) {
    const [name, ...rest] = pair.split('=');
    const decodedName = decoded(name ?? '');
    if (parameters.has(decodedName)) throw invalidRequest(decodedName, 'must not be repeated');
    parameters.set(decodedName, decoded(rest.join('=')));
  }
  return parameters;
}

function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    if (!plain.includes('\0')) return plain;
  } catch {
    // Said below, as for NUL characters.
  }
  throw invalidRequest('query', 'is not properly encoded');
}

function wholeNumber(name: string, value: string, least: number): number {
  const number = /^\d{1,4}$/.test(value) ? Number(value) : -1;
  if (number < least || number > MOST)
    throw invalidRequest(name, `must be a whole number from ${least} to ${MOST}`);
  return number;
}

function sortOf(value: string, paths: Paths): ListQuery['sort'] {
  const fields = value.split(',').map((field) => ({
    path: field.replace(/^-/, ''),
    descending: field.startsWith('-'),
  }));
  if (fields.length > MOST_SORT_FIELDS)
    throw invalidRequest('sort', `takes ${MOST_SORT_FIELDS} fields at most`);
  const names = fields.map(({ path }) => path);
  const unknown = names.find((path) => !kindAt(paths, path));
  if (unknown !== undefined) throw invalidRequest('sort', `"${unknown}" is not a field to sort by`);
  if (new Set(names).size < names.length) throw invalidRequest('sort', 'must not repeat a field');
  return fields;
}

function conditionOf(path: string, value: string, paths: Paths): Condition {
  const kind = kindAt(paths, path);
  if (!kind) throw invalidRequest(path, 'is not a field of this resource');
  if (value === '') return { path, is: 'present' };
  if (value === '!') return { path, is: 'absent' };
  if (OPERATOR.test(value))
    throw invalidRequest(path, 'takes a plain value here; operators are not supported');
  return { path, is: 'one of', values: valuesOf(value, kind, path) };
}

/** Refuses every query parameter, for requests that know none. */
export function refuseParameters(querystring: string): void {
  const [first] = parametersOf(querystring).keys();
  if (first !== undefined) throw invalidRequest(first, 'is not a parameter of this request');
}
