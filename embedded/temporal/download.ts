import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { readEnvironment } from '../../config/read.ts';
import { fillCache } from '../fill-cache.ts';
import type { LineSink } from '../lines.ts';
import { isExecutable } from '../path-search.ts';
import { firstLine } from '../resolution.ts';
import type { Attempt, Search } from '../resolution.ts';
import { cachedTemporal, temporalCacheFolder } from './cache.ts';
import { TEMPORAL_CLI_VERSION, temporalVersion } from './version.ts';

/** A machine without internet must not wait: whoever does not answer the first, small question by then is not there. */
const PROBE_MS = 3_000;
const DOWNLOAD_MS = 15 * 60_000;
const STALLED_MS = 30_000;
const LARGEST_BYTES = 400 * 1024 * 1024;
const SAY_EVERY_MS = 3_000;

interface Archive {
  archiveUrl: string;
  fileToExtract: string;
}

/** Downloads the pinned release into the cache. Answers why not within three seconds where the mirror cannot be reached. */
export async function downloadTemporal({ env, log }: Search): Promise<Attempt> {
  // Honours HTTPS_PROXY and NO_PROXY, as the rest of such machines' programs do.
  const dispatcher = new EnvHttpProxyAgent({ bodyTimeout: STALLED_MS });
  try {
    const archive = await findArchive(readEnvironment(env).value('TEMPORAL_DOWNLOAD_MIRROR'), dispatcher);
    return await fillCache({
      folder: temporalCacheFolder(env),
      log,
      async make(workshop) {
        const target = cachedTemporal(env);
        if (await isExecutable(target)) return { path: target };
        log(`downloading Temporal ${TEMPORAL_CLI_VERSION} …`);
        const packed = join(workshop, 'archive');
        await save({ url: archive.archiveUrl, path: packed, dispatcher, log });
        await unpack(packed, workshop, basename(archive.fileToExtract));
        const unpacked = join(workshop, basename(archive.fileToExtract));
        await temporalVersion(unpacked);
        await rename(unpacked, target);
        return { path: target };
      },
    });
  } catch (error) {
    return { missing: firstLine(error) };
  } finally {
    await dispatcher.destroy();
  }
}

async function findArchive(mirror: string, dispatcher: EnvHttpProxyAgent): Promise<Archive> {
  const query = new URLSearchParams({
    platform: process.platform === 'win32' ? 'windows' : process.platform,
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    format: process.platform === 'win32' ? 'zip' : 'tar.gz',
  });
  const url = `${mirror}/cli/v${TEMPORAL_CLI_VERSION}?${query.toString()}`;
  const answer = await fetch(url, { dispatcher, signal: AbortSignal.timeout(PROBE_MS) });
  if (!answer.ok) throw new Error(`${mirror} answers ${answer.status}`);
  const archive = (await answer.json()) as Partial<Archive>;
  if (!archive.archiveUrl || !archive.fileToExtract) throw new Error(`${mirror} names no archive`);
  return { archiveUrl: archive.archiveUrl, fileToExtract: archive.fileToExtract };
}

async function save(options: { url: string; path: string; dispatcher: EnvHttpProxyAgent; log: LineSink }) {
  const { url, path, dispatcher, log } = options;
  const answer = await fetch(url, { dispatcher, signal: AbortSignal.timeout(DOWNLOAD_MS) });
  if (!answer.ok || !answer.body) throw new Error(`the archive's server answers ${answer.status}`);
  const meter = progress(Number(answer.headers.get('content-length') ?? 0), log);
  await pipeline(Readable.fromWeb(answer.body), meter, createWriteStream(path));
}

function progress(total: number, log: LineSink): Transform {
  let received = 0;
  let sayAt = Date.now() + SAY_EVERY_MS;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (Date.now() >= sayAt) {
        sayAt = Date.now() + SAY_EVERY_MS;
        log(`downloaded ${megabytes(received)}${total > 0 ? ` of ${megabytes(total)}` : ''} MB`);
      }
      if (received > LARGEST_BYTES) done(new Error('the archive is too large to be one'));
      else done(null, chunk);
    },
  });
}

/** `tar` is on every system that Node 20 runs on; Windows' also reads zip. Only the one file is taken out. */
async function unpack(archive: string, folder: string, name: string): Promise<void> {
  await promisify(execFile)('tar', ['-xf', archive, '-C', folder, name]);
  await chmod(join(folder, name), 0o755);
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
