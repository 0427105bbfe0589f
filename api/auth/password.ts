import { hash, verify } from '@node-rs/argon2';

/** The argon2id hash of a password, in PHC format. */
export function hashPassword(password: string): Promise<string> {
  // The package's defaults are argon2id with the parameters that OWASP recommends.
  return hash(password);
}

let dummy: Promise<string> | undefined;

/** Whether the password is the hashed one. Takes as long where there is no hash: an unknown email shall not be told by the clock. */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  dummy ??= hashPassword('nobody has this password');
  const matches = await verify(passwordHash ?? (await dummy), password);
  return matches && passwordHash !== undefined;
}
