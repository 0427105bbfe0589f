import { listQueryOf } from '../../domain/query/list-query.ts';
import { parametersOf, refuseParameters } from '../../domain/query/pairs.ts';
import type { Paths } from '../../domain/query/paths.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import type { ListQuery } from '../../store/listing.ts';

export { parametersOf, refuseParameters };

/** Reserved parameters of spec 8 that only a record's shape can answer: `listAnswer` and `foundAnswer` do. */
const OF_SHAPE = ['select', 'populate'];

/**
 * Reads the query of a list request with all operators of spec 8, but for `select` and `populate`. Throws DomainError `invalid_request` that names
 * the parameter for everything it does not know (contract 9).
 */
export function parseListQuery(querystring: string, paths: Paths): ListQuery {
  const parameters = parametersOf(querystring);
  const unsupported = OF_SHAPE.find((name) => parameters.has(name));
  if (unsupported !== undefined) throw invalidRequest(unsupported, 'is not supported here');
  return listQueryOf(parameters, paths);
}
