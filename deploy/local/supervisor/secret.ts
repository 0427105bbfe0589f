import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the secret in DATA_DIR, created at the first call and readable by this user only. Tokens
 * stay valid across restarts.
 */
export async function loadSecret(dataDir: string): Promise<string> {
  const { text } = await readOrCreate(join(dataDir, 'auth-secret'), () =>
    randomBytes(48).toString('base64url'),
  );
  return text;
}

/** Returns the text of a file, created by `make` if missing and readable by this user only. */
export async function readOrCreate(
  path: string,
  make: () => string,
): Promise<{ text: string; isNew: boolean }> {
  const known = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  if (known !== '') return { text: known.trim(), isNew: false };
  const text = make();
  await writeFile(path, text, { mode: 0o600, flush: true });
  return { text, isNew: true };
}

/** Generates a password of 20 characters (100 bits) that is easy to read aloud and type. */
export function generatePassword(): string {
  // 32 letters and digits, without similar ones.
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join('');
}
