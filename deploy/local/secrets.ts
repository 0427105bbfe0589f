import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartConfig } from '../../platform/config/processes.ts';

/** Returns the secret in DATA_DIR, created once: tokens stay valid across restarts. */
export async function loadSecret(dataDir: string): Promise<string> {
  const make = () => randomBytes(48).toString('base64url');
  return (await readOrCreate(join(dataDir, 'auth-secret'), make)).text;
}

async function readOrCreate(path: string, make: () => string): Promise<{ text: string; isNew: boolean }> {
  const known = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  if (known !== '') return { text: known.trim(), isNew: false };
  const text = make();
  await writeFile(path, text, { mode: 0o600, flush: true });
  return { text, isNew: true };
}

/** Returns 20 characters (100 bits) that are easy to read aloud and type. */
function generatePassword(): string {
  // Without similar characters.
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join('');
}

const REPORT_MS = 2_000;

interface FirstAdmin {
  email: string;
  password: string;
  /** Receives the API's messages. A message reports whether the API created the admin. */
  onMessage: (message: unknown) => void;
  /** Returns the password if it was generated and this start created the admin with it. */
  passwordToShow: () => Promise<string | undefined>;
}

/**
 * Chooses the first admin's password. A generated password is stored in `DATA_DIR/admin-password`
 * before the admin is created, so that an interrupted start does not lose it
 * (docs/decisions/first-password.md).
 */
export async function firstAdmin({ bootstrapAdmin, dataDir }: StartConfig): Promise<FirstAdmin> {
  const path = join(dataDir, 'admin-password');
  const given = bootstrapAdmin.password;
  const { text: password, isNew } =
    given === undefined ? await readOrCreate(path, generatePassword) : { text: given, isNew: false };
  let report: (created: boolean | 'unknown') => void;
  const reported = new Promise<boolean | 'unknown'>((resolve) => {
    report = resolve;
  });
  return {
    email: bootstrapAdmin.email,
    password,
    onMessage(message) {
      const told = message as { type?: unknown; created: boolean } | null;
      if (told?.type === 'bootstrap') report(told.created);
    },
    async passwordToShow() {
      const timer = setTimeout(() => report('unknown'), REPORT_MS);
      const created = await reported;
      clearTimeout(timer);
      // The admin exists with another password, so the file would mislead.
      if (created === false && isNew) await rm(path, { force: true });
      return created === true && given === undefined ? password : undefined;
    },
  };
}
