import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, chmod, constants, mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { tryLock } from '@parlance/process-lock';
import type { EnvHttpProxyAgent, RequestInit, Response } from 'undici';
import { ConfigurationError, readEnvironment } from '../../platform/config/load.ts';
import { isUntampered } from '../../platform/config/variables.ts';
import type { LineSink } from './program.ts';
import { StartProblem } from './start-problem.ts';

export const runFile = promisify(execFile);

export interface BinaryLookup {
  env: NodeJS.ProcessEnv;
  log: LineSink;
  /** Shows lines that replace each other. By default they are logged. */
  progress?: LineSink;
}

export interface Binary {
  path: string;
  source: string;
  version: string;
}

export interface WantedBinary {
  program: 'mongod' | 'temporal';
  /** Variable with the binary's path. If set, no other source is tried. */
  variable: 'MONGOMS_SYSTEM_BINARY' | 'TEMPORAL_CLI_PATH';
  release: [name: string, version: string];
  /** Rejects if the binary is unusable. */
  readVersion: (path: string) => Promise<string>;
  /** Ways to make the binary, by name. Each returns the path of a file in `workshop`. */
  makers: Record<string, (lookup: BinaryLookup & { workshop: string }) => Promise<string>>;
}

/**
 * Returns the first usable binary from the variable, PATH, the user's cache or a maker. Otherwise
 * returns the reasons, and among them the faults: sources that failed or are unusable, not sources
 * without a binary. Throws StartProblem if the variable names an unusable binary.
 */
export async function findBinary(
  wanted: WantedBinary,
  lookup: BinaryLookup,
): Promise<Binary | { reasons: string[]; faults: string[] }> {
  const { program, variable, readVersion } = wanted;
  const { env } = lookup;
  const cached = join(releaseFolder(wanted, env), program);
  const sources: [name: string, find: () => string | Promise<string>][] = [
    [variable, () => readEnvironment(env).value(variable) ?? missing('not set')],
    ['PATH', async () => (await findOnPath(program, env)) ?? missing(`there is no ${program} on it`)],
    ['cache', async () => ((await isExecutable(cached)) ? cached : missing(`there is no ${cached}`))],
  ];
  for (const [name, make] of Object.entries(wanted.makers)) {
    const makeUsable = async (workshop: string) => {
      const made = await make({ ...lookup, workshop });
      await readVersion(made);
      return made;
    };
    const progress = lookup.progress ?? lookup.log;
    const wait = () =>
      progress(`another process is fetching or building ${wanted.release.join(' ')}, waiting …`);
    sources.push([name, () => fillCache(cached, makeUsable, wait)]);
  }
  const reasons: string[] = [];
  const faults: string[] = [];
  for (const [source, find] of sources) {
    let path: string | undefined;
    try {
      path = await find();
      return { path, source, version: await readVersion(path) };
    } catch (error) {
      const reason = path === undefined ? firstLine(error) : `${path} cannot be used (${firstLine(error)})`;
      if (path !== undefined && source === variable) throw new StartProblem(`${source}: ${reason}`);
      reasons.push(`${source}: ${reason}`);
      if (!(error instanceof Missing)) faults.push(`${source}: ${reason}`);
    }
  }
  return { reasons, faults };
}

/** A source that simply has no binary. */
class Missing extends Error {}

function missing(reason: string): never {
  throw new Missing(reason);
}

/** Prefers the cause: network errors have their reason only there. */
function firstLine(error: unknown): string {
  const { message, cause } = error as Error;
  const text = cause instanceof Error && cause.message !== '' ? cause.message : message;
  return text.split('\n')[0] ?? '';
}

export async function findOnPath(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && (await isExecutable(path))) return path;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Returns a cache folder that all clones of the repository share. */
function releaseFolder({ release }: WantedBinary, env: NodeJS.ProcessEnv): string {
  const system = process.platform === 'darwin' ? join('Library', 'Caches') : '.cache';
  return join(env['XDG_CACHE_HOME'] || join(homedir(), system), 'parlance', ...release);
}

const LOCK_POLL_MS = 300;
const LOCK_REPORT_MS = 10_000;
const WORKSHOP = 'work-';

/**
 * Makes a binary under a lock between processes, and moves the complete file to `target`. Does
 * nothing if another process has made the file. Removes leftovers of killed processes.
 */
async function fillCache(
  target: string,
  make: (workshop: string) => Promise<string>,
  reportWait: () => void,
): Promise<string> {
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  const lock = await waitForLock(join(folder, 'lock'), reportWait);
  try {
    if (await isExecutable(target)) return target;
    for (const name of await readdir(folder)) {
      if (name.startsWith(WORKSHOP)) await rm(join(folder, name), { recursive: true, force: true });
    }
    const workshop = await mkdtemp(join(folder, WORKSHOP));
    try {
      await rename(await make(workshop), target);
      return target;
    } finally {
      await rm(workshop, { recursive: true, force: true });
    }
  } finally {
    await lock.release();
  }
}

async function waitForLock(path: string, reportWait: () => void) {
  for (let reportAt = 0; ;) {
    const lock = await tryLock(path);
    if (lock) return lock;
    if (Date.now() >= reportAt) {
      reportWait();
      reportAt = Date.now() + LOCK_REPORT_MS;
    }
    await sleep(LOCK_POLL_MS);
  }
}

/** Short, so that a machine without internet does not wait long. */
const PROBE_MS = 3_000;
const DOWNLOAD_MS = 15 * 60_000;
const STALLED_MS = 30_000;
const MAX_BYTES = 400 * 1024 * 1024;
const PROGRESS_MS = 3_000;
const MAX_REDIRECTS = 5;

export function readMirror(
  env: NodeJS.ProcessEnv,
  name: 'TEMPORAL_DOWNLOAD_MIRROR' | 'MONGOMS_DOWNLOAD_MIRROR',
): string {
  const reader = readEnvironment(env);
  try {
    return reader.finish({ mirror: reader.value(name) }).mirror;
  } catch (error) {
    throw error instanceof ConfigurationError ? new Error(error.problems.join('; ')) : error;
  }
}

export async function fetchText(url: string): Promise<string> {
  return withResponse(url, PROBE_MS, (response) => response.text());
}

/**
 * Downloads an archive to `workshop`, within limits of time and size. Checks its SHA-256 if given.
 * Extracts the file `name` from any folder and returns the path.
 */
export async function downloadProgram(options: {
  url: string;
  name: string;
  sha256?: string;
  workshop: string;
  progress: LineSink;
}): Promise<string> {
  const { url, name, sha256, workshop, progress } = options;
  const archive = join(workshop, 'archive');
  await withResponse(url, DOWNLOAD_MS, async ({ headers, body }) => {
    const meter = createMeter(Number(headers.get('content-length') ?? 0), progress);
    await pipeline(body ?? [], meter, createWriteStream(archive));
  });
  if (sha256 !== undefined) await checkSha256(archive, sha256);
  const { stdout } = await runFile('tar', ['-tf', archive]);
  const entry = stdout.split('\n').find((line) => basename(line) === name && !line.includes('../..'));
  if (entry === undefined) throw new Error(`the archive holds no ${name}`);
  await runFile('tar', ['-xf', archive, '-C', workshop, entry]);
  const unpacked = join(workshop, entry);
  await chmod(unpacked, 0o755);
  return unpacked;
}

async function checkSha256(path: string, expected: string): Promise<void> {
  const digest = createHash('sha256').update(await readFile(path));
  if (!expected.trim().toLowerCase().startsWith(digest.digest('hex')))
    throw new Error('the archive has a wrong checksum');
}

async function withResponse<T>(
  url: string,
  withinMs: number,
  use: (response: Response) => Promise<T>,
): Promise<T> {
  // Imported only here, because most starts download nothing. EnvHttpProxyAgent reads HTTPS_PROXY
  // and NO_PROXY.
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({ bodyTimeout: STALLED_MS, headersTimeout: STALLED_MS });
  try {
    const options = { dispatcher, signal: AbortSignal.timeout(withinMs) };
    const response = await fetchUntampered(fetch, url, options);
    if (!response.ok || !response.body)
      throw new Error(`${new URL(url).origin} responds with ${response.status}`);
    return await use(response);
  } finally {
    await dispatcher.destroy();
  }
}

/** Fetches by https only, also after redirects. Loopback addresses may use http. */
async function fetchUntampered(
  fetch: (url: string, options: RequestInit) => Promise<Response>,
  url: string,
  options: { dispatcher: EnvHttpProxyAgent; signal: AbortSignal },
): Promise<Response> {
  let next = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    assertUntampered(new URL(next));
    const response = await fetch(next, { ...options, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    next = new URL(location, next).href;
  }
  throw new Error(`${new URL(url).origin} redirects too often`);
}

function assertUntampered(url: URL): void {
  if (isUntampered(url)) return;
  const place = url.protocol === 'http:' ? url.origin : url.protocol;
  throw new Error(`${place} is not downloaded from: only https is`);
}

function createMeter(total: number, progress: LineSink): Transform {
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  let received = 0;
  let reportAt = Date.now() + PROGRESS_MS;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (Date.now() >= reportAt) {
        reportAt = Date.now() + PROGRESS_MS;
        progress(`downloaded ${megabytes(received)}${total > 0 ? ` of ${megabytes(total)}` : ''} MB`);
      }
      if (received > MAX_BYTES) done(new Error('the archive is too large to be one'));
      else done(null, chunk);
    },
  });
}
