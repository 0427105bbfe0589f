import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { theCluster } from './cluster.ts';

const cluster = theCluster();
const FILES = `${process.env['COMPOSE_FILE']}:docker-compose.tls.yml`;
/**
 * Path in the proxy's container of the root certificate of Caddy's own authority, which signs
 * certificates for local names such as `localhost`.
 */
const AUTHORITY = '/data/caddy/pki/authorities/local/root.crt';

describe('docker-compose.tls.yml', () => {
  let ca: Buffer;

  beforeAll(async () => {
    await cluster.shell('docker compose up --detach --wait --no-deps proxy', { COMPOSE_FILE: FILES });
    const folder = await temporaryFolder();
    const [proxy = ''] = await cluster.containers('proxy');
    await eventually(async () => {
      await cluster.docker('cp', `${proxy}:${AUTHORITY}`, folder.path);
      return true;
    });
    ca = await readFile(join(folder.path, 'root.crt'));
    await folder.remove();
  });
  afterAll(async () => {
    await cluster.compose('up', '--detach', '--wait', '--no-deps', 'proxy');
    await cluster.ready();
  });

  /** Sends a request to SITE by TLS. Rejects if the certificate has another name or authority. */
  function ask(path: string): Promise<{ status: number | undefined; body: string }> {
    return new Promise((resolve, reject) => {
      const asking = request(`https://localhost${path}`, { ca, family: 4 }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode, body }));
      });
      asking.on('error', reject).end();
    });
  }

  test('the proxy of docker-compose.tls.yml responds by TLS with a certificate for SITE', async () => {
    const { status, body } = await eventually(() => ask('/readyz'));
    expect([status, JSON.parse(body).status]).toEqual([200, 'ok']);
  });

  test('the proxy of docker-compose.tls.yml responds to requests for metrics with 404', async () => {
    expect((await ask('/metrics')).status).toBe(404);
  });

  test('the proxy of docker-compose.tls.yml redirects requests without TLS', async () => {
    const answer = await fetch('http://localhost/readyz', { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'https://localhost/readyz']);
  });
});
