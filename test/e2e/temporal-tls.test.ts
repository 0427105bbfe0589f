import { createSecureServer } from 'node:http2';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import type { Server, TLSSocket } from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readWorkerConfig } from '../../platform/config/processes.ts';
import { connectClient, connectionOptions } from '../../workflows/client/connect.ts';
import { generateCertificates } from '../support/certificates.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The gRPC status for an unknown method. */
const UNIMPLEMENTED = 12;

/** A TLS server that requires a trusted client certificate, like a cluster or Temporal Cloud. */
describe('a Temporal server behind TLS', () => {
  const callers: unknown[] = [];
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let door: Server;
  let address: string;
  let own: Record<'key' | 'cert' | 'ca', string>;
  let paths: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = await temporaryFolder('parlance-tls-');
    own = await generateCertificates(folder.path);
    paths = {
      TEMPORAL_TLS_CA_PATH: join(folder.path, 'authority.pem'),
      TEMPORAL_TLS_CERT_PATH: join(folder.path, 'certificate.pem'),
      TEMPORAL_TLS_KEY_PATH: join(folder.path, 'key.pem'),
    };
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

  test('a Temporal server behind TLS accepts a client and a worker that have a client certificate and trust the authority of the server', async () => {
    const config = configured(paths);
    const { connection } = await connectClient(config);
    await connection.workflowService.getSystemInfo({});
    await connection.close();
    const native = await NativeConnection.connect(connectionOptions(config));
    await native.close();
    expect(new Set(callers)).toEqual(new Set(['localhost']));
  });

  test('a Temporal server behind TLS is rejected by a worker if the system does not trust the certificate of the server', async () => {
    const config = configured({ TEMPORAL_TLS: 'true' });
    await expect(NativeConnection.connect(connectionOptions(config))).rejects.toThrow(/transport|tls/i);
  });

  test('a Temporal server behind TLS receives the API key and the namespace from the client and the worker', async () => {
    const asked: Record<string, unknown>[] = [];
    const cloud = createSecureServer(own);
    cloud.on('stream', (call, headers) => {
      asked.push(headers);
      const status = { 'content-type': 'application/grpc', 'grpc-status': UNIMPLEMENTED };
      call.respond(status, { endStream: true });
    });
    await new Promise<void>((resolve) => cloud.listen(0, '127.0.0.1', resolve));
    const config = configured({
      TEMPORAL_ADDRESS: `localhost:${(cloud.address() as AddressInfo).port}`,
      TEMPORAL_NAMESPACE: 'chat.acme',
      TEMPORAL_API_KEY: 'key of the cloud',
      TEMPORAL_TLS_CA_PATH: paths['TEMPORAL_TLS_CA_PATH'],
    });
    const { connection, client } = await connectClient(config);
    await expect(client.workflow.count()).rejects.toThrow();
    await connection.close();
    await expect(NativeConnection.connect(connectionOptions(config))).rejects.toThrow('not implemented');
    cloud.close();
    expect(asked.map(({ authorization }) => authorization)).toEqual(
      asked.map(() => 'Bearer key of the cloud'),
    );
    const callers = asked.map((headers) => String(headers['user-agent']).split('/')[0]);
    expect(new Set(callers)).toEqual(new Set(['grpc-node-js', 'tonic']));
    expect(asked.map((headers) => headers['temporal-namespace'])).toContain('chat.acme');
  });
});
