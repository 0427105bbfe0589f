// `node deploy/pin-images.mjs`: writes the digest behind the tag of each image into the Dockerfile
// and the compose files (`caddy:2.11.9-alpine@sha256:…`), so that a registry cannot exchange an
// image. Reads the digests from the registries, and changes no file unless all of them respond.
// IMAGE_REGISTRY replaces Docker Hub.
import { readFileSync, writeFileSync } from 'node:fs';

export const FILES = ['Dockerfile', 'docker-compose.yml', 'docker-compose.monitoring.yml'];
const DOCKER_HUB = 'https://registry-1.docker.io';
/** Short, so that a machine without access fails at once. */
const TIMEOUT_MS = 3_000;
const IMAGE = /^(FROM |\s*image: )([a-z][\w./-]*:[\w.-]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm;
// A tag of several platforms has the digest of its index.
const ACCEPT = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

export function listImages(text) {
  return [...text.matchAll(IMAGE)].map(([, , image]) => image);
}

export function pinImages(text, digests) {
  return text.replace(IMAGE, (_, before, image) => `${before}${image}@${digests[image]}`);
}

async function request(url, options = {}) {
  try {
    return await fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Error(`${new URL(url).host} does not respond: ${error.cause?.code ?? error.message}`, {
      cause: error,
    });
  }
}

/** Gets a token of a registry that refused with `WWW-Authenticate: Bearer realm="…",…`. */
async function fetchToken(challenge) {
  const { realm, ...parameters } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  if (!realm) throw new Error('the registry names no server for tokens');
  const url = new URL(realm);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const response = await request(url);
  if (!response.ok) throw new Error(`${url.host} responds ${response.status}`);
  const { token, access_token: accessToken } = await response.json();
  return token ?? accessToken;
}

/** Rejects with the reason if the registry has no digest for the image. */
export async function findDigest(image, registry = DOCKER_HUB) {
  const [name, tag] = image.split(':');
  const [host] = name.split('/');
  const isElsewhere = host.includes('.');
  const base = isElsewhere ? `https://${host}` : registry;
  const path = isElsewhere ? name.slice(host.length + 1) : name.includes('/') ? name : `library/${name}`;
  const url = `${base}/v2/${path}/manifests/${tag}`;
  const head = (headers) => request(url, { method: 'HEAD', headers: { accept: ACCEPT, ...headers } });
  let response = await head({});
  const challenge = response.headers.get('www-authenticate');
  if (response.status === 401 && challenge) {
    response = await head({ authorization: `Bearer ${await fetchToken(challenge)}` });
  }
  const digest = response.headers.get('docker-content-digest') ?? '';
  if (!response.ok) throw new Error(`${image}: the registry responds ${response.status}`);
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${image}: the registry returns no digest`);
  return digest;
}

async function main() {
  const texts = FILES.map((file) => [file, readFileSync(file, 'utf8')]);
  const images = [...new Set(texts.flatMap(([, text]) => listImages(text)))];
  const found = images.map(async (image) => [image, await findDigest(image, process.env['IMAGE_REGISTRY'])]);
  const digests = Object.fromEntries(await Promise.all(found));
  for (const [file, text] of texts) writeFileSync(file, pinImages(text, digests));
  for (const image of images) console.log(`${image}@${digests[image]}`);
}

if (process.argv[1] === import.meta.filename) {
  await main().catch((error) => {
    console.error(`No image is pinned: ${error.message}`);
    process.exit(1);
  });
}
