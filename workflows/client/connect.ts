import { PING_QUERY, deliveryWorkflowId } from '../contract.ts';
import type { TemporalConfig } from '../../platform/config/temporal.ts';
import { createConversations } from './conversations.ts';
import type { Conversations, ConversationsDeps } from './conversations.ts';
import { createEvents } from './business-events.ts';
import type { Events } from './business-events.ts';
import { Client, Connection } from '@temporalio/client';
import { NOT_FOUND, getGrpcCode } from './retry-until.ts';
import type { ConnectionOptions } from '@temporalio/client';

/** The Temporal client of the API. */
export interface Temporal {
  conversations: Conversations;
  events: Events;
  /** Returns whether the server responds within `timeoutMs`. */
  serverAnswers: (timeoutMs: number) => Promise<boolean>;
  /** Returns whether a worker responds within `timeoutMs`. */
  workerAnswers: (timeoutMs: number) => Promise<boolean>;
  close: () => Promise<void>;
}

/**
 * Connects to a Temporal server. Rejects after ten seconds without one. Reconnects within a second
 * after a server restart.
 */
export async function connectTemporal(
  config: TemporalConfig & { temporalNamespace: string },
  deps: ConversationsDeps,
): Promise<Temporal> {
  const { client, connection } = await connectClient(config);

  return {
    conversations: createConversations({ client, connection }, deps),
    events: createEvents(client, connection),
    serverAnswers: (timeoutMs) => serverAnswers(connection, timeoutMs),
    workerAnswers: (timeoutMs) =>
      isReachableWithin(connection, timeoutMs, () =>
        client.workflow.getHandle(deliveryWorkflowId(0)).query(PING_QUERY),
      ),
    close: () => connection.close(),
  };
}

export function connectionOptions({ temporalAddress, temporalTls, temporalApiKey }: TemporalConfig) {
  return {
    address: temporalAddress,
    ...(temporalTls ? { tls: tlsOptions(temporalTls) } : {}),
    ...(temporalApiKey === undefined ? {} : { apiKey: temporalApiKey }),
  };
}

/**
 * Connects to a Temporal server. Rejects after ten seconds without one, if the server is too old,
 * or if the namespace is missing. Reconnects within a second after a server restart.
 */
export async function connectClient(
  config: TemporalConfig & { temporalNamespace: string },
): Promise<{ client: Client; connection: Connection }> {
  const connection = await Connection.connect({
    ...connectionOptions(config),
    connectTimeout: '10s',
    // We retry ourselves (retry-until.ts).
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
  });
  await requireRecentServer(connection);
  await requireNamespace(connection, config.temporalNamespace);
  return { connection, client: new Client({ connection, namespace: config.temporalNamespace }) };
}

/** Rejects if the namespace does not exist: nothing would ever be processed. */
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

const READY_TIMEOUT_MS = 1_000;

/** Returns whether the server responds within `timeoutMs`. Never rejects. */
export function serverAnswers(connection: Connection, timeoutMs: number): Promise<boolean> {
  return isReachableWithin(connection, timeoutMs, () => connection.workflowService.getSystemInfo({}));
}

/** Returns whether `ask` resolves within `timeoutMs`. Never rejects. */
export function isReachableWithin(
  connection: Connection,
  timeoutMs: number,
  ask: () => Promise<unknown>,
): Promise<boolean> {
  return connection.withDeadline(Date.now() + timeoutMs, ask).then(
    () => true,
    () => false,
  );
}

/** Returns whether the server knows the namespace, within about a second. Never rejects. */
export async function isNamespaceReady(
  where: Pick<ConnectionOptions, 'address' | 'tls' | 'apiKey'>,
  namespace: string,
): Promise<boolean> {
  const connection = Connection.lazy(where);
  try {
    return await isReachableWithin(connection, READY_TIMEOUT_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } finally {
    await connection.close();
  }
}

/** Oldest server version that the product was run with. */
export const OLDEST_SERVER = [1, 28] as const;

export class OldServerError extends Error {
  override readonly name = 'OldServerError';

  constructor(version: string) {
    super(`the Temporal server is ${version}, and ${OLDEST_SERVER.join('.')} or newer is needed`);
  }
}

/** Returns whether a server version (`1.31.2`) is supported. Unknown formats are accepted. */
export function isRecentServer(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return true;
  const [oldestMajor, oldestMinor] = OLDEST_SERVER;
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}

/**
 * Rejects with OldServerError if the server reports a version that is too old. A server that
 * reports no version is accepted.
 */
export async function requireRecentServer({
  workflowService,
}: {
  workflowService: Pick<Connection['workflowService'], 'getSystemInfo'>;
}): Promise<void> {
  const info = await workflowService.getSystemInfo({}).catch(() => undefined);
  if (info && !isRecentServer(info.serverVersion)) throw new OldServerError(info.serverVersion);
}
