import { keepCsrfToken, takeOfferedToken } from './csrf-token.ts';
import { Refused } from './refused.ts';
import { once, useSession } from './request.ts';

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
    return taken((await once<Session>('GET', PATH, {})).body);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code === 'token_expired') return renewedSession();
    if (error.status === 401 || error.status === 403) return null;
    throw error;
  }
}

/** Throws Refused, with code `otp_required` where a one-time password is needed as well. */
export async function signIn(credentials: Credentials): Promise<Session> {
  const { csrfToken, ...session } = (await once<SignedIn>('POST', PATH, { body: credentials })).body;
  keepCsrfToken(csrfToken);
  return taken(session);
}

export async function signOut(): Promise<void> {
  await once('DELETE', PATH, {}).catch(nullIfRefused);
  keepCsrfToken('');
}

/** The start page signs its visitor in, and hands the token over in the address. */
async function adoptOfferedToken(): Promise<void> {
  const token = takeOfferedToken();
  if (token === '') return;
  const found = await once('GET', PATH, { headers: { 'X-CSRF-Token': token } }).catch(() => null);
  if (found) keepCsrfToken(token);
}

/**
 * Several tabs share the cookie, and a refresh token is good once: one tab renews, the others find
 * it done.
 */
async function renewedSession(): Promise<Session | null> {
  const renewing = async () => {
    const found = await once<Session>('GET', PATH, {}).catch(nullIfRefused);
    if (found) return taken(found.body);
    const renewed = await once<Session>('PUT', PATH, {}).catch(nullIfRefused);
    return renewed && taken(renewed.body);
  };
  return 'locks' in navigator ? navigator.locks.request(LOCK, renewing) : renewing();
}

/** Without a connection, or while the server is busy, the session is as it was. */
function nullIfRefused(error: unknown): null {
  if (error instanceof Refused && [401, 403].includes(error.status)) return null;
  throw error;
}

function taken(session: Session): Session {
  useSession({
    async renew() {
      if (!(await renewedSession())) throw new Refused(401, { code: 'unauthenticated' });
    },
  });
  return session;
}
