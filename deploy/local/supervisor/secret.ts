import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The secret kept in DATA_DIR, made at the first call, for this user's eyes only. Tokens stay good
 * over restarts.
 */
export async function loadSecret(dataDir: string): Promise<string> {
  const { text } = await readOrCreate(join(dataDir, 'auth-secret'), () =>
    randomBytes(48).toString('base64url'),
  );
  return text;
}

/** The text of a file; if there is none, it is made first, for this user's eyes only. */
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

/** A password for the first admin that can be read aloud and typed: 20 characters, 100 bits. */
export function generatePassword(): string {
  // 32 letters and digits, without those that look alike.
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join('');
}
