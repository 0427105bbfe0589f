import { readEnvironment } from '../../../platform/config/read.ts';
import { findOnPath, isExecutable } from '../path-search.ts';
import { firstUsable } from '../resolution.ts';
import type { Binary, BinaryLookup, BinarySource } from '../resolution.ts';
import { cachedMongod, downloadMongod } from './download.ts';
import { mongodVersion } from './version.ts';

const SOURCES: readonly BinarySource[] = [
  {
    name: 'MONGOMS_SYSTEM_BINARY',
    explicit: true,
    find({ env }) {
      const path = readEnvironment(env).value('MONGOMS_SYSTEM_BINARY');
      return Promise.resolve(path === undefined ? { missing: 'not set' } : { path });
    },
  },
  {
    name: 'PATH',
    async find({ env }) {
      const path = await findOnPath('mongod', env);
      return path === undefined ? { missing: 'there is no mongod on it' } : { path };
    },
  },
  {
    name: 'cache',
    async find({ env }) {
      const path = cachedMongod(env);
      return (await isExecutable(path)) ? { path } : { missing: `there is no ${path}` };
    },
  },
  { name: 'download', find: downloadMongod },
];

/**
 * A `mongod` that works, from the first of these: MONGOMS_SYSTEM_BINARY, PATH, the user's cache, a
 * download into it. Answers the reasons where there is none; rejects only if the named binary
 * cannot be used.
 */
export async function resolveMongod(search: BinaryLookup): Promise<Binary | { reasons: string[] }> {
  return firstUsable({ sources: SOURCES, search, readVersion: mongodVersion });
}
