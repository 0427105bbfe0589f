import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readFile, readdir, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { downloadProgram, fetchText, findBinary, readMirror, runFile } from './binary.ts';
import type { Binary, BinaryLookup, WantedBinary } from './binary.ts';
import type { Program } from './program.ts';
import { StartProblem } from './start-problem.ts';

/** The release to download. `archivePath` names its archives. */
export const MONGODB_VERSION = '8.2.6';
const OLDEST_MAJOR = 7;

export interface Engine {
  name: 'MongoDB' | 'built-in store';
  /** Absent for the built-in store. */
  version?: string | undefined;
  source: string;
  uri: (at: StoreAddress) => string;
  program: (at: StoreAddress) => Program;
  /** Must exist before the start. */
  folder: string;
}

/**
 * Chooses the engine for the data in `dataDir`. Existing data keeps its engine unless
 * MONGOMS_SYSTEM_BINARY selects MongoDB: another engine would hide all conversations. Rejects if
 * MongoDB wrote the data and no `mongod` is usable.
 */
export async function chooseEngine(dataDir: string, lookup: BinaryLookup): Promise<Engine> {
  const folders = { mongodb: join(dataDir, 'mongodb'), store: join(dataDir, 'store') };
  const [inMongodb, inStore] = [await hasData(folders.mongodb), await hasData(folders.store)];
  const isNamed = Boolean(lookup.env['MONGOMS_SYSTEM_BINARY']?.trim());
  if (inStore && !inMongodb && !isNamed) {
    lookup.log(
      `using the built-in store, which has written ${folders.store}; move that folder away to begin on MongoDB`,
    );
    return builtInStore(folders.store);
  }
  const found = await findBinary(MONGOD, lookup);
  if (!('reasons' in found)) {
    if (inStore) lookup.log(`the data of the built-in store in ${folders.store} is left alone and not shown`);
    return mongod(found, folders.mongodb);
  }
  if (inMongodb) {
    const reasons = found.reasons.join('; ');
    throw new StartProblem(
      `${folders.mongodb} was written by MongoDB, and no mongod was found to open it (${reasons})`,
    );
  }
  lookup.log(`warning: no MongoDB found, using the built-in store (${found.faults.join('; ')})`);
  return builtInStore(folders.store);
}

async function hasData(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}

function mongod({ path, version, source }: Binary, folder: string): Engine {
  return {
    name: 'MongoDB',
    version,
    source,
    // Without `journal=true`, a single mongod acknowledges writes before its journal is flushed.
    uri: (at) => `mongodb://${hostInUri(at)}/?directConnection=true&journal=true`,
    program: (at) => ({
      command: path,
      args: [
        ...['--dbpath', folder, ...listenArguments(at), '--quiet', '--wiredTigerCacheSizeGB', '0.5'],
        ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ],
    }),
    folder,
  };
}

/** Sets `--unixSocketPrefix`, so that mongod creates no other socket in /tmp. */
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

/** Throws StartProblem if the built-in store is not installed or not built. */
export function storeProgram(folder: string, at: StoreAddress): Program {
  const listen = 'socket' in at ? ['--socket', at.socket] : ['--port', String(at.port)];
  const args = ['--enable-source-maps', storeFile(), '--data-dir', folder, ...listen];
  return { command: process.execPath, args };
}

function storeFile(): string {
  try {
    return createRequire(import.meta.url).resolve('@parlance/store-engine/main');
  } catch {
    throw new StartProblem('the built-in store (packages/store-engine) is not here: name a MONGODB_URI');
  }
}

const MONGOD: WantedBinary = {
  program: 'mongod',
  variable: 'MONGOMS_SYSTEM_BINARY',
  release: ['mongodb', MONGODB_VERSION],
  readVersion: readMongodVersion,
  makers: { download: downloadMongod },
};

async function readMongodVersion(path: string): Promise<string> {
  const { stdout } = await runFile(path, ['--version'], { timeout: 30_000 });
  const [, version, major] = /db version v((\d+)\.\S+)/.exec(stdout) ?? [];
  if (version === undefined) throw new Error('it prints no version');
  if (Number(major) < OLDEST_MAJOR) throw new Error(`it is ${version}, older than ${OLDEST_MAJOR}`);
  return version;
}

async function downloadMongod({ env, log, progress = log, workshop }: BinaryLookup & { workshop: string }) {
  const mirror = readMirror(env, 'MONGOMS_DOWNLOAD_MIRROR');
  const url = `${mirror}/${archivePath({ platform: platform(), arch: arch(), osRelease: await readOsRelease() })}`;
  const sha256 = await fetchText(`${url}.sha256`);
  log(`downloading MongoDB ${MONGODB_VERSION} …`);
  return downloadProgram({ url, name: 'mongod', sha256, workshop, progress });
}

/** Returns the content of os-release(5), or an empty text without such a file. */
async function readOsRelease(): Promise<string> {
  for (const path of ['/etc/os-release', '/usr/lib/os-release']) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return '';
}

const CPUS: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

/** Archives by Ubuntu release. Mint and others name the release that they derive from. */
const UBUNTU: ReadonlyMap<string, string> = new Map([
  ['focal', 'ubuntu2004'],
  ['jammy', 'ubuntu2204'],
  ['noble', 'ubuntu2404'],
]);
/** MongoDB has archives for these systems on x86_64 only. */
const ONLY_X86 = ['debian12', 'suse15'];

/**
 * Returns the path, below the mirror, of MongoDB's archive for a system. Throws if MongoDB offers
 * no archive. `osRelease` is the content of os-release(5). An Ubuntu newer than all archives gets
 * the newest.
 */
export function archivePath(system: { platform: string; arch: string; osRelease: string }): string {
  const { platform, arch, osRelease } = system;
  const cpu = CPUS[arch];
  if (platform === 'darwin' && cpu !== undefined)
    return `osx/mongodb-macos-${arch === 'arm64' ? 'arm64' : cpu}-${MONGODB_VERSION}.tgz`;
  const fields = Object.fromEntries(
    [...osRelease.matchAll(/^(\w+)=["']?([^"'\n]*)["']?$/gm)].map(([, name, value]) => [name, value]),
  ) as Record<string, string | undefined>;
  const name = platform === 'linux' ? distributionName(fields) : undefined;
  if (cpu === undefined || name === undefined || (cpu !== 'x86_64' && ONLY_X86.includes(name)))
    throw new Error(`MongoDB has no archive for ${fields['PRETTY_NAME'] ?? platform} on ${arch}`);
  return `linux/mongodb-linux-${cpu}-${name}-${MONGODB_VERSION}.tgz`;
}

function distributionName(fields: Record<string, string | undefined>): string | undefined {
  const { ID: id = '', VERSION_ID: version, PLATFORM_ID: line = '' } = fields;
  const major = Number.parseInt(version ?? '', 10);
  const codename = fields['UBUNTU_CODENAME'] ?? (id === 'ubuntu' ? fields['VERSION_CODENAME'] : undefined);
  if (codename !== undefined) return UBUNTU.get(codename) ?? (major > 24 ? UBUNTU.get('noble') : undefined);
  // Debian testing has no version.
  if (id === 'debian') return version === undefined || major >= 12 ? 'debian12' : undefined;
  if (id === 'amzn') return version === '2023' ? 'amazon2023' : undefined;
  if (/^(sles|opensuse)/.test(id)) return major >= 15 ? 'suse15' : undefined;
  // RHEL and its clones: Alma, CentOS Stream, Oracle, Rocky.
  const enterprise = Number(/^platform:el(\d+)/.exec(line)?.[1] ?? (id === 'fedora' ? 9 : 0));
  if (enterprise === 8) return 'rhel8';
  return enterprise >= 9 ? 'rhel93' : undefined;
}

export type StoreAddress = { socket: string } | { port: number };

function hostInUri(at: StoreAddress): string {
  return 'socket' in at ? encodeURIComponent(at.socket) : `127.0.0.1:${at.port}`;
}

/**
 * In bytes. A socket path has at most 103 bytes, and `mongod` may create `mongodb-27017.sock` in
 * the folder.
 */
const LONGEST_FOLDER = 103 - '/mongodb-27017.sock'.length;

/**
 * Returns the store's socket `DATA_DIR/run/store.sock`. If that path is too long or its file system
 * has no sockets, the socket is in a private temporary folder, linked from `DATA_DIR/run/sockets`.
 * The store has no password, so the caller must have closed DATA_DIR to other users and locked it.
 */
export async function chooseStoreAddress(dataDir: string): Promise<{ socket: string }> {
  const runDir = join(dataDir, 'run');
  await mkdir(runDir, { recursive: true, mode: 0o700 });
  const folder = (await canHoldSocket(runDir)) ? runDir : await shortFolder(runDir);
  return { socket: join(folder, 'store.sock') };
}

async function canHoldSocket(folder: string): Promise<boolean> {
  // `mongod` splits addresses at commas. The driver decodes a path twice.
  if (Buffer.byteLength(folder) > LONGEST_FOLDER || /[,%]/.test(folder)) return false;
  const path = join(folder, 'probe.sock');
  await rm(path, { force: true });
  const server = createServer();
  try {
    server.listen(path);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}

/** Returns the folder that an earlier start created for this DATA_DIR, or a new folder. */
async function shortFolder(runDir: string): Promise<string> {
  const link = join(runDir, 'sockets');
  // A hash of the path, because a copied DATA_DIR has a copied link.
  const digest = createHash('sha256').update(await realpath(runDir));
  const prefix = `parlance-${digest.digest('hex').slice(0, 12)}-`;
  const known = await readlink(link).catch(() => '');
  if (known.includes(prefix) && (await isClosed(known)) && (await canHoldSocket(known))) return known;
  await rm(link, { force: true });
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const folder = await mkdtemp(join(parent, prefix)).catch(() => undefined);
    if (folder === undefined) continue;
    if (await canHoldSocket(folder)) {
      await symlink(folder, link);
      return folder;
    }
    await rm(folder, { recursive: true });
  }
  throw new StartProblem(`Neither ${runDir} nor ${tmpdir()} can hold a Unix socket; set a shorter DATA_DIR.`);
}

async function isClosed(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}

const ATTEMPT_MS = 1_000;

/** Returns a server's version, or undefined if the connection fails or takes over a second. */
export async function mongodbVersion(uri: string): Promise<string | undefined> {
  // Imported only here: with an embedded store the supervisor needs no driver.
  const { default: mongoose } = await import('mongoose');
  const connection = mongoose.createConnection(uri, {
    serverSelectionTimeoutMS: ATTEMPT_MS,
    connectTimeoutMS: ATTEMPT_MS,
    autoIndex: false,
  });
  // Without a listener the event would throw.
  connection.on('error', () => undefined);
  try {
    await connection.asPromise();
    const info = await connection.db?.admin().command({ buildInfo: 1 });
    return String(info?.['version']);
  } catch {
    return undefined;
  } finally {
    await connection.destroy();
  }
}
