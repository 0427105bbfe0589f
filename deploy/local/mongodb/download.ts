import { rename } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { checkSha256, downloadFile, probe, readMirror, unpackProgram } from '../download.ts';
import { fillCache } from '../fill-cache.ts';
import { isExecutable } from '../path-search.ts';
import { firstLine } from '../resolution.ts';
import type { LookupResult, BinaryLookup } from '../resolution.ts';
import { userCache } from '../user-cache.ts';
import { MONGODB_VERSION, mongodVersion } from './version.ts';

/**
 * Where a downloaded mongod is kept. It is moved there when complete, so whatever is there is
 * whole.
 */
export function cachedMongod(env: NodeJS.ProcessEnv): string {
  return userCache(env, 'mongodb', MONGODB_VERSION, 'mongod');
}

/**
 * Downloads the pinned release into the cache, checked against the checksum published beside it.
 * Answers why not within three seconds where the mirror cannot be reached.
 */
export async function downloadMongod({ env, log }: BinaryLookup): Promise<LookupResult> {
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
 * mongodb-memory-server-core knows which archive fits which of the many systems. Its downloader is
 * not used: it leaves certificates unchecked unless npm tells it otherwise, and retries for half a
 * minute where there is no network.
 */
async function archiveUrl(mirror: string): Promise<string> {
  // A start that downloads nothing does without: it would stay in the process that watches.
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
