import { createEncryption } from '../../application/posting/encryption.ts';
import { randomIds } from '../../application/posting/id-generator.ts';
import type { IdGenerator } from '../../application/posting/id-generator.ts';
import type { Principal } from '../../application/auth/principal.ts';
import { invalidRequest, preconditionFailed } from '../../domain/errors.ts';
import { parseId } from '../../domain/id.ts';
import { includesScope, insufficientScope } from '../../domain/scope.ts';
import { assertSession } from '../resources/auth/credentials.ts';
import type { Api, FieldPath, OpenRequest, SerializedResponse } from '../request.ts';
import type { Route } from '../route.ts';
import { withIdempotencyKey } from './idempotency.ts';
import type { RequestKey } from './idempotency.ts';
import { mergeAndWrite } from './merge-patch.ts';
import { createPublish, findGetRoutes } from './publish.ts';
import {
  assertValidIfMatch,
  buildHintHeader,
  buildIgnoredHeader,
  collectHints,
  createRecordCheck,
  serializeResponse,
} from './response.ts';

/** A request that has passed all checks. */
export interface CheckedRequest {
  row: Route;
  request: Omit<OpenRequest, 'ids'>;
  /** The body, parsed, before validation. */
  sent: unknown;
  ignored: readonly FieldPath[];
  /** Whether `sent` is a merge patch (spec 2.3), which is merged with the record and validated. */
  merges?: boolean | undefined;
  key: RequestKey | undefined;
}

/** Runs the handler of a route once per idempotency key, and publishes its event. */
export type RunRequest = (checked: CheckedRequest) => Promise<SerializedResponse>;

export function createRunRequest(api: Api, rows: readonly Route[]): RunRequest {
  const { authSecret, deadlines } = api.config;
  const encryption = createEncryption(authSecret);
  const runAndPublish = createPublish(api, rows);
  const gets = findGetRoutes(rows);
  const showsRecord = createRecordCheck(rows);
  return async ({ row, request, sent, ignored, merges, key }) => {
    const run = async (ids: IdGenerator, receivedAt = request.receivedAt) => {
      const asked = { ...request, ids, receivedAt };
      const get = merges ? gets.get(row.path) : undefined;
      const answer = get
        ? await mergeAndWrite({
            request: asked,
            patch: sent,
            read: () => get.run({ ...asked, querystring: '' }, api),
            write: (merged) => runAndPublish(row, { ...merged, body: row.checkBody?.(merged.body) }),
          })
        : await runAndPublish(row, asked);
      const named = buildIgnoredHeader([...ignored, ...(answer.ignored ?? [])]);
      const hints = buildHintHeader([...collectHints(row.body, ignored), ...(answer.hints ?? [])]);
      const headers = { ...answer.headers, ...named, ...hints };
      return { ...serializeResponse({ ...answer, headers }, showsRecord(row)), once: answer.once };
    };
    if (!key) return run(randomIds);
    return withIdempotencyKey(
      { ...key, caller: formatCaller(request.principal), run },
      encryption,
      deadlines,
    );
  };
}

/** With another organization or scope, the caller may not see the stored response. */
export function formatCaller(principal: Principal | undefined): string {
  if (!principal) return '';
  const { user, organization, scope } = principal;
  return `${user} ${organization} ${scope}`;
}

/** Throws DomainError `forbidden` for a scope or credential that the route does not allow. */
export async function assertAllowed(row: Route, principal: Principal, id: string): Promise<void> {
  const own = [principal.user, 'me'].includes(id);
  const needed = (own && row.self) || row.scope;
  if (needed && !includesScope(principal.scope, needed)) {
    const isOwn = row.own && (await row.own.isOwn(principal, id));
    if (!isOwn) throw insufficientScope(needed, principal.scope);
  }
  if (row.session) assertSession(principal);
}

// A route without an ETag satisfies If-Match only with `*` (spec 2).
export function rejectIfMatchWithoutEtag(ifMatch: string | undefined, { method, path, answer }: Route): void {
  const isChange = method === 'PATCH' || method === 'DELETE';
  if (isChange) assertValidIfMatch(ifMatch);
  if (!isChange || answer || /^\/\w+\/:id$/.test(path)) return;
  if (!['', '*'].includes(ifMatch?.trim() ?? '')) throw preconditionFailed();
}

type Params = Record<string, string>;

const DELIVERY_ID = /^[0-9a-f]{24}-\d{1,9}:[0-9a-f]{24}$/;

/**
 * Replaces `me` in `/users/me` paths by the caller's id (spec 3.7). Throws DomainError
 * `invalid_request` for an invalid id (spec 2.1).
 */
export function pathParams(
  { path }: Pick<Route, 'path'>,
  given: Params,
  principal: Principal | undefined,
): Params {
  const params = { ...given };
  if (params['id'] === 'me' && principal && path.startsWith('/users/')) params['id'] = principal.user;
  for (const name of ['id', 'key']) {
    const value = params[name];
    if (value === undefined) continue;
    if (!path.startsWith('/deliveries/')) parseId(value, name);
    else if (!DELIVERY_ID.test(value)) throw invalidRequest(name, 'must be the id of a delivery');
  }
  return params;
}
