import { parseId } from '../../domain/id.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import type { Principal } from '../../application/auth/principal.ts';
import type { Route } from '../route.ts';

type Params = Record<string, string>;

/** A delivery is named after its event, one of several of a change, and its service. */
const DELIVERY_ID = /^[0-9a-f]{24}-\d{1,9}:[0-9a-f]{24}$/;

/**
 * The variable parts of a path, as its handler is given them: of `/users/me` the id of the caller
 * (spec 3.7). Throws DomainError `invalid_request` for an invalid id (spec 2.1).
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
    if (path.startsWith('/deliveries/')) assertDeliveryId(value, name);
    else parseId(value, name);
  }
  return params;
}

function assertDeliveryId(text: string, name: string): void {
  if (!DELIVERY_ID.test(text)) throw invalidRequest(name, 'must be the id of a delivery');
}
