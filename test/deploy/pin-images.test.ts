import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';

const FILES = ['Dockerfile', 'docker-compose.yml', 'docker-compose.monitoring.yml'];
const run = promisify(execFile);

/** Returns the digest that the imitated registry gives an image. */
const digestOf = (image: string) => `sha256:${Buffer.from(image).toString('hex').padEnd(64, '0').slice(-64)}`;

/** Starts a registry that wants a token for the right scope. `missing`: an image without a tag. */
async function startRegistry(missing = ''): Promise<string> {
  const server = createServer((request, response) => {
    const { origin, pathname, searchParams } = new URL(request.url ?? '', `http://${request.headers.host}`);
    if (pathname === '/token') return response.end(JSON.stringify({ token: searchParams.get('scope') }));
    const [, name = '', tag = ''] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(pathname) ?? [];
    const scope = `repository:${name}:pull`;
    if (request.headers.authorization !== `Bearer ${scope}`) {
      const challenge = `Bearer realm="${origin}/token",service="fake",scope="${scope}"`;
      return response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    const isIndex = request.headers.accept?.includes('image.index') === true && request.method === 'HEAD';
    const headers = isIndex ? { 'docker-content-digest': digestOf(`${name}:${tag}`) } : {};
    return response.writeHead(name === missing ? 404 : 200, headers).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs the program on a copy of the files. Rejects with its output if it fails. */
async function pin(folder: string, registry: string): Promise<string> {
  const env = { ...process.env, IMAGE_REGISTRY: registry };
  const program = resolve('deploy/pin-images.mjs');
  return (await run(process.execPath, [program], { cwd: folder, env })).stdout;
}

async function copyFiles(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-images-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const file of FILES) await cp(file, join(folder, file));
  return folder;
}

const readAll = (folder: string) => Promise.all(FILES.map((file) => readFile(join(folder, file), 'utf8')));

describe('deploy/pin-images.mjs', () => {
  test('the pinning of images writes the digest of every foreign image behind its tag, and writes the same when it runs again', async () => {
    const [folder, registry] = [await copyFiles(), await startRegistry()];
    const printed = await pin(folder, registry);
    const texts = await readAll(folder);
    const images = texts.flatMap((text) =>
      [...text.matchAll(/^(?:FROM|\s+image:) (\S+)/gm)].map(([, image = '']) => image),
    );
    const foreign = images.filter((image) => !image.startsWith('parlance:'));
    expect(foreign.length).toBeGreaterThan(8);
    for (const image of foreign) {
      const [tagged = '', digest] = image.split('@');
      expect(digest, image).toBe(digestOf(tagged.includes('/') ? tagged : `library/${tagged}`));
      expect(printed).toContain(`${image}\n`);
    }
    // Nothing but digests has changed.
    const originals = await Promise.all(FILES.map((file) => readFile(file, 'utf8')));
    const strip = (text: string) => text.replace(/@sha256:[0-9a-f]{64}/g, '');
    expect(texts.map(strip)).toEqual(originals.map(strip));
    await pin(folder, registry);
    expect(await readAll(folder)).toEqual(texts);
  });

  test('the pinning of images changes no file and names the image if the registry lacks one of them', async () => {
    const [folder, registry] = [await copyFiles(), await startRegistry('grafana/grafana')];
    const before = await readAll(folder);
    await expect(pin(folder, registry)).rejects.toThrow(
      /No image is pinned: grafana\/grafana:\S+: the registry responds 404/,
    );
    expect(await readAll(folder)).toEqual(before);
  });

  test('the pinning of images fails with the address of a registry that cannot be reached', async () => {
    const folder = await copyFiles();
    await expect(pin(folder, 'http://127.0.0.1:1')).rejects.toThrow('127.0.0.1:1 does not respond');
  });
});
