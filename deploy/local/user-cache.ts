import { homedir } from 'node:os';
import { join } from 'node:path';

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
