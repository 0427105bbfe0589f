import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The secret kept in DATA_DIR, made at the first call, for this user's eyes only. Tokens stay good over restarts. */
export async function keptSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'auth-secret');
  const kept = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  if (kept !== '') return kept;
  const secret = randomBytes(48).toString('base64url');
  await writeFile(path, secret, { mode: 0o600, flush: true });
  return secret;
}

/** A password for the first admin that can be read aloud and typed: 20 characters, 100 bits. */
export function generatePassword(): string {
  // 32 letters and digits, without those that look alike.
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join('');
}
