import { userCache } from '../user-cache.ts';
import { TEMPORAL_CLI_VERSION } from './version.ts';

/**
 * The cache's folder for the pinned release; downloads and builds work in it and leave only the
 * binary.
 */
export function temporalCacheFolder(env: NodeJS.ProcessEnv): string {
  return userCache(env, 'temporal', TEMPORAL_CLI_VERSION);
}

/**
 * Where a downloaded or built binary is kept. It is moved there when complete, so whatever is there
 * is whole.
 */
export function cachedTemporal(env: NodeJS.ProcessEnv): string {
  return userCache(env, 'temporal', TEMPORAL_CLI_VERSION, 'temporal');
}
