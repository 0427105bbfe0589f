import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  MONGODB_VERSION,
  archivePath,
  chooseEngine,
  chooseStoreAddress,
} from '../../../deploy/local/mongodb.ts';
import { freePort } from '../../../deploy/local/ports.ts';
import { put, putScript, testFolder } from './support/folder.ts';
import { startMirror } from './support/mirror.ts';

const SAYS_VERSION = `echo "db version v${MONGODB_VERSION}"`;

async function bareMachine() {
  const folder = testFolder();
  const env: NodeJS.ProcessEnv = {
    PATH: join(folder, 'bin'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    MONGOMS_DOWNLOAD_MIRROR: `http://127.0.0.1:${await freePort()}`,
  };
  const lines: string[] = [];
  const dataDir = join(folder, 'data');
  const choose = (more: NodeJS.ProcessEnv = {}) =>
    chooseEngine(dataDir, { env: { ...env, ...more }, log: (line) => lines.push(line) });
  return { folder, dataDir, lines, choose, cache: join(folder, 'cache/parlance/mongodb', MONGODB_VERSION) };
}

/** Starts a mirror that serves the same archive, with a checksum, for every system. */
async function goodMirror(checksum?: string): Promise<string> {
  const folder = testFolder();
  putScript(join(folder, 'mongodb-for-this-system/bin/mongod'), SAYS_VERSION);
  const archive = execFileSync('tar', ['-czf', '-', '-C', folder, 'mongodb-for-this-system']);
  const digest = checksum ?? createHash('sha256').update(archive).digest('hex');
  return startMirror((request, response) => {
    if (!request.url?.includes(MONGODB_VERSION)) response.writeHead(404).end();
    else response.end(request.url.endsWith('.sha256') ? `${digest}  archive.tgz\n` : archive);
  });
}

describe("choosing the store's engine", () => {
  test('`npm start` prefers MONGOMS_SYSTEM_BINARY, then PATH, then a download of MongoDB, which is cached', async () => {
    const { folder, cache, choose } = await bareMachine();
    const mirror = { MONGOMS_DOWNLOAD_MIRROR: await goodMirror() };
    expect(await choose(mirror)).toMatchObject({
      name: 'MongoDB',
      version: MONGODB_VERSION,
      source: 'download',
    });
    expect(await choose()).toMatchObject({ source: 'cache' });
    expect(readdirSync(cache)).toEqual(['mongod']);
    putScript(join(folder, 'bin/mongod'), SAYS_VERSION);
    expect(await choose()).toMatchObject({ source: 'PATH' });
    const named = putScript(join(folder, 'mine'), 'echo "db version v7.0.2"');
    expect(await choose({ MONGOMS_SYSTEM_BINARY: named })).toMatchObject({
      source: 'MONGOMS_SYSTEM_BINARY',
      version: '7.0.2',
    });
  });

  test('`npm start` falls back to the built-in store if it finds no MongoDB, with one warning that gives the reason', async () => {
    const { choose, lines } = await bareMachine();
    expect(await choose()).toMatchObject({ name: 'built-in store' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^warning: no MongoDB found, using the built-in store \(download: .*ECONNREFUSED/,
    );
  });

  test('`npm start` skips a mongod older than 7 and rejects a download with a wrong checksum', async () => {
    const { folder, choose, lines } = await bareMachine();
    putScript(join(folder, 'bin/mongod'), 'echo "db version v6.0.1"');
    const engine = await choose({ MONGOMS_DOWNLOAD_MIRROR: await goodMirror('0'.repeat(64)) });
    expect(engine.name).toBe('built-in store');
    expect(lines.at(-1)).toMatch(/older than 7.*checksum/);
  });

  test('`npm start` keeps the store engine that has written the data', async () => {
    const { folder, dataDir, choose, lines } = await bareMachine();
    put(join(dataDir, 'store/data.mdb'), 'data');
    putScript(join(folder, 'bin/mongod'), SAYS_VERSION);
    expect(await choose()).toMatchObject({ name: 'built-in store', folder: join(dataDir, 'store') });
    expect(lines[0]).toContain(join(dataDir, 'store'));
  });

  test('`npm start` warns about unused data of the built-in store if MONGOMS_SYSTEM_BINARY names a mongod', async () => {
    const { folder, dataDir, choose, lines } = await bareMachine();
    put(join(dataDir, 'store/data.mdb'), 'data');
    const named = putScript(join(folder, 'mine'), SAYS_VERSION);
    expect(await choose({ MONGOMS_SYSTEM_BINARY: named })).toMatchObject({
      folder: join(dataDir, 'mongodb'),
    });
    expect(lines).toEqual([
      `the data of the built-in store in ${join(dataDir, 'store')} is left alone and not shown`,
    ]);
  });

  test('`npm start` fails if MongoDB wrote the data and no mongod is available', async () => {
    const { dataDir, choose } = await bareMachine();
    put(join(dataDir, 'mongodb/WiredTiger'), 'data');
    await expect(choose()).rejects.toThrow(`${join(dataDir, 'mongodb')} was written by MongoDB`);
  });

  test('`npm start` makes clients of MongoDB wait for the journal', async () => {
    const { folder, choose } = await bareMachine();
    putScript(join(folder, 'bin/mongod'), SAYS_VERSION);
    const engine = await choose();
    const socket = '/data/run/store.sock';
    const options = '?directConnection=true&journal=true';
    expect(engine.uri({ socket })).toBe(`mongodb://%2Fdata%2Frun%2Fstore.sock/${options}`);
    expect(engine.uri({ port: 27017 })).toBe(`mongodb://127.0.0.1:27017/${options}`);
  });

  test('`npm start` lets MongoDB listen on no port, and on no socket in /tmp', async () => {
    const { folder, choose } = await bareMachine();
    putScript(join(folder, 'bin/mongod'), SAYS_VERSION);
    const engine = await choose();
    const { args } = engine.program({ socket: '/data/run/store.sock' });
    expect(args.join(' ')).toContain(
      `--dbpath ${engine.folder} --bind_ip /data/run/store.sock --unixSocketPrefix /data/run`,
    );
  });
});

describe('the archive of MongoDB', () => {
  const ROCKY = 'ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.4"\nPLATFORM_ID="platform:el9"';
  const MINT = 'NAME=\'Linux Mint\'\nID=linuxmint\nVERSION_ID="21.3"\nUBUNTU_CODENAME=jammy';

  test.each([
    ['linux', 'x64', 'ID=ubuntu\nVERSION_ID="22.04"\nVERSION_CODENAME=jammy', 'linux-x86_64-ubuntu2204'],
    ['linux', 'arm64', 'ID=ubuntu\nVERSION_ID="24.04"\nVERSION_CODENAME=noble', 'linux-aarch64-ubuntu2404'],
    ['linux', 'x64', 'ID=ubuntu\nVERSION_ID="25.10"\nVERSION_CODENAME=questing', 'linux-x86_64-ubuntu2404'],
    ['linux', 'x64', MINT, 'linux-x86_64-ubuntu2204'],
    ['linux', 'x64', 'ID=debian\nVERSION_ID="12"', 'linux-x86_64-debian12'],
    ['linux', 'x64', 'ID=debian', 'linux-x86_64-debian12'],
    ['linux', 'x64', ROCKY, 'linux-x86_64-rhel93'],
    ['linux', 'arm64', 'ID="rhel"\nVERSION_ID="8.10"\nPLATFORM_ID="platform:el8"', 'linux-aarch64-rhel8'],
    ['linux', 'x64', 'ID=fedora\nVERSION_ID=42\nPLATFORM_ID="platform:f42"', 'linux-x86_64-rhel93'],
    ['linux', 'arm64', 'ID="amzn"\nVERSION_ID="2023"', 'linux-aarch64-amazon2023'],
    ['linux', 'x64', 'ID="opensuse-leap"\nVERSION_ID="15.6"', 'linux-x86_64-suse15'],
    ['darwin', 'arm64', '', 'macos-arm64'],
    ['darwin', 'x64', '', 'macos-x86_64'],
  ])('the archive of MongoDB on %s %s with %j is mongodb-%4$s', (platform, arch, osRelease, name) => {
    const folder = platform === 'darwin' ? 'osx' : 'linux';
    expect(archivePath({ platform, arch, osRelease })).toBe(
      `${folder}/mongodb-${name}-${MONGODB_VERSION}.tgz`,
    );
  });

  test.each([
    ['linux', 'x64', 'ID=alpine\nVERSION_ID=3.22.1\nPRETTY_NAME="Alpine Linux v3.22"'],
    ['linux', 'x64', 'ID=debian\nVERSION_ID="11"'],
    ['linux', 'arm64', 'ID=debian\nVERSION_ID="12"'],
    ['linux', 'ppc64', 'ID=ubuntu\nVERSION_ID="22.04"\nVERSION_CODENAME=jammy'],
    ['linux', 'x64', 'ID=../..\nUBUNTU_CODENAME=constructor'],
    ['linux', 'x64', ''],
    ['freebsd', 'x64', ''],
  ])('the archive of MongoDB does not exist for %s %s with %j', (platform, arch, osRelease) => {
    expect(() => archivePath({ platform, arch, osRelease })).toThrow(/^MongoDB has no archive for .* on /);
  });
});

describe('the socket of the store', () => {
  test('the socket of the store is in DATA_DIR', async () => {
    const dataDir = testFolder();
    expect(await chooseStoreAddress(dataDir)).toEqual({ socket: join(dataDir, 'run/store.sock') });
  });

  test.each(['deep/'.repeat(30), 'a,b', 'a%20b'])(
    'the socket of the store is in a short folder elsewhere if DATA_DIR is %s',
    async (name) => {
      const dataDir = join(testFolder(), name);
      const { socket } = await chooseStoreAddress(dataDir);
      onTestFinished(() => rmSync(dirname(socket), { recursive: true, force: true }));
      expect(dirname(dirname(socket))).toBe(tmpdir());
      expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
      // The next start uses the same socket. A start on a copy of the folder uses another socket.
      expect(await chooseStoreAddress(dataDir)).toEqual({ socket });
      const copy = join(testFolder(), name);
      cpSync(dataDir, copy, { recursive: true, verbatimSymlinks: true });
      const other = await chooseStoreAddress(copy);
      onTestFinished(() => rmSync(dirname(other.socket), { recursive: true, force: true }));
      expect(other).not.toEqual({ socket });
    },
  );

  test('the socket of the store is not created in a folder that is open to other users', async () => {
    const dataDir = join(testFolder(), 'deep/'.repeat(30));
    const first = dirname((await chooseStoreAddress(dataDir)).socket);
    chmodSync(first, 0o755);
    const second = dirname((await chooseStoreAddress(dataDir)).socket);
    onTestFinished(() => [first, second].forEach((path) => rmSync(path, { recursive: true, force: true })));
    expect(second).not.toBe(first);
  });
});
