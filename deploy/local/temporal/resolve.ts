import { readEnvironment } from '../../../platform/config/read.ts';
import { findOnPath, isExecutable, userCache, projectRoot } from '../paths.ts';
import { firstUsable, firstLine } from '../resolution.ts';
import type { Binary, BinaryLookup, BinarySource, LookupResult } from '../resolution.ts';
import { StartProblem } from '../start-problem.ts';
import { execFile } from 'node:child_process';
import { copyFile, rename } from 'node:fs/promises';
import { join, basename } from 'node:path';
import { promisify } from 'node:util';
import { fillCache } from '../fill-cache.ts';
import type { LineSink } from '../lines.ts';
import { launch } from '../program.ts';
import { OLDEST_SERVER, isRecentServer } from '../../../workflows/client/connect.ts';
import { downloadFile, probe, readMirror, unpackProgram } from '../download.ts';

/** The Temporal CLI release to download or build; must equal the version in `cli/go.mod`. */
export const TEMPORAL_CLI_VERSION = '1.8.2';

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
 * Returns a working `temporal` from the first usable source: TEMPORAL_CLI_PATH, PATH, the user's
 * cache, a download, a build with Go. A download or build is cached. Throws StartProblem with the
 * reason of each source if all fail.
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

const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';
/** Omits debug tables, which saves a third, and sets the version as in a release. */
const LINK = `-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=${TEMPORAL_CLI_VERSION}`;
/** The first Go that can fetch the newer Go required by `cli/go.mod`. */
const OLDEST_GO = [1, 21] as const;
const SAY_EVERY_MS = 5_000;

/**
 * Builds the pinned release with Go into the cache. `cli/go.sum` has the checksum of every module,
 * so any source of the modules gives the same code. Takes minutes the first time and logs its
 * progress every few seconds.
 */
async function buildTemporal({ env, log }: BinaryLookup): Promise<LookupResult> {
  const go = await findOnPath('go', env);
  if (go === undefined) return { missing: 'there is no go on PATH' };
  try {
    const problem = goVersionProblem((await promisify(execFile)(go, ['version'], { env })).stdout);
    if (problem !== undefined) return { missing: problem };
    return await fillCache({
      folder: temporalCacheFolder(env),
      log,
      async make(workshop) {
        const target = cachedTemporal(env);
        if (await isExecutable(target)) return { path: target };
        await compile({ go, workshop, env, log });
        await rename(join(workshop, 'temporal'), target);
        return { path: target };
      },
    });
  } catch (error) {
    return { missing: firstLine(error) };
  }
}

export function goVersionProblem(said: string): string | undefined {
  const [, major, minor] = /go version go(\d+)\.(\d+)/.exec(said) ?? [];
  const version = [Number(major), Number(minor)] as const;
  if (version[0] > OLDEST_GO[0] || (version[0] === OLDEST_GO[0] && version[1] >= OLDEST_GO[1]))
    return undefined;
  return `it takes Go ${OLDEST_GO.join('.')} or newer, and this is "${said.trim()}"`;
}

async function compile(options: { go: string; workshop: string; env: NodeJS.ProcessEnv; log: LineSink }) {
  const { go, workshop, env, log } = options;
  const module = join(projectRoot(), 'deploy/local/temporal/cli');
  for (const name of ['go.mod', 'go.sum']) await copyFile(join(module, name), join(workshop, name));
  log(`building Temporal ${TEMPORAL_CLI_VERSION} with Go; this takes some minutes, once …`);
  const progress = watchBuild(log);
  const binary = join(workshop, 'temporal');
  const build = launch(
    {
      command: go,
      args: ['build', '-C', workshop, '-v', `-ldflags=${LINK}`, '-o', binary, PACKAGE],
      // Some distributions disable toolchain downloads by default.
      env: { GOTOOLCHAIN: 'auto', ...env, GOWORK: 'off' },
    },
    { onLine: progress.onLine },
  );
  const end = await build.ended;
  progress.stop();
  if (end !== 'code 0') throw new Error(`go build ended with ${end}: ${progress.lastLine()}`);
  log(`Temporal is built, ${progress.elapsed()}`);
}

/**
 * Counts the lines of `go build -v`, one per downloaded module or compiled package, and logs a
 * summary now and then.
 */
function watchBuild(log: LineSink) {
  const startedAt = Date.now();
  let modules = 0;
  let packages = 0;
  let last = '';
  const elapsed = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const timer = setInterval(() => {
    log(`building Temporal: ${elapsed()}, ${modules} modules downloaded, ${packages} packages compiled`);
  }, SAY_EVERY_MS);
  return {
    elapsed,
    lastLine: () => last,
    stop: () => clearInterval(timer),
    onLine: (line: string) => {
      last = line;
      if (line.startsWith('go: downloading ')) modules += 1;
      else packages += 1;
    },
  };
}

export function temporalCacheFolder(env: NodeJS.ProcessEnv): string {
  return userCache(env, 'temporal', TEMPORAL_CLI_VERSION);
}

/** Path of a downloaded or built binary. Files are moved there when complete. */
export function cachedTemporal(env: NodeJS.ProcessEnv): string {
  return userCache(env, 'temporal', TEMPORAL_CLI_VERSION, 'temporal');
}

/**
 * Returns the version of a `temporal` binary, such as `1.8.2 (Server 1.31.2, …)`. Rejects if the
 * binary is unusable.
 */
export async function temporalVersion(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 30_000 });
  const [, version] = /temporal version (.+)/.exec(stdout) ?? [];
  const [, server] = /Server (\d+\.\d+)/.exec(stdout) ?? [];
  if (version === undefined || server === undefined) throw new Error('it does not say which version it is');
  if (!isRecentServer(server))
    throw new Error(`it is ${version}, older than server ${OLDEST_SERVER.join('.')}`);
  return version;
}

interface Archive {
  archiveUrl: string;
  fileToExtract: string;
}

/**
 * Downloads the pinned release into the cache, from the same place as Temporal's own test servers.
 * Returns within three seconds if that place is unreachable.
 */
async function downloadTemporal({ env, log }: BinaryLookup): Promise<LookupResult> {
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
