import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { downloadFile, probe, readMirror, unpackProgram } from '../download.ts';
import { fillCache } from '../fill-cache.ts';
import { isExecutable } from '../path-search.ts';
import { firstLine } from '../resolution.ts';
import type { LookupResult, BinaryLookup } from '../resolution.ts';
import { cachedTemporal, temporalCacheFolder } from './cache.ts';
import { TEMPORAL_CLI_VERSION, temporalVersion } from './version.ts';

interface Archive {
  archiveUrl: string;
  fileToExtract: string;
}

/**
 * Downloads the pinned release into the cache, from where Temporal's own test servers are
 * downloaded from. Answers why not within three seconds where that cannot be reached.
 */
export async function downloadTemporal({ env, log }: BinaryLookup): Promise<LookupResult> {
  try {
    const archive = await findArchive(readMirror(env, 'TEMPORAL_DOWNLOAD_MIRROR'));
    return await fillCache({
      folder: temporalCacheFolder(env),
      log,
      async make(workshop) {
        const target = cachedTemporal(env);
        if (await isExecutable(target)) return { path: target };
        log(`downloading Temporal ${TEMPORAL_CLI_VERSION} …`);
        const packed = join(workshop, 'archive');
        await downloadFile({ url: archive.archiveUrl, path: packed, log });
        const unpacked = await unpackProgram(packed, basename(archive.fileToExtract));
        await temporalVersion(unpacked);
        await rename(unpacked, target);
        return { path: target };
      },
    });
  } catch (error) {
    return { missing: firstLine(error) };
  }
}

async function findArchive(mirror: string): Promise<Archive> {
  const query = new URLSearchParams({
    platform: process.platform,
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    format: 'tar.gz',
  });
  const said = await probe(`${mirror}/cli/v${TEMPORAL_CLI_VERSION}?${query.toString()}`);
  const archive = JSON.parse(said) as Partial<Archive>;
  if (!archive.archiveUrl || !archive.fileToExtract) throw new Error(`${mirror} names no archive`);
  return { archiveUrl: archive.archiveUrl, fileToExtract: archive.fileToExtract };
}
