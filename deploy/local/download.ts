import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { EnvHttpProxyAgent, RequestInit, Response } from 'undici';
import { isUntampered } from '../../platform/config/variables.ts';
import { ConfigurationError, readEnvironment } from '../../platform/config/read.ts';
import type { LineSink } from './lines.ts';

/** A short limit, so that a machine without internet does not wait. */
const PROBE_MS = 3_000;
const DOWNLOAD_MS = 15 * 60_000;
const STALLED_MS = 30_000;
const MAX_BYTES = 400 * 1024 * 1024;
const SAY_EVERY_MS = 3_000;
const MOST_REDIRECTS = 5;

/**
 * Returns the mirror address in a variable. Throws an Error with a one-line message if it is
 * invalid.
 */
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

/**
 * Fetches a small text within three seconds. Rejects on a network error, a timeout or an error
 * status. Uses HTTPS_PROXY and NO_PROXY, as `downloadFile` does.
 */
export async function probe(url: string): Promise<string> {
  return withProxy(async ({ fetch, dispatcher }) => {
    const answer = await fetch(url, { dispatcher, signal: AbortSignal.timeout(PROBE_MS) });
    if (!answer.ok) throw new Error(`${new URL(url).origin} answers ${answer.status}`);
    return answer.text();
  });
}

/** Downloads `url` to `path` and logs the progress every few seconds. Time and size are limited. */
export async function downloadFile(options: { url: string; path: string; log: LineSink }): Promise<void> {
  await withProxy(async ({ fetch, dispatcher }) => {
    const answer = await fetch(options.url, { dispatcher, signal: AbortSignal.timeout(DOWNLOAD_MS) });
    if (!answer.ok || !answer.body)
      throw new Error(`${new URL(options.url).origin} answers ${answer.status}`);
    const meter = progress(Number(answer.headers.get('content-length') ?? 0), options.log);
    await pipeline(Readable.fromWeb(answer.body), meter, createWriteStream(options.path));
  });
}

/** Rejects unless the text `expected` begins with the SHA-256 of the file at `path`. */
export async function checkSha256(path: string, expected: string): Promise<void> {
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  if (!expected.trim().toLowerCase().startsWith(digest))
    throw new Error('the archive has not the checksum it should have');
}

/**
 * Extracts the file `name` from any folder of the archive and makes it executable. Returns its
 * path, next to the archive.
 */
export async function unpackProgram(archive: string, name: string): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run('tar', ['-tf', archive]);
  const entry = stdout.split('\n').find((line) => basename(line) === name && !line.includes('../..'));
  if (entry === undefined) throw new Error(`the archive holds no ${name}`);
  const folder = dirname(archive);
  await run('tar', ['-xf', archive, '-C', folder, entry]);
  const unpacked = join(folder, entry);
  await chmod(unpacked, 0o755);
  return unpacked;
}

interface Proxied {
  /** Fetches by https only, also after redirects. Loopback addresses may use http. */
  fetch: (url: string, options: RequestInit) => Promise<Response>;
  dispatcher: EnvHttpProxyAgent;
}

async function withProxy<T>(action: (proxied: Proxied) => Promise<T>): Promise<T> {
  // Imported late: most starts download nothing, and the supervisor would keep the module in
  // memory.
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({ bodyTimeout: STALLED_MS, headersTimeout: STALLED_MS });
  const fetchSafely: Proxied['fetch'] = async (url, options) => {
    let next = url;
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      assertUntampered(next);
      const answer = await fetch(next, { ...options, redirect: 'manual' });
      const location = answer.headers.get('location');
      if (answer.status < 300 || answer.status > 399 || location === null) return answer;
      await answer.body?.cancel();
      next = new URL(location, next).href;
    }
    throw new Error(`${new URL(url).origin} redirects too often`);
  };
  try {
    return await action({ fetch: fetchSafely, dispatcher });
  } finally {
    await dispatcher.destroy();
  }
}

/** Throws if the connection allows tampering, because the download is executed. */
function assertUntampered(url: string): void {
  const { protocol, origin } = new URL(url);
  if (isUntampered(new URL(url))) return;
  throw new Error(`${protocol === 'http:' ? origin : protocol} is not downloaded from: only https is`);
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
      if (received > MAX_BYTES) done(new Error('the archive is too large to be one'));
      else done(null, chunk);
    },
  });
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
