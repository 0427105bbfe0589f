import { storeCsrfToken, takeOfferedToken, sendOnce, setRenewal } from './request.ts';
import { ApiError } from './parts/refusals.ts';

/** Response of `GET /console/session` (spec 12.1). */
export interface Session {
  user: string;
  scope: 'guest' | 'agent' | 'bot' | 'admin';
  organization: { id: string; name: string };
  expiresAt: string;
  /** Without a trailing slash. */
  temporal?: { ui: string; namespace: string };
}

/** Only the response to a sign-in contains the CSRF token. */
type SignedIn = Session & { csrfToken: string };

export interface Credentials {
  email: string;
  password: string;
  otp?: string;
}

const PATH = 'console/session';
const LOCK = 'parlance-session';

/** Returns null without a session. Renews an expired access token. */
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

/** Throws ApiError, with code `otp_required` if a one-time password is missing. */
export async function signIn(credentials: Credentials): Promise<Session> {
  const { csrfToken, ...session } = (await sendOnce<SignedIn>('POST', PATH, { body: credentials })).body;
  storeCsrfToken(csrfToken);
  return adoptSession(session);
}

export async function signOut(): Promise<void> {
  await sendOnce('DELETE', PATH, {}).catch(nullIfUnauthorized);
  storeCsrfToken('');
}

/** The start page passes its token in the URL. */
async function adoptOfferedToken(): Promise<void> {
  const token = takeOfferedToken();
  if (token === '') return;
  const found = await sendOnce('GET', PATH, { headers: { 'X-CSRF-Token': token } }).catch(() => null);
  if (found) storeCsrfToken(token);
}

/** A refresh token works only once, so one tab renews and later tabs find it done. */
async function renewSession(): Promise<Session | null> {
  const renewing = async () => {
    const found = await sendOnce<Session>('GET', PATH, {}).catch(nullIfUnauthorized);
    if (found) return adoptSession(found.body);
    const renewed = await sendOnce<Session>('PUT', PATH, {}).catch(nullIfUnauthorized);
    return renewed && adoptSession(renewed.body);
  };
  return 'locks' in navigator ? navigator.locks.request(LOCK, renewing) : renewing();
}

/** Keeps the session when the server is busy or unreachable. */
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
interface FirstPassword {
  email: string;
  file: string;
}

/** Data that the server puts into the page, before a user has signed in. */
const data = document.getElementById('console')?.dataset ?? {};

export const LOGO = data['logo'] ?? '';

/** Set on the server's own machine, until the generated password is changed (spec 12.5). */
export const FIRST_PASSWORD =
  data['first'] === undefined ? undefined : (JSON.parse(data['first']) as FirstPassword);
