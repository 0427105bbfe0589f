import { hash, verify } from '@node-rs/argon2';
import { runHashing } from './hashing-turns.ts';

/**
 * The argon2id hash of a password, in PHC format. `asker` waits with others who have passwords
 * hashed (`inHashingTurn`).
 */
export function hashPassword(password: string, asker: string): Promise<string> {
  // The package's defaults are argon2id with the parameters that OWASP recommends.
  return runHashing(asker, () => hash(password));
}

/** Somebody says a password. */
export interface Guess {
  passwordHash: string | undefined;
  password: string;
  /** Who waits with others who have passwords hashed (`inHashingTurn`): an address or a user. */
  asker: string;
}

let dummy: Promise<string> | undefined;

/**
 * Whether the password is the hashed one. Takes as long where there is no hash: an unknown email
 * shall not be told by the clock.
 */
export async function passwordMatches({ passwordHash, password, asker }: Guess): Promise<boolean> {
  dummy ??= hash('nobody has this password');
  const compared = passwordHash ?? (await dummy);
  const matches = await runHashing(asker, () => verify(compared, password));
  return matches && passwordHash !== undefined;
}
