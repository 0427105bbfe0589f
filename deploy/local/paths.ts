import { access, constants } from 'node:fs/promises';
import { delimiter, join, dirname } from 'node:path';
import { homedir } from 'node:os';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export async function findOnPath(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && (await isExecutable(path))) return path;
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Returns a path in the user's cache folder of the operating system. All clones of the repository
 * share it, and it may be deleted at any time. Creates nothing.
 */
export function userCache(env: NodeJS.ProcessEnv, ...parts: string[]): string {
  return join(cacheFolder(env), 'parlance', ...parts);
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env['XDG_CACHE_HOME']) return env['XDG_CACHE_HOME'];
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return join(homedir(), '.cache');
}

/** Returns the folder of package.json, from the sources and from dist. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
