import { storeCsrfToken, takeOfferedToken, sendOnce, setRenewal } from './request.ts';
import { ApiError } from './parts/refusals.ts';

/** Who is signed in, as `GET /console/session` says (spec 12.1). */
export interface Session {
  user: string;
  scope: 'guest' | 'agent' | 'bot' | 'admin';
  organization: { id: string; name: string };
  expiresAt: string;
  /** Where Temporal's pages are, without a slash at its end. */
  temporal?: { ui: string; namespace: string };
}

/** The answer of signing in alone has the token that later requests send. */
type SignedIn = Session & { csrfToken: string };

export interface Credentials {
  email: string;
  password: string;
  otp?: string;
}

const PATH = 'console/session';
const LOCK = 'parlance-session';

/** Who is signed in here; null if nobody is. Renews a session whose access token is over. */
export async function currentSession(): Promise<Session | null> {
  try {
    await adoptOfferedToken();
    return adoptSession((await sendOnce<Session>('GET', PATH, {})).body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'token_expired') return renewSession();
    if (error.status === 401 || error.status === 403) return null;
    throw error;
  }
}

/** Throws Refused, with code `otp_required` where a one-time password is needed as well. */
export async function signIn(credentials: Credentials): Promise<Session> {
  const { csrfToken, ...session } = (await sendOnce<SignedIn>('POST', PATH, { body: credentials })).body;
  storeCsrfToken(csrfToken);
  return adoptSession(session);
}

export async function signOut(): Promise<void> {
  await sendOnce('DELETE', PATH, {}).catch(nullIfUnauthorized);
  storeCsrfToken('');
}

/** The start page signs its visitor in, and hands the token over in the address. */
async function adoptOfferedToken(): Promise<void> {
  const token = takeOfferedToken();
  if (token === '') return;
  const found = await sendOnce('GET', PATH, { headers: { 'X-CSRF-Token': token } }).catch(() => null);
  if (found) storeCsrfToken(token);
}

/**
 * Several tabs share the cookie, and a refresh token is good once: one tab renews, the others find
 * it done.
 */
async function renewSession(): Promise<Session | null> {
  const renewing = async () => {
    const found = await sendOnce<Session>('GET', PATH, {}).catch(nullIfUnauthorized);
    if (found) return adoptSession(found.body);
    const renewed = await sendOnce<Session>('PUT', PATH, {}).catch(nullIfUnauthorized);
    return renewed && adoptSession(renewed.body);
  };
  return 'locks' in navigator ? navigator.locks.request(LOCK, renewing) : renewing();
}

/** Without a connection, or while the server is busy, the session is as it was. */
function nullIfUnauthorized(error: unknown): null {
  if (error instanceof ApiError && [401, 403].includes(error.status)) return null;
  throw error;
}

function adoptSession(session: Session): Session {
  setRenewal({
    async renew() {
      if (!(await renewSession())) throw new ApiError(401, { code: 'unauthenticated' });
    },
  });
  return session;
}
/** Where `npm start` keeps the generated password of the first admin, whose email this is. */
interface FirstPassword {
  email: string;
  file: string;
}

/** Data that the server puts into the page, before a user has signed in. */
const data = document.getElementById('console')?.dataset ?? {};

/** The address of the product's logo. */
export const LOGO = data['logo'] ?? '';

/** Present on the machine itself, as long as that password has not been changed (spec 12.5). */
export const FIRST_PASSWORD =
  data['first'] === undefined ? undefined : (JSON.parse(data['first']) as FirstPassword);
