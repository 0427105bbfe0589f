import { openRoute } from '../route.ts';
import type { Route } from '../route.ts';
import { showConsole } from './page.ts';
import { getSession, renewSession, signIn, signInInput, signOut } from './session.ts';

/**
 * The console's page and its session, which is all that it has of its own: the rest it does by the
 * public API.
 */
export const CONSOLE: readonly Route[] = [
  openRoute('GET /console', 'The page for those who run or staff the service', showConsole),
  openRoute('POST /console/session', 'Sign in', signIn, { body: signInInput, secret: true }),
  openRoute('GET /console/session', 'Whose session this is', getSession, { secret: true }),
  openRoute('PUT /console/session', 'Renew the session', renewSession, { secret: true }),
  openRoute('DELETE /console/session', 'Sign out', signOut, { secret: true }),
];
