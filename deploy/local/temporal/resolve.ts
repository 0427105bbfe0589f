import { readEnvironment } from '../../../platform/config/read.ts';
import { findOnPath, isExecutable } from '../path-search.ts';
import { firstUsable } from '../resolution.ts';
import type { Binary, BinaryLookup, BinarySource } from '../resolution.ts';
import { StartProblem } from '../start-problem.ts';
import { buildTemporal } from './build.ts';
import { cachedTemporal } from './cache.ts';
import { downloadTemporal } from './download.ts';
import { TEMPORAL_CLI_VERSION, temporalVersion } from './version.ts';

const SOURCES: readonly BinarySource[] = [
  {
    name: 'TEMPORAL_CLI_PATH',
    explicit: true,
    find({ env }) {
      const path = readEnvironment(env).value('TEMPORAL_CLI_PATH');
      return Promise.resolve(path === undefined ? { missing: 'not set' } : { path });
    },
  },
  {
    name: 'PATH',
    async find({ env }) {
      const path = await findOnPath('temporal', env);
      return path === undefined ? { missing: 'there is no temporal on it' } : { path };
    },
  },
  {
    name: 'cache',
    async find({ env }) {
      const path = cachedTemporal(env);
      return (await isExecutable(path)) ? { path } : { missing: `there is no ${path}` };
    },
  },
  { name: 'download', find: downloadTemporal },
  { name: 'Go build', find: buildTemporal },
];

/**
 * A `temporal` binary that works, from the first of these: TEMPORAL_CLI_PATH, PATH, the user's
 * cache, a download, a build with Go; the last two put it into the cache. A StartProblem with one
 * text that names all ways and what was wrong with each.
 */
export async function resolveTemporal(search: BinaryLookup): Promise<Binary> {
  const found = await firstUsable({ sources: SOURCES, search, readVersion: temporalVersion });
  if (!('reasons' in found)) return found;
  throw new StartProblem(
    [
      'There is no Temporal server to run. Any one of these helps: set TEMPORAL_ADDRESS to a running server; install the',
      `temporal command line program (${TEMPORAL_CLI_VERSION}) on PATH or name it in TEMPORAL_CLI_PATH; let this machine reach`,
      'the download, or a mirror in TEMPORAL_DOWNLOAD_MIRROR; or install Go 1.21 or newer, with which it is built. Tried:',
      ...found.reasons.map((reason) => `  ${reason}`),
    ].join('\n'),
  );
}
