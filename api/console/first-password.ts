import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findAccount } from '../../store/accounts/users.ts';
import { isOwnAddress, isLoopback } from '../first-start/offered.ts';
import type { FirstPassword } from '../../web/console-page.ts';
import type { Api, OpenRequest } from '../request.ts';
import { passwordMatches } from '../resources/auth/password.ts';

/** The last password that was compared, because comparing takes long. */
let compared = { passwordHash: '', password: '', matches: false };

/**
 * Returns the file with the generated password of the first admin (spec 12.5). Undefined where the
 * admin has another password by now, and for visitors from other machines, who must not learn a
 * path.
 */
export async function findFirstPassword(
  { client }: Pick<OpenRequest, 'client'>,
  { config }: Pick<Api, 'config'>,
): Promise<FirstPassword | undefined> {
  const { bootstrapAdmin, dataDir, port, publicUrl, trustedProxies } = config;
  const { email, password } = bootstrapAdmin;
  const isHere = client.isLocal && isOwnAddress(`http://${client.host}`, port);
  if (!isHere || trustedProxies > 0 || !isLoopback(publicUrl) || password === undefined) return undefined;
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
