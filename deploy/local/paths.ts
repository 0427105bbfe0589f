import { access, constants } from 'node:fs/promises';
import { delimiter, join, dirname } from 'node:path';
import { homedir } from 'node:os';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where `name` is found on PATH, or undefined. */
export async function findOnPath(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && (await isExecutable(path))) return path;
  }
  return undefined;
}

/** Whether there is a file at `path` that this user may run. */
export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * A path in the user's cache folder, where the operating system wants such things: what lies there
 * is shared by all clones of the repository and can be deleted at any time. Nothing is created.
 */
export function userCache(env: NodeJS.ProcessEnv, ...parts: string[]): string {
  return join(cacheFolder(env), 'parlance', ...parts);
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env['XDG_CACHE_HOME']) return env['XDG_CACHE_HOME'];
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return join(homedir(), '.cache');
}

/** The folder of package.json, the same whether this runs from the sources or from dist. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
