import { createHash } from 'node:crypto';
import { Router } from '@koa/router';
import type { Authority } from '../../application/auth/authority.ts';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import { canonicalJson } from '../../domain/json.ts';
import { ignoredFields } from '../../schema/ignored-fields.ts';
import { buildErrorResponse, toDomainError } from '../errors.ts';
import { pathHint } from '../middleware/answer-errors.ts';
import type { ApiRequest, Line, SerializedResponse } from '../request.ts';
import type { Route } from '../route.ts';
import { headerKey } from './idempotency.ts';
import type { RequestKey } from './idempotency.ts';
import { buildIgnoredHeader } from './response.ts';
import { assertAllowed, pathParams, rejectIfMatchWithoutEtag } from './run-request.ts';
import type { RunRequest } from './run-request.ts';
import { assertNothingIgnored } from './strict.ts';

type Batch = Omit<ApiRequest, 'ids'>;

interface LineDeps {
  rows: readonly Route[];
  runRequest: RunRequest;
  authority: Pick<Authority, 'authenticate'>;
}

/**
 * Returns a function that runs one line of a batch like a single request, with the principal of
 * the batch (spec 2.11). The function responds to errors as the API does. An idempotency key of the
 * batch holds for each line, together with its number.
 */
export function createRunLine({ rows, runRequest, authority }: LineDeps) {
  const known = rows.filter(isLineRoute);
  const findRoute = createRouteFinder(known);
  return async (line: Line, batch: Batch, idempotencyKey: string): Promise<SerializedResponse> => {
    let ignored: Record<string, string> = {};
    try {
      const { row, given } = findRoute(line);
      // The credential may end during a batch.
      const { trace } = batch.principal;
      const principal = { ...(await authority.authenticate(batch.client.token)), trace };
      await assertAllowed(row, principal, given['id'] ?? '');
      const params = pathParams(row, given, principal);
      const paths = row.body ? ignoredFields(row.body, line.body) : [];
      ignored = buildIgnoredHeader(paths);
      if (batch.isStrict) assertNothingIgnored({ ignored: paths, schema: row.body });
      const body: unknown = row.checkBody?.(line.body);
      rejectIfMatchWithoutEtag(line.ifMatch === '' ? undefined : line.ifMatch, row);
      const { runLine: _, ...caller } = batch;
      const request = {
        ...{ ...caller, querystring: '', ifMatch: line.ifMatch },
        ...{ id: params['id'] ?? '', params, body, principal },
      };
      const key = row.creates ? lineKey(idempotencyKey, line) : undefined;
      return await runRequest({ row, request, sent: line.body, ignored: paths, key });
    } catch (error) {
      const refused = serializeError(error);
      return { ...refused, headers: { ...ignored, ...refused.headers } };
    }
  };
}

export function serializeError(error: unknown): SerializedResponse {
  const { status, headers, body } = buildErrorResponse(toDomainError(error));
  return { status, headers, body: JSON.stringify(body) };
}

/** Lines neither read, nor handle secrets or sessions, nor post business events. */
function isLineRoute({ method, bodyType, answerType, secret, session, eventTypes, scope }: Route): boolean {
  const isJson = bodyType === 'application/json' && answerType === 'application/json';
  return method !== 'GET' && scope !== null && isJson && !secret && !session && !eventTypes;
}

interface FoundRoute {
  row: Route;
  given: Record<string, string>;
}

function createRouteFinder(rows: readonly Route[]): (line: Line) => FoundRoute {
  const router = new Router({ sensitive: true });
  for (const row of rows) router.register(row.path, [row.method], () => undefined);
  return ({ method, path }) => {
    const { path: alike, pathAndMethod } = router.match(path, method);
    const layer = pathAndMethod[0];
    const row = rows.find((one) => one.path === layer?.path && one.method === method);
    if (layer && row) return { row, given: layer.params(path, layer.captures(path)) };
    if (alike.length > 0) {
      throw new DomainError('method_not_allowed', `This path does not take ${method} in a batch.`);
    }
    if (path.includes('?')) throw invalidRequest('path', 'must not have a query');
    throw new DomainError('not_found', `A batch has nothing at this path; ${pathHint(path, rows)}`);
  };
}

function lineKey(key: string, { number, method, path, body }: Line): RequestKey | undefined {
  if (key === '') return undefined;
  // Checks the key in its original form.
  headerKey(key, '');
  const own = createHash('sha256').update(key).digest('base64url');
  return headerKey(`batch:${own}:${number}`, `${method} /v2${path} ${canonicalJson(body)}`);
}
