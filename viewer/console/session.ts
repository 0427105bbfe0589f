import { Refused, once, useSession } from './request.ts';

/** Who is signed in, as `GET /console/session` says (spec 12.1). */
export interface Session {
  user: string;
  scope: 'guest' | 'agent' | 'bot' | 'admin';
  organization: { id: string; name: string };
  expiresAt: string;
  csrfToken: string;
  /** Where Temporal's pages are, without a slash at its end. */
  temporal?: { ui: string; namespace: string };
}

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
  return taken((await once<Session>('POST', PATH, { body: credentials })).body);
}

export async function signOut(): Promise<void> {
  await once('DELETE', PATH, {});
}

/**
 * Several tabs share the cookie, and a refresh token is good once: one tab renews, the others find
 * it done.
 */
async function renewedSession(): Promise<Session | null> {
  const renewing = async () => {
    const found = await once<Session>('GET', PATH, {}).catch(() => null);
    if (found) return taken(found.body);
    const renewed = await once<Session>('PUT', PATH, {}).catch(() => null);
    return renewed && taken(renewed.body);
  };
  return 'locks' in navigator ? navigator.locks.request(LOCK, renewing) : renewing();
}

function taken(session: Session): Session {
  useSession({
    csrfToken: session.csrfToken,
    async renew() {
      if (!(await renewedSession())) throw new Refused(401, { code: 'unauthenticated' });
    },
  });
  return session;
}
