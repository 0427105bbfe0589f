import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import type { Server, TLSSocket } from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readWorkerConfig } from '../../config/worker.ts';
import { connectClient, connectionOptions } from '../../posting/temporal-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A cluster, or Temporal Cloud: a door that speaks TLS, and only to those who show a certificate that it trusts. */
describe('a Temporal server behind TLS', () => {
  const callers: unknown[] = [];
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let door: Server;
  let address: string;
  let paths: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-tls-');
    const names = [
      { type: 2 as const, value: 'localhost' },
      { type: 7 as const, ip: '127.0.0.1' },
    ];
    const authority = await generate([{ name: 'commonName', value: 'an authority' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
    });
    const pair = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      ca: { key: authority.private, cert: authority.cert },
      extensions: [{ name: 'subjectAltName', altNames: names }],
    });
    const file = async (name: string, text: string) => {
      await writeFile(join(folder.path, name), text);
      return join(folder.path, name);
    };
    paths = {
      TEMPORAL_TLS_CA_PATH: await file('authority.pem', authority.cert),
      TEMPORAL_TLS_CERT_PATH: await file('certificate.pem', pair.cert),
      TEMPORAL_TLS_KEY_PATH: await file('key.pem', pair.private),
    };
    const own = { key: pair.private, cert: pair.cert, ca: authority.cert };
    door = createServer({ ...own, requestCert: true, ALPNProtocols: ['h2'] }, letIn);
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    address = `localhost:${(door.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => door.close(resolve));
    await folder.remove();
  });

  function letIn(caller: TLSSocket): void {
    callers.push(caller.getPeerCertificate().subject.CN);
    const [host = '', port = ''] = inject('temporalAddress').split(':');
    const server = connect(Number(port), host);
    caller.pipe(server).pipe(caller);
    for (const end of [caller, server]) {
      end.on('error', () => {
        caller.destroy();
        server.destroy();
      });
    }
  }

  const configured = (env: NodeJS.ProcessEnv) =>
    readWorkerConfig({
      MONGODB_URI: 'mongodb://127.0.0.1/x',
      AUTH_SECRET: 'a secret that is long enough for tests',
      TEMPORAL_ADDRESS: address,
      ...env,
    });

  test('is reached by client and worker with its authority, and shown our certificate', async () => {
    const config = configured(paths);
    const { connection } = await connectClient(config);
    await connection.workflowService.getSystemInfo({});
    await connection.close();
    const native = await NativeConnection.connect(connectionOptions(config));
    await native.close();
    expect(new Set(callers)).toEqual(new Set(['localhost']));
  });

  test('is not believed when nobody whom the system trusts has signed for it', async () => {
    const config = configured({ TEMPORAL_TLS: 'true' });
    await expect(NativeConnection.connect(connectionOptions(config))).rejects.toThrow(/transport|tls/i);
  });

  test('is sent the API key, over TLS', () => {
    const apiKey = 'key of the cloud';
    expect(connectionOptions(configured({ TEMPORAL_API_KEY: apiKey }))).toEqual({ address, tls: {}, apiKey });
  });
});
