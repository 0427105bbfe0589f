import { openRoute } from '../route.ts';
import type { Route } from '../route.ts';
import { getSession, renewSession, signIn, signInInput, signOut } from './session.ts';
import { pagePolicy } from '../../web/page-head.ts';
import { consolePage } from '../../web/pages.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findAccount } from '../../store/accounts/users.ts';
import { isOwnAddress, isLoopback } from '../first-start/offered.ts';
import type { FirstPassword } from '../../web/pages.ts';
import { passwordMatches } from '../resources/auth/password.ts';

/** Comparing a password is slow, so the last result is kept. */
let compared = { passwordHash: '', password: '', matches: false };

export const CONSOLE: readonly Route[] = [
  openRoute('GET /console', 'The console, for agents and admins', showConsole),
  openRoute('POST /console/session', 'Sign in', signIn, { body: signInInput, secret: true }),
  openRoute('GET /console/session', 'Read the session', getSession, { secret: true }),
  openRoute('PUT /console/session', 'Renew the session', renewSession, { secret: true }),
  openRoute('DELETE /console/session', 'Sign out', signOut, { secret: true }),
];

/** GET /console (spec 12). */
async function showConsole(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const { config } = api;
  const first = await findFirstPassword(request, api);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': first ? 'no-store' : 'no-cache',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': pagePolicy(config.publicUrl, { frames: ["'self'"], framedBy: ["'none'"] }),
    },
    body: consolePage({ first, sendsMail: config.ownMail !== undefined }),
  };
}

/**
 * Returns the first admin's email and the path of the file with the generated password, while that
 * password is valid, and only to this machine (spec 12.5).
 */
async function findFirstPassword(
  { client }: Pick<OpenRequest, 'client'>,
  { config }: Pick<Api, 'config'>,
): Promise<FirstPassword | undefined> {
  const { bootstrapAdmin, dataDir, port, publicUrl, trustedProxies } = config;
  const { email, password } = bootstrapAdmin;
  const isHere = client.isLocal && isOwnAddress(`http://${client.host}`, port);
  if (!isHere || trustedProxies !== 0 || !isLoopback(publicUrl) || password === undefined) return undefined;
  const path = join(dataDir, 'admin-password');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept.trim() !== password || !(await isPasswordUnchanged({ email, password, asker: client.address }))) {
    return undefined;
  }
  const shown = relative(process.cwd(), path);
  return { email, file: shown.startsWith('..') ? path : shown };
}

interface Guess {
  email: string;
  password: string;
  asker: string;
}

async function isPasswordUnchanged({ email, password, asker }: Guess): Promise<boolean> {
  const { passwordHash } = (await findAccount({ email })) ?? {};
  if (passwordHash === undefined) return false;
  if (compared.passwordHash !== passwordHash || compared.password !== password) {
    compared = { passwordHash, password, matches: await passwordMatches({ passwordHash, password, asker }) };
  }
  return compared.matches;
}
