import { readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Program } from '../program.ts';
import type { BinaryLookup, Binary, BinarySource, LookupResult } from '../resolution.ts';
import { StartProblem } from '../start-problem.ts';
import { hostInUri } from './store-address.ts';
import type { StoreAddress } from './store-address.ts';
import { readEnvironment } from '../../../platform/config/read.ts';
import { findOnPath, isExecutable, userCache } from '../paths.ts';
import { firstUsable, firstLine } from '../resolution.ts';
import { createRequire } from 'node:module';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { arch, platform } from 'node:os';
import { checkSha256, downloadFile, probe, readMirror, unpackProgram } from '../download.ts';
import { fillCache } from '../fill-cache.ts';

/** The release to download. mongodb-memory-server-core must know its archive names. */
export const MONGODB_VERSION = '8.2.6';

/** The embedded document store: MongoDB, or the built-in store as a fallback. */
export interface Engine {
  name: 'MongoDB' | 'built-in store';
  /** Absent for the built-in store. */
  version?: string;
  source: string;
  uri: (at: StoreAddress) => string;
  program: (at: StoreAddress) => Program;
  /** Data folder, which must exist. */
  folder: string;
}

/**
 * Chooses the engine for the data in `dataDir`, where each engine has its own folder. Existing data
 * keeps its engine: a mongod that appears or disappears with the network must not hide all
 * conversations. Rejects if that engine is not available.
 */
export async function chooseEngine(dataDir: string, search: BinaryLookup): Promise<Engine> {
  const folders = { mongodb: join(dataDir, 'mongodb'), store: join(dataDir, 'store') };
  const [inMongodb, inStore] = [await hasData(folders.mongodb), await hasData(folders.store)];
  const named = Boolean(search.env['MONGOMS_SYSTEM_BINARY']?.trim());
  if (inStore && !inMongodb && !named) {
    search.log(
      `using the built-in store, which has written ${folders.store}; move that folder away to begin on MongoDB`,
    );
    return builtInStore(folders.store);
  }
  const found = await resolveMongod(search);
  if (!('reasons' in found)) {
    if (inStore) search.log(`the data of the built-in store in ${folders.store} is left alone and not shown`);
    return mongod({ ...found, folder: folders.mongodb });
  }
  const reasons = found.reasons.join('; ');
  if (inMongodb) {
    throw new StartProblem(
      `${folders.mongodb} was written by MongoDB, and there is no mongod to open it with (${reasons})`,
    );
  }
  search.log(`warning: no MongoDB to be had, using the built-in store (${reasons})`);
  return builtInStore(folders.store);
}

async function hasData(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}

function mongod(options: { path: string; version: string; source: string; folder: string }): Engine {
  return {
    name: 'MongoDB',
    version: options.version,
    source: options.source,
    // Without `journal=true` a single mongod acknowledges writes before its journal is flushed.
    uri: (at) => `mongodb://${hostInUri(at)}/?directConnection=true&journal=true`,
    program: (at) => ({
      command: options.path,
      args: [
        ...['--dbpath', options.folder, ...listenArguments(at)],
        ...[
          '--quiet',
          '--wiredTigerCacheSizeGB',
          '0.5',
          '--setParameter',
          'diagnosticDataCollectionEnabled=false',
        ],
      ],
    }),
    folder: options.folder,
  };
}

/**
 * A socket of `mongod` has mode 0700. The second argument keeps mongod from creating another socket
 * in /tmp.
 */
function listenArguments(at: StoreAddress): string[] {
  if ('port' in at) return ['--port', String(at.port), '--bind_ip', '127.0.0.1'];
  return ['--bind_ip', at.socket, '--unixSocketPrefix', dirname(at.socket)];
}

function builtInStore(folder: string): Engine {
  return {
    name: 'built-in store',
    source: '@parlance/store-engine',
    uri: (at) => `mongodb://${hostInUri(at)}/`,
    program: (at) => storeProgram(folder, at),
    folder,
  };
}

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
 * Returns a working `mongod` from the first usable source: MONGOMS_SYSTEM_BINARY, PATH, the user's
 * cache, a download into it. Returns the reasons if all fail. Rejects only if the named binary is
 * unusable.
 */
async function resolveMongod(search: BinaryLookup): Promise<Binary | { reasons: string[] }> {
  return firstUsable({ sources: SOURCES, search, readVersion: mongodVersion });
}

/**
 * Returns the command that runs the built-in store on `folder`, without loading its package. Throws
 * StartProblem if the package is not installed or not built.
 */
export function storeProgram(folder: string, at: StoreAddress): Program {
  const place = 'socket' in at ? ['--socket', at.socket] : ['--port', String(at.port)];
  const args = ['--enable-source-maps', storeFile(), '--data-dir', folder, ...place];
  return { command: process.execPath, args };
}

function storeFile(): string {
  try {
    return createRequire(import.meta.url).resolve('@parlance/store-engine/main');
  } catch {
    throw new StartProblem('the built-in store (packages/store-engine) is not here: name a MONGODB_URI');
  }
}

const OLDEST_MAJOR = 7;

/** Returns the version of a `mongod`. Rejects if the binary is unusable. */
export async function mongodVersion(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 30_000 });
  const [, version, major] = /db version v((\d+)\.\S+)/.exec(stdout) ?? [];
  if (version === undefined) throw new Error('it does not say which version it is');
  if (Number(major) < OLDEST_MAJOR) throw new Error(`it is ${version}, older than ${OLDEST_MAJOR}`);
  return version;
}

/** Path of a downloaded mongod. Files are moved there when complete. */
function cachedMongod(env: NodeJS.ProcessEnv): string {
  return userCache(env, 'mongodb', MONGODB_VERSION, 'mongod');
}

/**
 * Downloads the pinned release into the cache and verifies the checksum published beside it.
 * Returns within three seconds if the mirror is unreachable.
 */
async function downloadMongod({ env, log }: BinaryLookup): Promise<LookupResult> {
  try {
    const url = await archiveUrl(readMirror(env, 'MONGOMS_DOWNLOAD_MIRROR'));
    const checksum = await probe(`${url}.sha256`);
    return await fillCache({
      folder: userCache(env, 'mongodb', MONGODB_VERSION),
      log,
      async make(workshop) {
        const target = cachedMongod(env);
        if (await isExecutable(target)) return { path: target };
        log(`downloading MongoDB ${MONGODB_VERSION} …`);
        const packed = join(workshop, 'archive');
        await downloadFile({ url, path: packed, log });
        await checkSha256(packed, checksum);
        const unpacked = await unpackProgram(packed, 'mongod');
        await mongodVersion(unpacked);
        await rename(unpacked, target);
        return { path: target };
      },
    });
  } catch (error) {
    return { missing: firstLine(error) };
  }
}

/**
 * mongodb-memory-server-core knows the archive for each system. Its downloader is not used: it
 * skips certificate checks outside npm and retries for half a minute without network.
 */
async function archiveUrl(mirror: string): Promise<string> {
  // Imported late: most starts download nothing, and the supervisor would keep the modules in
  // memory.
  const [{ MongoBinaryDownloadUrl }, { getOS }] = await Promise.all([
    import('mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js'),
    import('mongodb-memory-server-core/lib/util/getos/index.js'),
  ]);
  const names = new MongoBinaryDownloadUrl({
    version: MONGODB_VERSION,
    platform: platform(),
    arch: arch(),
    os: await getOS(),
  });
  const official = new URL(await names.getDownloadUrl());
  const [folder, name] = official.pathname.split('/').slice(-2);
  return `${mirror}/${folder}/${name}`;
}
