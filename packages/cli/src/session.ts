import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ParlanceError, createClient } from '@parlance/client';
import type { Client } from '@parlance/client';
import { tryLock } from '@parlance/process-lock';
import type { Lock } from '@parlance/process-lock';
import { SetupError } from './command.ts';

type Session = { url: string } & (
  | { apiKey: string }
  | { email: string; token: string; refreshToken: string; expiresAt: string }
);

export const DEFAULT_URL = 'http://localhost:3000';
/** Tokens are renewed this long before they expire. */
const MARGIN_MS = 60_000;
const LOCK_POLL_MS = 50;
const LOGOUT_RETRY_MS = 5_000;

function sessionFile(): string {
  return join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'parlance', 'session.json');
}

/** Saves the session to a file that only its owner may read. */
export function saveSession(session: Session): string {
  const file = sessionFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(session, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return file;
}

/**
 * Creates a client with PARLANCE_API_KEY or the stored session. Throws SetupError if both are
 * missing.
 */
export function createSignedInClient(more: { retryForMs?: number } = {}): Client {
  const { PARLANCE_API_KEY: apiKey } = process.env;
  const url = findUrl();
  if (apiKey) return createClient({ url, token: apiKey, ...more });
  return createClient({ url, token: currentToken, ...more });
}

/** Returns the address that commands use. Throws SetupError as `createSignedInClient` does. */
export function findUrl(): string {
  const { PARLANCE_API_KEY: apiKey, PARLANCE_URL: url } = process.env;
  if (!apiKey) return readSession().url;
  return url ?? (existsSync(sessionFile()) ? readSession().url : DEFAULT_URL);
}

/**
 * Deletes the stored session, even if Parlance cannot be reached. Returns its address. Throws
 * SetupError without a session.
 */
export async function endSession(): Promise<string> {
  const session = readSession();
  const { url } = session;
  try {
    const client = createClient({ url, token: currentToken, retryForMs: LOGOUT_RETRY_MS });
    if (!('apiKey' in session)) await client.call('POST /auth/logout', {}).catch(ignoreEnded);
    return url;
  } finally {
    rmSync(sessionFile(), { force: true });
  }
}

function ignoreEnded(error: unknown): void {
  const isEnded = error instanceof ParlanceError && [401, 403].includes(error.status);
  if (!isEnded) throw error;
}

function readSession(): Session {
  try {
    return JSON.parse(readFileSync(sessionFile(), 'utf8')) as Session;
  } catch {
    throw new SetupError('There is no session: run `parlance login`, or set PARLANCE_API_KEY.');
  }
}

/** Renews an expiring token under a lock, because a refresh token works only once. */
async function currentToken(): Promise<string> {
  return (
    usableToken(readSession()) ??
    withLock(async () => {
      const session = readSession();
      return usableToken(session) ?? renewToken(session);
    })
  );
}

function usableToken(session: Session): string | undefined {
  if ('apiKey' in session) return session.apiKey;
  return Date.parse(session.expiresAt) - MARGIN_MS > Date.now() ? session.token : undefined;
}

async function renewToken(session: Session): Promise<string> {
  if ('apiKey' in session) return session.apiKey;
  const { url, email } = session;
  const body = { refreshToken: session.refreshToken, clientId: email };
  const { token, refreshToken, expiresAt } = await createClient({ url }).call('POST /auth/token', { body });
  saveSession({ url, email, token, refreshToken, expiresAt });
  return token;
}

async function withLock<T>(run: () => Promise<T>): Promise<T> {
  let lock: Lock | undefined;
  while (!(lock = await tryLock(`${sessionFile()}.lock`))) await wait(LOCK_POLL_MS);
  try {
    return await run();
  } finally {
    await lock.release();
  }
}
