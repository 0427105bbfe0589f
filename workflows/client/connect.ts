import { definedFields } from '../../domain/record-fields.ts';
import { PING_QUERY, deliveryWorkflowId } from '../contract.ts';
import type { TemporalConfig } from '../../platform/config/processes.ts';
import { createConversations } from './conversations.ts';
import type { Conversations, ConversationsDeps } from './conversations.ts';
import { createEvents } from './business-events.ts';
import type { Events } from './business-events.ts';
import type { AccountMailResult } from '../../domain/account-mail.ts';
import type { AccountMailInput } from '../contract.ts';
import { startAccountMail, startMailboxWorkflow } from './mailbox-workflows.ts';
import { Client, Connection } from '@temporalio/client';
import { NOT_FOUND, getGrpcCode } from './retry-until.ts';
import { requireRecentServer } from './server-version.ts';
import type { ConnectionOptions } from '@temporalio/client';

export interface Temporal {
  conversations: Conversations;
  events: Events;
  /** Starts to read the mailbox of a service, unless it is read already. */
  startMailbox: (service: string) => Promise<void>;
  /** Returns null without a result within `waitMs`. The mail is sent nevertheless. */
  sendAccountMail: (input: AccountMailInput, waitMs: number) => Promise<AccountMailResult | null>;
  serverAnswers: (timeoutMs: number) => Promise<boolean>;
  workerAnswers: (timeoutMs: number) => Promise<boolean>;
  close: () => Promise<void>;
}

export async function connectTemporal(
  config: TemporalConfig & { temporalNamespace: string },
  deps: ConversationsDeps,
): Promise<Temporal> {
  const { client, connection } = await connectClient(config);
  const { timeoutMs } = deps;

  return {
    conversations: createConversations({ client, connection }, deps),
    events: createEvents(client, connection, timeoutMs),
    startMailbox: (service) => startMailboxWorkflow({ client, connection }, service),
    sendAccountMail: (input, waitMs) =>
      startAccountMail({ client, connection }, input, { waitMs, timeoutMs }),
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
    ...definedFields({ tls: temporalTls && tlsOptions(temporalTls), apiKey: temporalApiKey }),
  };
}

/** Rejects after ten seconds without a server, for an old server or a missing namespace. */
export async function connectClient(
  config: TemporalConfig & { temporalNamespace: string },
): Promise<{ client: Client; connection: Connection }> {
  const connection = await Connection.connect({
    ...connectionOptions(config),
    connectTimeout: '10s',
    // `retryUntil` retries instead.
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
  });
  await requireRecentServer(connection);
  await requireNamespace(connection, config.temporalNamespace);
  return { connection, client: new Client({ connection, namespace: config.temporalNamespace }) };
}

async function requireNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.describeNamespace({ namespace }).catch((error: unknown) => {
    if (getGrpcCode(error) === NOT_FOUND) throw error;
  });
}

function tlsOptions({ authority, client }: NonNullable<TemporalConfig['temporalTls']>) {
  return definedFields({
    serverRootCACertificate: authority === undefined ? undefined : Buffer.from(authority),
    clientCertPair: client && { crt: Buffer.from(client.certificate), key: Buffer.from(client.key) },
  });
}

const READY_TIMEOUT_MS = 1_000;

export function serverAnswers(connection: Connection, timeoutMs: number): Promise<boolean> {
  return isReachableWithin(connection, timeoutMs, () => connection.workflowService.getSystemInfo({}));
}

/** Never rejects. */
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

/** Never rejects. */
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
