import { createToken, tokenInput } from './auth/create-token.ts';
import { getToken } from './auth/get-token.ts';
import { openRoute, route } from './route.ts';
import type { Route } from './route.ts';

/** Everything the API answers below /v2, and the lowest scope it is answered to (spec 5.7). */
export const ROUTES: readonly Route[] = [
  openRoute('POST /auth/token', 'Log in, or refresh an expired token', createToken, { body: tokenInput }),
  route('GET /auth/token', 'guest', 'Refresh a token that is still good', getToken),
];
