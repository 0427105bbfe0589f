import { Client, Connection } from '@temporalio/client';
import type { TemporalConfig } from '../../platform/config/temporal.ts';
import { NOT_FOUND, getGrpcCode } from './grpc-code.ts';
import { requireRecentServer } from './server-version.ts';

/** Where and how to connect, in the words that the client and the worker share. */
export function connectionOptions({ temporalAddress, temporalTls, temporalApiKey }: TemporalConfig) {
  return {
    address: temporalAddress,
    ...(temporalTls ? { tls: tlsOptions(temporalTls) } : {}),
    ...(temporalApiKey === undefined ? {} : { apiKey: temporalApiKey }),
  };
}

/**
 * Connects to a Temporal server; rejects when none answers within ten seconds, or when it is too
 * old or does not know the namespace. A server that restarts later is found again within a second.
 */
export async function connectClient(
  config: TemporalConfig & { temporalNamespace: string },
): Promise<{ client: Client; connection: Connection }> {
  const connection = await Connection.connect({
    ...connectionOptions(config),
    connectTimeout: '10s',
    // Retries are ours (retry-until.ts).
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
  });
  await requireRecentServer(connection);
  await requireNamespace(connection, config.temporalNamespace);
  return { connection, client: new Client({ connection, namespace: config.temporalNamespace }) };
}

/** Rejects where the server says that it has no such namespace: nothing would ever be processed. */
async function requireNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.describeNamespace({ namespace }).catch((error: unknown) => {
    if (getGrpcCode(error) === NOT_FOUND) throw error;
  });
}

function tlsOptions({ authority, client }: NonNullable<TemporalConfig['temporalTls']>) {
  return {
    ...(authority === undefined ? {} : { serverRootCACertificate: Buffer.from(authority) }),
    ...(client
      ? { clientCertPair: { crt: Buffer.from(client.certificate), key: Buffer.from(client.key) } }
      : {}),
  };
}
